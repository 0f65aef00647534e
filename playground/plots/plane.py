"""The plane that points are drawn on: as many units per pixel on both axes, and arrows between the points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from playground.plots.charts import data_of

MARGIN = 46  # pixels kept free around the points, for their labels
GREY = "#7d8793"


@dataclass(frozen=True)
class Arrow:
    """A difference: from the point of row `start` to the point of row `end`."""

    start: int
    end: int
    dashed: bool = False


def equal_axes(points: np.ndarray, titles: tuple[str, str] | None = None, margin: int = MARGIN) -> tuple[alt.X, alt.Y]:
    """Return the axes for `points (n, 2)`, named by `titles` or not drawn, of one scale whatever the picture's size."""
    low, high = points.min(axis=0), points.max(axis=0)
    centre, span = (low + high) / 2, np.maximum(high - low, 1e-9)
    per_pixel = f"max({span[0]} / max(width - {2 * margin}, 80), {span[1]} / max(height - {2 * margin}, 80))"

    def scale(size: str, middle: float) -> alt.Scale:
        return alt.Scale(
            domainMin=alt.ExprRef(f"{middle} - {size} / 2 * {per_pixel}"),
            domainMax=alt.ExprRef(f"{middle} + {size} / 2 * {per_pixel}"),
            nice=False,
            zero=False,
        )

    def bare() -> alt.Axis:
        return alt.Axis(labels=False, ticks=False, grid=False, domain=True, titleFontSize=13)

    x_title, y_title = titles or ("", "")
    return (
        alt.X("x:Q", scale=scale("width", centre[0]), title=x_title, axis=bare() if titles else None),
        alt.Y("y:Q", scale=scale("height", centre[1]), title=y_title, axis=bare() if titles else None),
    )


def pixels_of(points: np.ndarray, width: float, height: float) -> np.ndarray:
    """Return where `equal_axes` puts `points (n, 2)` in a picture of that size, in pixels, y down."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    per_pixel = max(span[0] / (width - 2 * MARGIN), span[1] / (height - 2 * MARGIN))
    pixels: np.ndarray = (points - (low + high) / 2) * [1, -1] / per_pixel + [width / 2, height / 2]
    return pixels


def arrow_layers(points: np.ndarray, arrows: Sequence[Arrow], x: alt.X, y: alt.Y, hue: str = GREY) -> list[alt.Chart]:
    """Return the shafts and the heads of `arrows` between `points (n, 2)`."""
    rows = []
    for arrow in arrows:
        (x0, y0), (x1, y1) = points[arrow.start], points[arrow.end]
        if np.hypot(x1 - x0, y1 - y0) > 1e-9:
            heading = 90 - math.degrees(math.atan2(y1 - y0, x1 - x0))  # a triangle mark points up at 0°
            rows.append({"x": x0, "y": y0, "x2": x1, "y2": y1, "angle": heading, "dash": arrow.dashed})
    if not rows:
        return []
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
