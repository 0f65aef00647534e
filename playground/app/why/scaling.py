"""Why divide by √d_k?"""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.attention.experiments.scaling import Scaling, scaling
from playground.export.experiments import scaling_code
from playground.plots.colors import TOKEN_HUES
from playground.plots.lines import lines
from playground.plots.numbers import decimals

NAME = "÷ √d_k"
TITLE = "Why divide by √d_k?"
PROMISE = "Random queries and keys of growing width d_k: what softmax makes of their dot products, with and without."
WIDEST = [64, 128, 256, 512, 1024]
WITH, WITHOUT = "÷ √d_k", "as they are"

WHY = """
**A dot product is a sum of d_k products.** With numbers of variance 1 each product has variance 1, so the sum has
variance d_k. Its standard deviation is √d_k: that is what is divided out.

**Widely spread scores make softmax a hard choice.** It raises e to each score, so a lead of 10 is a factor of
22,026. One word takes almost everything.

**A hard choice teaches nothing.** When one weight is nearly 1, small changes of the scores change no weight. The
gradient that would correct them is nearly 0.

**The limits.** The numbers here are random, as in an untrained layer. Training can make scores as large as it likes.
The typical (median) row is shown: a few rows with two close scores keep a large gradient. Dividing also divides the
gradient on its way back to the query by √d_k, which the length of the keys, about √d_k, makes up for.
"""


@st.cache_data(max_entries=50, show_spinner=False)
def _run(widest: int, keys: int, seed: int) -> Scaling:
    widths = [2**power for power in range(int(np.log2(widest)) + 1)]
    return scaling(widths, keys, trials=200, seed=seed)


def show() -> None:
    one, two, three = st.columns(3)
    widest = one.select_slider("Largest d_k", WIDEST, 512, key="why_width", bind="query-params")
    keys = two.number_input("Words to look at", 2, 64, 16, key="why_keys", bind="query-params")
    seed = three.number_input("Seed", 0, 9999, 0, key="why_seed", bind="query-params")
    run = _run(widest, int(keys), int(seed))
    plain, scaled = run.plain, run.scaled
    root = decimals(float(np.sqrt(widest)), 1)
    said = (
        f"At d_k = {widest} the scores spread by {plain.spread[-1]:.1f}, and one of {keys} words gets "
        f"{decimals(float(plain.largest[-1]), 2)} of the weight. Divided by √{widest} = {root}, it gets "
        f"{decimals(float(scaled.largest[-1]), 2)}."
    )
    ratio = float(scaled.gradient[-1] / plain.gradient[-1]) if plain.gradient[-1] > 0 else np.inf
    frame.answer(said, _gradient_said(widest, ratio))
    pictures = (
        ("Spread of the scores", "standard deviation", plain.spread, scaled.spread),
        ("Largest weight of a row", "weight", plain.largest, scaled.largest),
        ("Gradient through softmax", "size", plain.gradient, scaled.gradient),
    )
    for column, (title, unit, without, divided) in zip(st.columns(3), pictures, strict=True):
        with column:
            st.markdown(f"**{title}**")
            frame.chart(
                lines(
                    run.widths,
                    {WITHOUT: without.tolist(), WITH: divided.tolist()},
                    "d_k",
                    unit,
                    log_x=True,
                    hues=(TOKEN_HUES[1], TOKEN_HUES[0]),
                    points=True,
                    height=230,
                ),
                f"{title} against d_k, with and without the division. {said}",
            )
    columns = {
        "d_k": list(run.widths),
        "√d_k": [float(np.sqrt(width)) for width in run.widths],
        "spread": plain.spread.tolist(),
        "spread ÷ √d_k": scaled.spread.tolist(),
        "largest weight": plain.largest.tolist(),
        "largest weight ÷ √d_k": scaled.largest.tolist(),
        "gradient": plain.gradient.tolist(),
        "gradient ÷ √d_k": scaled.gradient.tolist(),
    }
    st.markdown("**The numbers**: the spread follows √d_k, and divided it stays at 1")
    frame.table({name: columns[name] for name in list(columns)[:4]}, said)
    frame.explanations(formula=_formula, python=scaling_code(widest, int(keys), int(seed)), picture=columns, why=WHY)
    frame.try_next(
        "scaling",
        [
            Preset("only two words to look at", {"why_keys": 2}),
            Preset("d_k up to 1,024", {"why_width": 1024}),
            Preset("other random numbers", {"why_seed": int(seed) + 1}),
            Preset("where it hardly matters: d_k up to 64, 64 words", {"why_width": 64, "why_keys": 64}),
        ],
    )
    frame.footer({"why": NAME, "why_width": widest, "why_keys": keys, "why_seed": seed})


def _gradient_said(widest: int, ratio: float) -> str:
    if not np.isfinite(ratio):
        return f"The gradient through softmax at d_k = {widest} is 0 without the division."
    return f"The gradient through softmax is {ratio:,.1f} times as large with the division (the typical row)."


def _formula() -> None:
    st.latex(r"\operatorname{Var}(q \cdot k) = \sum_{i=1}^{d_k} \operatorname{Var}(q_i k_i) = d_k")
    st.latex(r"w = \mathrm{softmax}(s), \qquad \frac{\partial w_i}{\partial s_j} = w_i\,(\delta_{ij} - w_j)")
    st.write(
        "q and k are a query and a key, d_k numbers each, drawn at random with mean 0 and variance 1. s are the scores "
        "of one query, w its weights; δ is 1 where i = j and 0 elsewhere. The size of the gradient is the root of the "
        "sum of its squared entries. Vaswani et al. 2017, section 3.2.1 and footnote 4."
    )
