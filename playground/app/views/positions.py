"""How does a word know its place? Sines and cosines, seen as a matrix, as waves, and by distance."""

import math

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.attention.positions import (
    Layout,
    Products,
    distance_products,
    pair_columns,
    sinusoidal_positions,
    wavelength,
)
from playground.export.experiments import positions_code
from playground.plots.charts import strips
from playground.plots.lines import lines, points_on_curve
from playground.plots.numbers import decimals

MATRIX, WAVES, DISTANCE = "The matrix", "One pair as waves", "Products and distance"
LAYOUTS: list[Layout] = ["interleaved", "concatenated"]
MOST_CELLS = 8_000  # more coloured cells than this take a second to draw

WHY = """
**Each place gets a pattern of its own.** A pair of columns is the hand of a clock: its sine and cosine. The first
pair turns fast, the last one hardly at all. Together they tell places apart, as hours and minutes do.

**Only the distance counts in a product.** sin a · sin b + cos a · cos b = cos(a − b). So each pair adds the cosine of
speed times distance, wherever the two places are. The sum over all pairs is one curve.

**Two layouts, one content.** The paper interleaves: sine, cosine, sine, cosine. The authors' code puts all sines first.
The columns are the same in another order, and so are all products.

**The limits.** With an odd number of columns the last sine has no cosine. Its products then depend on the places too,
and the points leave the curve. And a product of positions is not yet attention: projections come between.
"""


def show() -> None:
    frame.question(
        "How does a word know its place?",
        "Sines and cosines of many speeds are added to the words: one row of numbers for each place.",
    )
    mode = st.segmented_control(
        "Picture",
        [MATRIX, WAVES, DISTANCE],
        default=MATRIX,
        required=True,
        key="pe_view",
        bind="query-params",
        label_visibility="collapsed",
    )
    one, two, three, four = st.columns([1, 1, 1.2, 1.6], vertical_alignment="bottom")
    n = int(one.number_input("Places", 2, 100, 50, key="pe_n", bind="query-params"))
    d_model = int(two.number_input("Columns, d_model", 1, 512, 64, key="pe_d", bind="query-params"))
    base = float(three.number_input("Base", 2.0, 1e6, 10_000.0, 100.0, key="pe_base", bind="query-params", format="%g"))
    layout: Layout = four.segmented_control(
        "Layout", LAYOUTS, default=LAYOUTS[0], required=True, key="pe_layout", bind="query-params"
    )
    positions = sinusoidal_positions(n, d_model, base=base, layout=layout)
    pairs = (d_model + 1) // 2
    values = {"pe_view": mode, "pe_n": n, "pe_d": d_model, "pe_base": base, "pe_layout": layout}
    if mode == MATRIX:
        picture = _matrix(positions, base, layout)
    elif mode == WAVES:
        if not 1 <= st.session_state.get("pe_pair", 1) <= pairs:
            st.session_state["pe_pair"] = 1
        pair = int(st.number_input("Pair, number", 1, pairs, 1, key="pe_pair", bind="query-params", width=220))
        values["pe_pair"] = pair
        picture = _waves(positions, pair - 1, base, layout)
    else:
        picture = _distance(positions)
    frame.explanations(
        formula=lambda: _formula(d_model, base),
        python=positions_code(n, d_model, base, layout),
        picture=picture,
        why=WHY,
    )
    frame.try_next(
        "positions",
        [
            Preset("one pair as waves", {"pe_view": WAVES}),
            Preset("products against distance", {"pe_view": DISTANCE, "pe_d": 64}),
            Preset("all sines first", {"pe_view": MATRIX, "pe_layout": LAYOUTS[1]}),
            Preset("a base of 100", {"pe_base": 100.0}),
            Preset("one that fails: 5 columns, an odd number", {"pe_view": DISTANCE, "pe_d": 5, "pe_base": 10.0}),
        ],
    )
    frame.footer(values)


