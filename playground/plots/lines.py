"""Curves with their names at their ends, bars side by side, points on a curve."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from unicodedata import east_asian_width

import altair as alt
import numpy as np

from playground.plots.charts import FONT, data_of
from playground.plots.colors import TOKEN_HUES
from playground.plots.labels import LETTER, LINE, WIDE_LETTER
from playground.plots.numbers import decimals

GREY = "#7d8793"  # legible on the light and on the dark page


def lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    x_title: str,
    y_title: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    y_domain: tuple[float, float] | None = None,
    marked: float | None = None,
    dashed: Sequence[str] = (),
    hues: Sequence[str] = TOKEN_HUES,
    points: bool = False,
    height: int = 300,
) -> alt.LayerChart:
    """Return one curve for each of `series`: its name, which stands at its end, and a value for each of `x`.

    A value that is not finite leaves a gap. `marked` draws a thin upright line at that x; the curves named in
    `dashed` are dashed.
    """
    names = list(series)
    rows: list[dict[str, Any]] = [
        {"x": float(at), "y": float(y), "name": str(index), "label": name}
        for index, (name, values) in enumerate(series.items())
        for at, y in zip(x, values, strict=True)
        if np.isfinite(y) and (y > 0 or not log_y)
    ]
    low, high = y_domain or _domain([row["y"] for row in rows], log_y)
    room = max((_width(name) for name in names), default=0) + 12
    x_scale: dict[str, Any] = {
        "type": "log" if log_x else "linear",
        "domain": [float(min(x)), float(max(x))],
        "nice": False,
        "rangeMax": alt.ExprRef(f"max(width - {room}, width * 0.45)"),
        "rangeMin": 0,
    }
    y_scale = alt.Scale(type="log" if log_y else "linear", domain=[low, high], nice=False)
    x_axis = alt.Axis(grid=False, labelFontSize=12, titleFontSize=FONT, tickCount=6, labelOverlap=True)
    y_axis = alt.Axis(grid=False, labelFontSize=12, titleFontSize=FONT, tickCount=5, labelOverlap=True)
    if log_y:
        y_axis = alt.Axis(grid=False, labelFontSize=12, titleFontSize=FONT, format="~g", values=_powers(low, high))
    if log_x:
        x_axis = alt.Axis(
            grid=False, labelFontSize=12, titleFontSize=FONT, format="~g", values=list(map(float, _few(x)))
        )
    to_x = alt.X("x:Q", scale=alt.Scale(**x_scale), title=x_title, axis=x_axis)
    to_y = alt.Y("y:Q", scale=y_scale, title=y_title, axis=y_axis)
    keys = [str(i) for i in range(len(names))]
    color = alt.Color(
        "name:N", scale=alt.Scale(domain=keys, range=[hues[i % len(hues)] for i in range(len(names))]), legend=None
    )
    dashes = [[5, 4] if name in dashed else [1, 0] for name in names]
    dash = alt.StrokeDash("name:N", scale=alt.Scale(domain=keys, range=dashes), legend=None)
    base = alt.Chart(data_of(rows)).encode(x=to_x, y=to_y, color=color)
    tooltip = [
        alt.Tooltip("label:N", title=" "),
        alt.Tooltip("x:Q", title=x_title, format=".4~g"),
        alt.Tooltip("y:Q", title=y_title, format=".4~g"),
    ]
    layers: list[Any] = [base.mark_line(strokeWidth=2.5).encode(strokeDash=dash)]
    if points:
        layers.append(base.mark_circle(size=45, opacity=1))
    layers.append(base.mark_circle(size=300, opacity=0).encode(tooltip=tooltip))
    layers.append(_names_at_ends(rows, names, (low, high), log_y, height, to_x, to_y, color))
    if marked is not None:
        rule = alt.Chart(data_of([{"x": float(marked)}])).mark_rule(color=GREY, strokeDash=[2, 3], strokeWidth=1.5)
        layers.insert(0, rule.encode(x=to_x))
    return alt.LayerChart(layer=layers).properties(height=height)


def paired_bars(
    words: Sequence[str],
    series: Mapping[str, Sequence[float]],
    title: str,
    *,
    hues: Sequence[str] = TOKEN_HUES,
    highest: float | None = None,
    step: int = 22,
) -> alt.LayerChart:
    """Return a group of horizontal bars for each word, one bar for each of `series`, numbers at their ends.

    All values are 0 or more; a legend above names the series, which are ours and never typed.
    """
    names = list(series)
    places = {(i, s): i * (len(names) + 0.7) + s for i in range(len(words)) for s in range(len(names))}
    rows: list[dict[str, Any]] = [
        {
            "top": place + 0.06,
            "bottom": place + 0.94,
            "middle": place + 0.5,
            "zero": 0.0,
            "value": float(series[names[s]][i]),
            "text": _number(float(series[names[s]][i])),
            "word": words[i],
            "label": names[s],
        }
        for (i, s), place in places.items()
    ]
    total = len(words) * (len(names) + 0.7) - 0.7
    top = highest or max((row["value"] for row in rows), default=1.0) or 1.0
    room = 60  # pixels of a number after the longest bar
    y_scale = alt.Scale(domain=[0, total], reverse=True, nice=False)
    x_scale = alt.Scale(
        domain=[0, top], nice=False, rangeMin=0, rangeMax=alt.ExprRef(f"max(width - {room}, width * 0.4)")
    )
    centers = [i * (len(names) + 0.7) + len(names) / 2 for i in range(len(words))]
    axis = alt.Axis(labels=False, ticks=False, domain=True, grid=False)
    to_x = alt.X(
        "zero:Q",
        scale=x_scale,
        title=title,
        axis=alt.Axis(grid=False, tickCount=5, titleFontSize=FONT, labelFontSize=12),
    )
    to_end = alt.X("value:Q", scale=x_scale, title=title)
    legend = alt.Legend(title=None, orient="top", labelFontSize=FONT, symbolType="square", symbolSize=120, columns=1)
    color = alt.Color("label:N", scale=alt.Scale(domain=names, range=list(hues[: len(names)])), legend=legend)
    tooltip = [
        alt.Tooltip("word:N"),
        alt.Tooltip("label:N", title=" "),
        alt.Tooltip("value:Q", title=title, format=".6~g"),
    ]
    base = alt.Chart(data_of(rows)).encode(color=color, tooltip=tooltip)
    bars = base.mark_rect(cornerRadius=2).encode(
        x=to_x, x2="value:Q", y=alt.Y("top:Q", scale=y_scale, title=None, axis=axis), y2="bottom:Q"
    )
    numbers = base.mark_text(align="left", baseline="middle", dx=5, fontSize=FONT, fontWeight="bold").encode(
        x=to_end, y=alt.Y("middle:Q", scale=y_scale, title=None, axis=axis), text="text:N"
    )
    labels = (
        alt.Chart(data_of([{"middle": at, "word": word} for at, word in zip(centers, words, strict=True)]))
        .mark_text(align="right", baseline="middle", x=-8, fontSize=FONT, limit=120, color=GREY, fontWeight="bold")
        .encode(y=alt.Y("middle:Q", scale=y_scale, title=None, axis=axis), text="word:N")
    )
    return alt.LayerChart(layer=[bars, numbers, labels]).properties(height=round(total * step) + 100)


def points_on_curve(
    x: np.ndarray, y: np.ndarray, curve: np.ndarray, x_title: str, y_title: str, curve_name: str, height: int = 330
) -> alt.LayerChart:
    """Return points `(x, y)` as small rings over a curve that has the value `curve[k]` at x = k."""
    point_rows = [{"x": float(a), "y": float(b)} for a, b in zip(x, y, strict=True)]
    curve_rows = [{"x": float(k), "y": float(value)} for k, value in enumerate(curve)]
    low, high = _domain([row["y"] for row in [*point_rows, *curve_rows]], False)
    to_x = alt.X(
        "x:Q",
        title=x_title,
        scale=alt.Scale(domain=[0, max(1, len(curve) - 1)], nice=False),
        axis=alt.Axis(grid=False, titleFontSize=FONT, labelFontSize=12, format="d", tickMinStep=1),
    )
    to_y = alt.Y(
        "y:Q",
        title=y_title,
        scale=alt.Scale(domain=[low, high], nice=False),
        axis=alt.Axis(grid=False, titleFontSize=FONT, labelFontSize=12, tickCount=6),
    )
    tooltip = [alt.Tooltip("x:Q", title=x_title), alt.Tooltip("y:Q", title=y_title, format=".6f")]
    line = alt.Chart(data_of(curve_rows)).mark_line(color=TOKEN_HUES[1], strokeWidth=2).encode(x=to_x, y=to_y)
    rings = (
        alt.Chart(data_of(point_rows))
        .mark_point(size=34, color=TOKEN_HUES[0], opacity=0.55)
        .encode(x=to_x, y=to_y, tooltip=tooltip)
    )
    name = (
        alt.Chart(data_of([{"text": curve_name}]))
        .mark_text(align="right", fontSize=FONT, fontWeight="bold", color=TOKEN_HUES[1], y=12)
        .encode(text="text:N", x=alt.value(alt.ExprRef("width - 8")))
    )
    return alt.LayerChart(layer=[line, rings, name]).properties(height=height)


def _names_at_ends(
    rows: list[dict[str, Any]],
    names: Sequence[str],
    domain: tuple[float, float],
    log_y: bool,
    height: int,
    to_x: alt.X,
    to_y: alt.Y,
    color: alt.Color,
) -> alt.Chart:
    """Return each curve's name beside its last point, the names pushed apart where they would overlap."""
    ends = []
    for index in range(len(names)):
        own = [row for row in rows if row["name"] == str(index)]
        if own:
            ends.append(max(own, key=lambda row: row["x"]))
    low, high = np.log(domain) if log_y else domain
    heights = [(np.log(row["y"]) if log_y else row["y"]) for row in ends]
    pixels = [height * (1 - (value - low) / (high - low or 1)) for value in heights]
    shown = []
    for row, pixel, wanted in zip(ends, pixels, _apart(pixels, height), strict=True):
        shown.append({**row, "dy": wanted - pixel})
    mark: alt.Chart = alt.Chart(data_of(shown)).mark_text(
        align="left", baseline="middle", dx=8, dy=alt.expr("datum.dy"), fontSize=FONT, fontWeight="bold"
    )
    named: alt.Chart = mark.encode(x=to_x, y=to_y, color=color, text="label:N")
    return named


