"""Points with words: the PCA picture with its arrows, and the angle between two vectors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from playground.plots.charts import data_of
from playground.plots.colors import TOKEN_HUES
from playground.plots.labels import place_labels
from playground.plots.numbers import percent
from playground.plots.projection import Projection

WIDTH, HEIGHT = 860, 430  # pixels for which labels are kept apart; the picture itself fits its column
MARGIN = 46  # pixels kept free around the points, for their labels
FONT = 13


@dataclass(frozen=True)
class Arrow:
    """A difference: from the point of row `start` to the point of row `end`."""

    start: int
    end: int
    dashed: bool = False


def word_map(
    projection: Projection,
    words: Sequence[str],
    groups: Sequence[str],
    *,
    arrows: Sequence[Arrow] = (),
    labelled: Sequence[bool] | None = None,
    tooltips: Sequence[str] | None = None,
) -> alt.LayerChart:
    """Return a map of `words` at `projection.points (n, 2)`, coloured by group, with arrows for differences.

    Both axes have one scale, so that lengths and angles in the picture are those of the projection. Labels
    are kept apart; a word that is not `labelled` (or finds no room) has a tooltip.
    """
    points = projection.points
    shown = list(labelled) if labelled is not None else [True] * len(words)
    centre, per_pixel = _frame(points)
    flipped = np.array([1, -1])  # a screen counts y downwards
    pixels = (points - centre) * flipped / per_pixel + np.array([WIDTH / 2, HEIGHT / 2])
    texts = [word if show else "" for word, show in zip(words, shown, strict=True)]
    places = place_labels(pixels, texts, [(pixels[arrow.start], pixels[arrow.end]) for arrow in arrows])
    names = list(dict.fromkeys(groups))
    rows = []
    for i, (word, group, place) in enumerate(zip(words, groups, places, strict=True)):
        rows.append(
            {
                "x": float(points[i, 0]),
                "y": float(points[i, 1]),
                "word": word,
                "group": group,
                "label": word if place is not None and len(word) <= 40 else "",
                "dx": place.dx if place else 0,
                "dy": place.dy if place else 0,
                "align": place.align if place else "left",
                "note": tooltips[i] if tooltips else "",
            }
        )
    x = alt.X("x:Q", scale=_equal_scale(points, "x"), title=axis_title(projection, 0), axis=_bare_axis())
    y = alt.Y("y:Q", scale=_equal_scale(points, "y"), title=axis_title(projection, 1), axis=_bare_axis())
    hues = [TOKEN_HUES[i % len(TOKEN_HUES)] for i in range(len(names))]
    legend = None if len(names) == 1 else alt.Legend(title=None, orient="top", labelFontSize=FONT, symbolSize=90)
    color = alt.Color("group:N", scale=alt.Scale(domain=names, range=hues), legend=legend)
    tooltip = [alt.Tooltip("word:N"), alt.Tooltip("group:N")]
    if tooltips:
        tooltip.append(alt.Tooltip("note:N", title=" "))
    base = alt.Chart(data_of(rows)).encode(x=x, y=y, color=color, tooltip=tooltip)
    text = base.mark_text(
        fontSize=FONT,
        fontWeight="bold",
        dx=alt.expr("datum.dx"),
        dy=alt.expr("datum.dy"),
        align=alt.expr("datum.align"),
        baseline="middle",
    ).encode(text="label:N")
    layers: list[Any] = [*_arrows(points, arrows, x, y), base.mark_circle(size=90, opacity=1), text]
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)


def angle_picture(cosine: float, first: str, second: str) -> alt.LayerChart:
    """Return two arrows of length 1 with the angle whose cosine is `cosine`, in [-1, 1]."""
    angle = math.acos(max(-1.0, min(1.0, cosine)))
    ends = np.array([[1.0, 0.0], [math.cos(angle), math.sin(angle)]])
    points = np.vstack([[0.0, 0.0], ends])
    frame = np.array([[min(0.0, cosine) - 0.2, -0.16], [1.2, max(0.5, math.sin(angle)) + 0.12]])
    x = alt.X("x:Q", scale=_equal_scale(frame, "x", margin=4), axis=None)
    y = alt.Y("y:Q", scale=_equal_scale(frame, "y", margin=4), axis=None)
    steps = np.linspace(0, angle, 40)
    arc = [{"x": 0.3 * math.cos(t), "y": 0.3 * math.sin(t), "order": i} for i, t in enumerate(steps)]
    labels = [
        {
            "x": ends[i, 0] * 1.04,
            "y": ends[i, 1] * 1.04 + (-0.07 if i == 0 else 0.05),
            "word": word,
            "row": str(i),
        }
        for i, word in enumerate((first, second))
    ]
    middle = angle / 2
    degrees = [{"x": 0.42 * math.cos(middle), "y": 0.42 * math.sin(middle), "word": f"{math.degrees(angle):.1f}°"}]
    line = alt.Chart(data_of(arc)).mark_line(color="#7d8793", strokeWidth=2).encode(x=x, y=y, order="order:Q")
    color = alt.Color("row:N", scale=alt.Scale(domain=["0", "1"], range=list(TOKEN_HUES[:2])), legend=None)
    names = alt.Chart(data_of(labels)).mark_text(fontSize=15, fontWeight="bold", limit=220)
    number = alt.Chart(data_of(degrees)).mark_text(fontSize=14, color="#7d8793")
    layers = [
        line,
        *_arrows(points, [Arrow(0, 1)], x, y, TOKEN_HUES[0]),
        *_arrows(points, [Arrow(0, 2)], x, y, TOKEN_HUES[1]),
        names.encode(x=x, y=y, text="word:N", color=color),
        number.encode(x=x, y=y, text="word:N"),
    ]
    return alt.LayerChart(layer=layers).properties(height=260)


def axis_title(projection: Projection, axis: int) -> str:
    """Return what an axis is called: PCA axes say how much of the variance they hold."""
    ratio = projection.explained_variance_ratio
    if ratio is None:
        return "t-SNE: only closeness has a meaning" if axis == 0 else ""
    return f"PC {axis + 1}, {percent(float(ratio[axis]))} of the variance"


def _arrows(points: np.ndarray, arrows: Sequence[Arrow], x: alt.X, y: alt.Y, hue: str = "#7d8793") -> list[alt.Chart]:
    if not arrows:
        return []
    rows = []
    for arrow in arrows:
        (x0, y0), (x1, y1) = points[arrow.start], points[arrow.end]
        if np.hypot(x1 - x0, y1 - y0) > 1e-9:
            heading = 90 - math.degrees(math.atan2(y1 - y0, x1 - x0))  # a triangle mark points up at 0°
            rows.append({"x": x0, "y": y0, "x2": x1, "y2": y1, "angle": heading, "dash": arrow.dashed})
    # the head stands a little before the end, so that the point there stays visible
    heads = [
        {**row, "x": row["x"] + 0.93 * (row["x2"] - row["x"]), "y": row["y"] + 0.93 * (row["y2"] - row["y"])}
        for row in rows
    ]
    line = alt.Chart(data_of(rows)).mark_rule(color=hue, strokeWidth=2)
    head = alt.Chart(data_of(heads)).mark_point(shape="triangle", filled=True, size=110, color=hue, opacity=1)
    dash = alt.condition("datum.dash", alt.value([5, 4]), alt.value([1, 0]))
    return [
        line.encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeDash=dash),
        head.encode(x=x, y=y, angle=alt.Angle("angle:Q", scale=None, legend=None)),
    ]


def _frame(points: np.ndarray) -> tuple[np.ndarray, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    per_pixel = max(span[0] / (WIDTH - 2 * MARGIN), span[1] / (HEIGHT - 2 * MARGIN))
    return (low + high) / 2, float(per_pixel)


def _equal_scale(points: np.ndarray, axis: str, margin: int = MARGIN) -> alt.Scale:
    """Return a scale of as many units per pixel as the other axis has, whatever the size of the picture."""
    low, high = points.min(axis=0), points.max(axis=0)
    centre, span = (low + high) / 2, np.maximum(high - low, 1e-9)
    per_pixel = f"max({span[0]} / max(width - {2 * margin}, 80), {span[1]} / max(height - {2 * margin}, 80))"
    size, middle = ("width", centre[0]) if axis == "x" else ("height", centre[1])
    return alt.Scale(
        domainMin=alt.ExprRef(f"{middle} - {size} / 2 * {per_pixel}"),
        domainMax=alt.ExprRef(f"{middle} + {size} / 2 * {per_pixel}"),
        nice=False,
        zero=False,
    )


def _bare_axis() -> alt.Axis:
    return alt.Axis(labels=False, ticks=False, grid=False, domain=True, titleFontSize=FONT)
