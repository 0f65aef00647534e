"""Points with words: the map with its arrows and lines, and the angle between two vectors."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from playground.plots.charts import data_of
from playground.plots.colors import TOKEN_HUES
from playground.plots.labels import Place, place_labels
from playground.plots.numbers import decimals, percent
from playground.plots.plane import GREY, Arrow, arrow_layers, equal_axes, pixels_of
from playground.plots.projection import Projection

__all__ = ["Arrow", "Link", "angle_picture", "axis_title", "first_of_groups", "shown_groups", "word_map"]

HEIGHT = 430
WIDTH, NARROW = 830, 345  # pixels for which labels are kept apart, and those of a phone; pictures fit their column
AXIS = 38  # pixels that the title of an axis takes
FONT = 13
CHOSEN = "#d55e00"
CLICK, BRUSH = "click", "brush"  # the names of the selections of a selectable map
# A group is known by its colour and by its shape: no reader depends on colour alone.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
MOST_GROUPS = 12  # more have no room in a legend
OTHERS = "other groups"
LONGEST_LABEL = 40
CROWD = 200  # more points are drawn small and pale, with the labels over them


@dataclass(frozen=True)
class Link:
    """A true neighbourhood: the rows of two words and the cosine, in [-1, 1], of their vectors."""

    start: int
    end: int
    cosine: float


def word_map(
    projection: Projection,
    words: Sequence[str],
    groups: Sequence[str],
    *,
    arrows: Sequence[Arrow] = (),
    links: Sequence[Link] | None = None,
    labelled: Sequence[bool] | None = None,
    tooltips: Sequence[str] | None = None,
    chosen: Collection[int] = (),
    font: float = FONT,
    selectable: bool = False,
) -> alt.LayerChart:
    """Return a map of `words` at `projection.points (n, 2)`, by group, with arrows for differences.

    Both axes have one scale, so that lengths and angles in the picture are those of the projection. Labels
    are kept apart; a word that is not `labelled` (or finds no room) has a tooltip. `links` are thin lines
    with their cosines; the rows `chosen` have a ring. With `selectable`, a click selects a word by its "row"
    under the name CLICK, and a dragged rectangle the places in it, "x" and "y", under the name BRUSH.
    """
    points = projection.points
    shown = list(labelled) if labelled is not None else [True] * len(words)
    texts = [word if show and len(word) <= LONGEST_LABEL else "" for word, show in zip(words, shown, strict=True)]
    hues, names = shown_groups(groups)
    notes = list(tooltips) if tooltips else [""] * len(words)
    table: dict[str, Any] = {"row": range(len(words)), "x": points[:, 0], "y": points[:, 1]}
    table |= {"word": words, "group": groups, "hue": hues, "note": notes}
    order = [*chosen, *(row for row in range(len(words)) if row not in chosen)]
    for suffix, width in (("", WIDTH), ("2", NARROW)):
        size = (width - AXIS, HEIGHT - AXIS - _legend_height(names, width))
        table |= _label_columns(points, texts, order, arrows, font, size, suffix)
    x, y = equal_axes(points, (axis_title(projection, 0), axis_title(projection, 1)))
    tooltip = [alt.Tooltip("word:N"), alt.Tooltip("group:N")]
    if tooltips:
        tooltip.append(alt.Tooltip("note:N", title=" "))
    color, shape = _group_encodings(names)
    base = alt.Chart(pd.DataFrame(table)).encode(x=x, y=y, color=color, tooltip=tooltip)
    crowd = len(words) > CROWD
    dots = base.mark_point(filled=True, size=24 if crowd else 90, opacity=0.35 if crowd else 1).encode(shape=shape)
    if selectable:
        click = alt.selection_point(CLICK, fields=["row"], toggle="true", clear=False)
        brush = alt.selection_interval(BRUSH, encodings=["x", "y"], zoom=False, translate=False)
        dots = dots.add_params(click, brush)
    layers: list[Any] = []
    if links is not None:
        layers.append(_link_layer(points, words, links, x, y))
    layers += arrow_layers(points, arrows, x, y)
    if selectable or chosen:
        layers.append(_rings(points, chosen, x, y))
    layers += [dots, _texts(base, font)]
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)


def first_of_groups(groups: Sequence[str], most: int) -> list[bool]:
    """Return which words to label so that each group has a share of `most` labels: its first words."""
    if len(groups) <= most:
        return [True] * len(groups)
    share = max(1, most // len(set(groups)))
    seen: dict[str, int] = {}
    labelled = []
    for group in groups:
        seen[group] = seen.get(group, 0) + 1
        labelled.append(seen[group] <= share)
    return labelled


def shown_groups(groups: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the group under which each word is drawn, and all of these in order: few enough for a legend."""
    names = list(dict.fromkeys(groups))
    if len(names) <= MOST_GROUPS:
        return list(groups), names
    own = names[: MOST_GROUPS - 1]
    return [group if group in own else OTHERS for group in groups], [*own, OTHERS]


