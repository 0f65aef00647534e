"""Words along one or two directions of meaning."""

import altair as alt
import numpy as np

from playground.plots.charts import data_of
from playground.plots.colors import TOKEN_HUES
from playground.plots.labels import place_labels
from playground.plots.maps import FONT, HEIGHT, WIDTH
from playground.plots.plane import MARGIN
from playground.words.axes import Axis, Placement

ROW = 22  # pixels a word takes in the picture of one axis


def axis_lane(placement: Placement) -> alt.LayerChart:
    """Return the words of one axis, one a row, sorted from its low to its high end."""
    order = np.argsort(-placement.points[:, 0], kind="stable")
    rows = [
        {"row": row, "word": placement.words[i], "place": float(placement.points[i, 0]), "start": 0.0}
        for row, i in enumerate(order)
    ]
    extent = _extent(placement.points[:, 0])
    x = alt.X("place:Q", title=_title(placement.axes[0]), scale=_scale(extent), axis=_axis())
    base = alt.Chart(data_of(rows)).encode(
        y=alt.Y("row:O", axis=None),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("place:Q", title="cosine with the axis", format=".4f")],
    )
    zero = alt.Chart(data_of([{"x": 0.0}])).mark_rule(color="#7d8793").encode(x="x:Q")
    layers = [
        zero,
        base.mark_rule(color=TOKEN_HUES[0], strokeWidth=3, opacity=0.35).encode(x=x, x2="start:Q"),
        base.mark_circle(color=TOKEN_HUES[0], size=110, opacity=1).encode(x=x),
        base.mark_text(
            color=TOKEN_HUES[0],
            fontSize=FONT,
            fontWeight="bold",
            align=alt.expr("datum.place < 0 ? 'right' : 'left'"),
            dx=alt.expr("datum.place < 0 ? -10 : 10"),
        ).encode(x=x, text="word:N"),
    ]
    return alt.LayerChart(layer=layers).properties(height=max(120, min(HEIGHT, ROW * len(rows))) + 50)


def axis_plane(placement: Placement) -> alt.LayerChart:
    """Return the words in the plane of two axes; labels are kept apart, the rest have tooltips."""
    points = placement.points
    extents = np.array([_extent(points[:, 0]), _extent(points[:, 1])])
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN]) / 2
    pixels = points / extents * room * np.array([1, -1]) + room
    places = place_labels(pixels, placement.words)
    rows = [
        {
            "word": word,
            "x": float(points[i, 0]),
            "y": float(points[i, 1]),
            "label": word if spot is not None and len(word) <= 40 else "",
            "dx": spot.dx if spot else 0,
            "dy": spot.dy if spot else 0,
            "align": spot.align if spot else "left",
        }
        for i, (word, spot) in enumerate(zip(placement.words, places, strict=True))
    ]
    first, second = placement.axes
    x = alt.X("x:Q", title=_title(first), scale=_scale(extents[0]), axis=_axis())
    y = alt.Y("y:Q", title=_title(second), scale=_scale(extents[1]), axis=_axis())
    base = alt.Chart(data_of(rows)).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("word:N"),
            alt.Tooltip("x:Q", title="cosine with the first axis", format=".4f"),
            alt.Tooltip("y:Q", title="cosine with the second axis", format=".4f"),
        ],
    )
    zero = data_of([{"zero": 0.0}])
    layers = [
        alt.Chart(zero).mark_rule(color="#7d8793").encode(x="zero:Q"),
        alt.Chart(zero).mark_rule(color="#7d8793").encode(y="zero:Q"),
        base.mark_circle(color=TOKEN_HUES[0], size=90, opacity=1),
        base.mark_text(
            color=TOKEN_HUES[0],
            fontSize=FONT,
            fontWeight="bold",
            baseline="middle",
            dx=alt.expr("datum.dx"),
            dy=alt.expr("datum.dy"),
            align=alt.expr("datum.align"),
        ).encode(text="label:N"),
    ]
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)


def _scale(extent: float) -> alt.Scale:
    return alt.Scale(domain=[-extent, extent], nice=False)


def _axis() -> alt.Axis:
    return alt.Axis(grid=False, tickCount=5, titleFontSize=FONT, labelFontSize=12)


def _title(axis: Axis) -> str:
    return f"← {axis.low}  ·  {axis.high} →"


def _extent(points: np.ndarray) -> float:
    """Return the end of an axis that is symmetric about 0, with room for a word beyond the last point."""
    return 1.45 * max(float(np.abs(points).max()), 0.05)
