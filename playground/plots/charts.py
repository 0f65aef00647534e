"""Numbers → flat pictures: bars, heatmaps, strips of numbers.

A token's place is the axis value and its text only a label, so a repeated word keeps its own row, and a
word such as "2024" or "$x$" is shown as it is.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from playground.plots.colors import DARK_INK, LIGHT_INK, SIGNED_SCALE, TOKEN_HUES, WEIGHT_SCALE
from playground.plots.numbers import cell, decimals

TALLEST = 400  # pixels of cells: with title, inputs and answer, a picture fits a screen 800 pixels high
FONT = 13
LEGEND = 80  # pixels of height that a legend below takes
LABEL_LIMIT = 130  # pixels of one word on an axis
CELL = "cell"  # the name of the selection of a clickable picture
MOST_NUMBERED = 20  # columns beyond which a number no longer fits its cell

Kind = Literal["weights", "signed"]


def bars(
    words: Sequence[str],
    values: Sequence[float],
    title: str,
    *,
    hue: str = TOKEN_HUES[0],
    strong: Sequence[bool] | None = None,
) -> alt.LayerChart:
    """Return horizontal bars of `values`, one per word, the number at the end of its bar.

    Where `strong` is given, the other bars are pale.
    """
    rows = [
        {
            "row": i,
            "word": word,
            "value": float(value),
            "text": decimals(float(value)),
            "strong": strong is None or bool(strong[i]),
        }
        for i, (word, value) in enumerate(zip(words, values, strict=True))
    ]
    low = min(0.0, *values, 0.0)
    high = max(0.0, *values, 0.0)
    room = 0.09 * (high - low)
    base = alt.Chart(data_of(rows)).encode(
        y=alt.Y("row:O", title=None, axis=_word_axis(words)),
        x=alt.X(
            "value:Q",
            title=title,
            scale=alt.Scale(domain=[low - room if low < 0 else 0, high + room], nice=False),
            axis=alt.Axis(tickCount=5, grid=False),
        ),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("value:Q", title=title, format=".4f")],
    )
    numbers = base.mark_text(
        align=alt.expr("datum.value < 0 ? 'right' : 'left'"),
        dx=alt.expr("datum.value < 0 ? -5 : 5"),
        fontSize=FONT,
        fontWeight="bold",
        color=hue,
    ).encode(text="text:N")
    opacity = alt.OpacityValue(0.4, condition={"test": "datum.strong", "value": 1.0})
    layers = [base.mark_bar(color=hue, cornerRadiusEnd=2).encode(opacity=opacity), numbers]
    return alt.LayerChart(layer=layers).properties(height=_height(len(words), 26) + 56)


def heatmap(
    matrix: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    kind: Kind,
    *,
    chosen: int | None = None,
    value_name: str = "weight",
    colored: bool | Literal["rows"] = True,
    extent: float | None = None,
    legend: bool = True,
    clickable: bool = False,
    marked: tuple[int, int] | None = None,
    faded: Sequence[bool] | None = None,
    most_numbered: int = MOST_NUMBERED,
) -> alt.LayerChart:
    """Return `matrix (n, m)` as cells with their numbers: queries down, keys across.

    "weights" are drawn on a fixed scale from 0 to 1, "signed" values on one that is symmetric about 0 and
    reaches to `extent`. The row `chosen` is outlined and the others dimmed; the cell `marked` (row, column)
    has a frame; `faded` rows are pale. `colored` gives each token's label its own hue. More columns than
    `most_numbered` leave the numbers to the tooltips. With `clickable`, a click selects a cell
    under the name CELL, by its "row" and "column".
    """
    n, m = matrix.shape
    extent = 1.0 if kind == "weights" else extent or _extent(matrix)
    cells = _cells(matrix).assign(
        **{
            "text": [cell(float(value)) for value in matrix.ravel()],
            "from": [word for word in rows for _ in range(m)],
            "to": list(columns) * n,
            "faint": [bool(faded and faded[i]) for i in range(n) for _ in range(m)],
        }
    )
    base = alt.Chart(cells).encode(
        x=alt.X("column:O", title=None, axis=_word_axis(columns, orient="top", colored=colored is True)),
        y=alt.Y("row:O", title=None, axis=_word_axis(rows, colored=bool(colored))),
        tooltip=[
            alt.Tooltip("from:N", title="row"),
            alt.Tooltip("to:N", title="column"),
            alt.Tooltip("value:Q", title=value_name, format=".4f"),
        ],
    )
    # channels by name, not alt.value() or alt.condition(): Altair looks those up in its whole schema, 10 ms each
    faint: list[Any] = [{"test": "datum.faint", "value": 0.2}]
    dimmed = alt.OpacityValue(1.0, condition=faint)
    if chosen is not None:
        dimmed = alt.OpacityValue(0.8, condition=[*faint, {"test": f"datum.row == {chosen}", "value": 1.0}])
    squares = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=_color(kind, extent, value_name, legend), opacity=dimmed
    )
    layers: list[Any] = [squares.add_params(_click()) if clickable else squares]
    if m <= most_numbered:
        # where white is easier to read than black; a dimmed cell is lighter
        bounds = (0.66, 0.8) if kind == "weights" else (0.7, 0.82)
        own, dim = (bound * extent for bound in bounds)
        dark_cell = f"abs(datum.value) > {own}"
        if chosen is not None:
            dark_cell = f"abs(datum.value) > (datum.row == {chosen} ? {own} : {dim})"
        layers.append(
            base.mark_text(fontSize=FONT if m <= 12 else 11).encode(
                text="text:N",
                color=alt.ColorValue(
                    DARK_INK,
                    condition=[
                        {"test": "datum.faint", "value": "#7d8793"},
                        {"test": dark_cell, "value": LIGHT_INK},
                    ],
                ),
            )
        )
    if chosen is not None:
        outline = alt.Chart(data_of([{"row": chosen}])).mark_rect(
            fill=None, stroke="#d55e00", strokeWidth=3, x=0, x2="width"
        )
        layers.append(outline.encode(y="row:O"))
    if marked is not None:
        layers.append(_frame(marked))
    decorations = 36 + (LEGEND if kind == "signed" and legend else 0)
    return alt.LayerChart(layer=layers).properties(height=_height(n, 36) + decorations)


def strips(
    matrix: np.ndarray,
    rows: Sequence[str],
    *,
    extent: float | None = None,
    value_name: str = "value",
    colored: bool = True,
    legend: bool = True,
    tallest: int = TALLEST,
    clickable: bool = False,
    marked: tuple[int, int] | None = None,
) -> alt.Chart | alt.LayerChart:
    """Return `matrix (n, d)` as one strip of d coloured numbers per row, diverging around 0.

    `extent` is the value of the strongest colour; give one to matrices that are to be compared. `clickable`
    and `marked` as in `heatmap`.
    """
    n, d = matrix.shape
    cells = _cells(matrix).assign(word=[word for word in rows for _ in range(d)])
    step = max(1, round(d / 10))
    columns = alt.Axis(
        values=[0, *range(step - 1 if step > 1 else 1, d, step)],
        labelExpr="datum.value + 1",
        labelAngle=0,
        labelOverlap=True,
        ticks=False,
        labelFontSize=12,
        domain=False,
    )
    words = _word_axis(rows, colored=colored)
    color = _color("signed", extent or _extent(matrix), value_name, legend)
    chart: alt.Chart = (
        alt.Chart(cells)
        .mark_rect()
        .encode(
            x=alt.X("column:O", title=None, axis=columns, scale=alt.Scale(paddingInner=0)),
            y=alt.Y("row:O", title=None, axis=words, scale=alt.Scale(paddingInner=0.12)),
            color=color,
            tooltip=[
                alt.Tooltip("word:N"),
                alt.Tooltip("dimension:O"),
                alt.Tooltip("value:Q", title=value_name, format=".4f"),
            ],
        )
    )
    if clickable:
        chart = chart.add_params(_click())
    height = min(_height(n, 26), tallest) + 36 + (LEGEND if legend else 0)
    if marked is None:
        return chart.properties(height=height)
    return alt.LayerChart(layer=[chart, _frame(marked)]).properties(height=height)


def _cells(matrix: np.ndarray) -> pd.DataFrame:
    """Return a row a cell: its row, its column and dimension (the column counted from 1), its value."""
    n, m = matrix.shape
    column = np.tile(np.arange(m), n)
    value = np.where(np.isfinite(matrix), matrix, np.nan).ravel().astype(float)
    return pd.DataFrame({"row": np.repeat(np.arange(n), m), "column": column, "dimension": column + 1, "value": value})


def _click() -> alt.Parameter:
    return alt.selection_point(name=CELL, fields=["row", "column"], toggle=False, clear=False)


def _frame(place: tuple[int, int]) -> alt.Chart:
    """Return the frame of one cell: dark in light, so that it shows on any colour."""
    framed: alt.Chart = (
        alt.Chart(data_of([{"row": place[0], "column": place[1]}]))
        .mark_rect(fill=None, stroke="#d55e00", strokeWidth=3, cornerRadius=2)
        .encode(x="column:O", y="row:O")
    )
    return framed


def _color(kind: Kind, extent: float, title: str, with_legend: bool = True) -> alt.Color:
    colors = WEIGHT_SCALE if kind == "weights" else SIGNED_SCALE
    low = 0.0 if kind == "weights" else -extent
    domain = [low + (extent - low) * i / (len(colors) - 1) for i in range(len(colors))]
    legend = None
    if kind == "signed" and with_legend:
        legend = alt.Legend(
            title=title,
            orient="bottom",
            direction="horizontal",
            gradientLength=200,
            gradientThickness=8,
            values=[-extent, 0, extent],
            format=".2~f",
            offset=4,
        )
    # straight lines in RGB: the theme's own way round the colour circle puts green between white and blue
    scale = alt.Scale(domain=domain, range=list(colors), interpolate="rgb", clamp=True)
    return alt.Color("value:Q", scale=scale, legend=legend)


def _word_axis(words: Sequence[str], orient: str | None = None, colored: bool = False) -> alt.Axis:
    """Return an axis whose values are places and whose labels are words."""
    options: dict[str, Any] = {
        # JSON strings are literals of Vega's expressions too, so no word can end the literal
        "labelExpr": f"{json.dumps(list(words))}[datum.value]",
        "labelLimit": LABEL_LIMIT,
        "labelFontSize": FONT,
        "labelOverlap": False if len(words) <= 64 else "greedy",
        "labelFlush": False,
        "ticks": False,
        "domain": False,
        "grid": False,
        "labelPadding": 6,
    }
    if orient is not None:
        options["orient"] = orient
        options["labelAngle"] = 0 if sum(map(len, words)) + 2 * len(words) < 60 else -40
    if colored:
        options["labelFontWeight"] = "bold"
        options["labelColor"] = {
            "condition": [
                {"test": f"datum.value % {len(TOKEN_HUES)} == {i}", "value": hue} for i, hue in enumerate(TOKEN_HUES)
            ],
            "value": TOKEN_HUES[0],
        }
    return alt.Axis(**options)


def data_of(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the rows as a table: Altair would check each value of a list against its schema, for seconds."""
    return pd.DataFrame(rows)


def _extent(matrix: np.ndarray) -> float:
    finite = np.abs(matrix[np.isfinite(matrix)])
    return float(finite.max()) if finite.size and finite.max() > 0 else 1.0


def _height(rows: int, step: int) -> int:
    return min(TALLEST, max(1, rows) * step)