def angle_picture(cosine: float, first: str, second: str) -> alt.LayerChart:
    """Return two arrows of length 1 with the angle whose cosine is `cosine`, in [-1, 1]."""
    angle = math.acos(max(-1.0, min(1.0, cosine)))
    ends = np.array([[1.0, 0.0], [math.cos(angle), math.sin(angle)]])
    points = np.vstack([[0.0, 0.0], ends])
    corners = np.array([[min(0.0, cosine) - 0.2, -0.16], [1.2, max(0.5, math.sin(angle)) + 0.12]])
    x, y = equal_axes(corners, margin=4)
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
    line = alt.Chart(data_of(arc)).mark_line(color=GREY, strokeWidth=2).encode(x=x, y=y, order="order:Q")
    color = alt.Color("row:N", scale=alt.Scale(domain=["0", "1"], range=list(TOKEN_HUES[:2])), legend=None)
    names = alt.Chart(data_of(labels)).mark_text(fontSize=15, fontWeight="bold", limit=220)
    number = alt.Chart(data_of(degrees)).mark_text(fontSize=14, color=GREY)
    layers = [
        line,
        *arrow_layers(points, [Arrow(0, 1)], x, y, TOKEN_HUES[0]),
        *arrow_layers(points, [Arrow(0, 2)], x, y, TOKEN_HUES[1]),
        names.encode(x=x, y=y, text="word:N", color=color),
        number.encode(x=x, y=y, text="word:N"),
    ]
    return alt.LayerChart(layer=layers).properties(height=260)


def axis_title(projection: Projection, axis: int) -> str:
    """Return what an axis is called: PCA axes say how much of the variance they hold."""
    ratio = projection.explained_variance_ratio
    if ratio is None:
        return "t-SNE has no axes: only closeness has a meaning" if axis == 0 else ""
    return f"PC {axis + 1}, {percent(float(ratio[axis]))} of the variance"


def _label_columns(
    points: np.ndarray,
    texts: Sequence[str],
    order: Sequence[int],
    arrows: Sequence[Arrow],
    font: float,
    size: tuple[float, float],
    suffix: str,
) -> dict[str, list[Any]]:
    """Return columns with each label and its place in a picture of `size`; the rows choose in `order`.

    In a crowd no place is free of points, so labels keep off each other and the labelled points only.
    """
    pixels = pixels_of(points, *size)
    lines = [(pixels[arrow.start], pixels[arrow.end]) for arrow in arrows]
    if len(points) > CROWD:
        order = [row for row in order if texts[row]]
    placed = place_labels(pixels[order], [texts[row] for row in order], lines, font=font, size=size)
    at = dict(zip(order, placed, strict=True))
    found = [at.get(row) for row in range(len(points))]
    places = [place or Place(0, 0, "left") for place in found]
    return {
        f"label{suffix}": [text if place else "" for text, place in zip(texts, found, strict=True)],
        f"dx{suffix}": [place.dx for place in places],
        f"dy{suffix}": [place.dy for place in places],
        f"align{suffix}": [place.align for place in places],
    }


def _texts(base: alt.Chart, font: float) -> alt.Chart:
    """Return the labels, where they have room in a wide picture or in a narrow one."""
    narrow = f"width < {(WIDTH + NARROW) // 2}"
    place: dict[str, Any] = {
        name: alt.expr(f"{narrow} ? datum.{name}2 : datum.{name}") for name in ("dx", "dy", "align")
    }
    text = alt.expr(f"{narrow} ? datum.label2 : datum.label")
    labels: alt.Chart = base.mark_text(fontSize=font, fontWeight="bold", baseline="middle", text=text, **place)
    return labels


def _group_encodings(names: Sequence[str]) -> tuple[alt.Color, alt.Shape]:
    hues = [TOKEN_HUES[i % len(TOKEN_HUES)] for i in range(len(names))]
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
    legend = None
    if len(names) > 1:
        columns = alt.expr(f"width < {(WIDTH + NARROW) // 2} ? {_legend_columns(NARROW)} : {_legend_columns(WIDTH)}")
        legend = alt.Legend(
            title=None,
            orient="top",
            labelFontSize=FONT,
            symbolSize=90,
            columns=columns,
            labelLimit=140,
            symbolOpacity=1,
            offset=4,
        )
    return (
        alt.Color("hue:N", scale=alt.Scale(domain=list(names), range=hues), legend=legend),
        alt.Shape("hue:N", scale=alt.Scale(domain=list(names), range=shapes), legend=legend),
    )


def _legend_columns(width: float) -> int:
    return 5 if width == WIDTH else 2


def _legend_height(names: Sequence[str], width: float) -> float:
    return 12 + 22 * math.ceil(len(names) / _legend_columns(width)) if len(names) > 1 else 0


def _link_layer(points: np.ndarray, words: Sequence[str], links: Sequence[Link], x: alt.X, y: alt.Y) -> alt.Chart:
    start, end = [link.start for link in links], [link.end for link in links]
    table = pd.DataFrame(
        {
            "x": points[start, 0],
            "y": points[start, 1],
            "x2": points[end, 0],
            "y2": points[end, 1],
            "words": [f"{words[link.start]} – {words[link.end]}" for link in links],
            "cosine": [decimals(link.cosine) for link in links],
        }
    )
    tooltip = [alt.Tooltip("words:N"), alt.Tooltip("cosine:N")]
    lines: alt.Chart = (
        alt.Chart(table)
        .mark_rule(color=GREY, strokeWidth=1.5, opacity=0.55 if len(links) <= CROWD else 0.25)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q", tooltip=tooltip)
    )
    return lines


def _rings(points: np.ndarray, chosen: Collection[int], x: alt.X, y: alt.Y) -> alt.Chart:
    rows = sorted(chosen)
    table = pd.DataFrame({"x": points[rows, 0], "y": points[rows, 1]})
    rings: alt.Chart = alt.Chart(table).mark_point(size=230, strokeWidth=2.5, color=CHOSEN, opacity=1).encode(x=x, y=y)
    return rings