def _apart(pixels: Sequence[float], height: float) -> list[float]:
    """Return heights at least a line apart and inside the picture, in the order of `pixels`, as near as can be."""
    order = np.argsort(pixels, kind="stable")
    placed = np.array(pixels, dtype=float)
    for _ in range(200):
        moved = False
        for above, below in pairwise(order):
            gap = LINE - (placed[below] - placed[above])
            if gap > 0.01:
                placed[above] -= gap / 2
                placed[below] += gap / 2
                moved = True
        placed = np.clip(placed, LINE / 2, height - LINE / 4)
        if not moved:
            break
    return [float(value) for value in placed]


def _domain(values: Sequence[float], log: bool) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    if log:
        return low / 1.3, high * 1.3
    pad = 0.06 * (high - low) or 0.5
    return (0.0 if 0 <= low <= 0.3 * high else low - pad), high + pad


def _powers(low: float, high: float) -> list[float]:
    first, last = int(np.ceil(np.log10(low))), int(np.floor(np.log10(high)))
    step = max(1, (last - first) // 5)
    return [float(10.0**power) for power in range(first, last + 1, step)]


def _few(x: Sequence[float]) -> list[float]:
    """Return marks for a logarithmic axis: the values themselves if they are few, or powers of ten."""
    if len(x) <= 12:
        return list(x)[:: 1 if len(x) <= 7 else 2]
    return _powers(min(x), max(x))


def _number(value: float) -> str:
    return "0" if value == 0 else decimals(value)  # 0.000 is a small number, 0 is nothing at all


def _width(text: str) -> float:
    return sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in text)