def _matrix(positions: np.ndarray, base: float, layout: Layout) -> dict[str, list[object]]:
    n, d_model = positions.shape
    fast, slow = wavelength(0, d_model, base), wavelength((d_model + 1) // 2 - 1, d_model, base)
    said = (
        f"Each of {n} places has its own row of {d_model} {'number' if d_model == 1 else 'numbers'}. "
        f"The fastest pair turns once in {fast:.2f} places"
        + (f", the slowest once in {slow:,.0f}." if slow > fast else ".")
    )
    shown = min(d_model, max(1, MOST_CELLS // n))
    frame.answer(
        said,
        f"The picture shows the first {shown} of {d_model} columns." if shown < d_model else "",
        _odd(d_model),
    )
    order = (
        "sine, cosine, sine, cosine … (the paper)"
        if layout == LAYOUTS[0]
        else "all sines, then all cosines (the authors' code)"
    )
    st.caption(f"PE: {n} places × {d_model} numbers, (n, d_model). Columns: {order}.")
    rows = [str(place) if place % max(1, math.ceil(n / 13)) == 0 else "" for place in range(n)]
    frame.chart(
        strips(positions[:, :shown], rows, extent=1.0, value_name="value", colored=False, tallest=360),
        f"The position matrix as colours, places down, columns across. {said}",
    )
    places = list(np.ndindex(n, shown))
    return {
        "place": [i for i, _ in places],
        "column": [column + 1 for _, column in places],
        "value": positions[:, :shown].ravel().tolist(),
    }


def _waves(positions: np.ndarray, pair: int, base: float, layout: Layout) -> dict[str, list[object]]:
    n, d_model = positions.shape
    columns = pair_columns(pair, d_model, layout)
    length = wavelength(pair, d_model, base)
    named = " and ".join(str(column + 1) for column in columns)
    said = (
        f"Columns {named} turn once in {length:,.2f} places: the sine and the cosine of one angle."
        if len(columns) == 2
        else f"Column {named} is a sine that turns once in {length:,.2f} places; it has no cosine."
    )
    frame.answer(said, _odd(d_model))
    series = {
        f"{name}, column {column + 1}": positions[:, column].tolist()
        for name, column in zip(("sine", "cosine"), columns, strict=False)
    }
    places = list(range(n))
    frame.chart(
        lines(places, series, "place", "value", y_domain=(-1.05, 1.05), points=n <= 60),
        f"The chosen columns against the place. {said}",
    )
    return {"place": places, **series}


def _distance(positions: np.ndarray) -> dict[str, list[object]]:
    n, d_model = positions.shape
    run: Products = distance_products(positions)
    count = len(run.distance)
    exact = run.deviation < 1e-9
    said = (
        f"All {count:,} pairs of places fall on {n} values, one a distance: PE_i·PE_j depends on i − j alone."
        if exact
        else f"The {count:,} pairs do not fall on one curve: pairs of one distance differ by up to "
        f"{decimals(run.deviation)} from their mean."
    )
    frame.answer(
        said,
        f"The largest deviation from the mean of a distance is {run.deviation:.1e}, the rounding of float64."
        if exact
        else _odd(d_model),
    )
    frame.chart(
        points_on_curve(
            run.distance, run.product, run.mean, "distance i − j", "PE_i · PE_j", "the mean of each distance"
        ),
        f"The products of all pairs of places against their distance. {said}",
    )
    st.markdown("**The numbers**: all pairs of each distance")
    table = {
        "distance": list(range(n)),
        "pairs": [n - k for k in range(n)],
        "mean product": run.mean.tolist(),
        "largest − smallest": run.spread.tolist(),
    }
    frame.table(
        {
            **table,
            "largest − smallest": [f"{value:.1e}" if value < 1e-9 else decimals(float(value)) for value in run.spread],
        },
        said,
        height=250,
    )
    return table


def _odd(d_model: int) -> str:
    return f"{d_model} columns are an odd number: the last sine has no cosine." if d_model % 2 else ""


def _formula(d_model: int, base: float) -> None:
    st.latex(
        r"PE_{i,\,2k} = \sin\!\left(\frac{i}{b^{2k/d_{\mathrm{model}}}}\right), \qquad "
        r"PE_{i,\,2k+1} = \cos\!\left(\frac{i}{b^{2k/d_{\mathrm{model}}}}\right)"
    )
    st.latex(r"PE_i \cdot PE_j = \sum_k \cos\!\left(\frac{i - j}{b^{2k/d_{\mathrm{model}}}}\right)")
    st.write(
        f"i and j are places from 0, k the number of the pair from 0, b = {base:g} the base and d_model = {d_model} "
        "the number of columns. The second line holds for an even d_model. Vaswani et al. 2017, section 3.5."
    )


show()
