"""Why W_O?"""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.state import model_name
from playground.app.why.inputs import sentence_input
from playground.attention.experiments.several_heads import Mixing, mixing
from playground.attention.multihead import MultiHeadAttention
from playground.export.experiments import mixing_code
from playground.plots.charts import strips

NAME = "W_O"
TITLE = "Why W_O after the heads?"
PROMISE = "Take one head away: which columns of the output change, with W_O and with the heads only side by side?"
DEFAULTS = {"why_mixing": "apple company invented phones", "why_mixing_zh": "苹果公司发明了手机"}

WHY = """
**Putting side by side is not mixing.** Without W_O, columns 1 to d_v of a word hear only head 1. The word's own
vector is added afterwards, column by column, so the border never falls.

**W_O lets every head write in every column.** It is one matrix of weights; each output number is a weighted sum of
all the heads' numbers.

**It also mends the width.** Heads may be of any width: W_O brings h · d_v numbers back to the d_model of a word.

**The limits.** In a Transformer the next layer also mixes all columns: its W_Q, W_K and W_V read the whole word. W_O
lets it happen within one layer. It is random here.
"""


def show() -> None:
    key, text, sentence = sentence_input("why_mixing", DEFAULTS)
    d_model = sentence.x.shape[1]
    options = [h for h in range(1, 11) if d_model % h == 0]
    one, two = st.columns(2)
    if st.session_state.get("why_mixing_heads", 1) not in options:
        st.session_state["why_mixing_heads"] = options[0]  # chosen for vectors of another width
    default = 4 if 4 in options else options[0]
    heads = one.select_slider("Heads", options, default, key="why_mixing_heads", bind="query-params")
    seed = two.number_input("Seed", 0, 9999, 0, key="why_mixing_seed", bind="query-params")
    run = mixing(MultiHeadAttention.random(d_model, int(heads), seed=int(seed)), sentence.x)
    said = _said(run)
    frame.answer(said, *sentence.notes)
    names = [f"head {h + 1}" for h in range(int(heads))]
    extent = float(max(run.without.max(), run.with_w_o.max()))
    for title, matrix in (("Without W_O: side by side", run.without), ("With W_O", run.with_w_o)):
        st.markdown(f"**{title}**, how much each column of the output changes without that head")
        last = matrix is run.with_w_o
        frame.chart(
            strips(matrix, names, extent=extent, value_name="change", legend=last, tallest=140),
            f"{title}: what each head adds to each column. {said}",
        )
    st.markdown("**The numbers**")
    frame.table(
        {
            "head": names,
            "columns reached without W_O": run.reached_without,
            "columns reached with W_O": run.reached_with,
            "mean change without": run.without.mean(axis=1).tolist(),
            "mean change with": run.with_w_o.mean(axis=1).tolist(),
        },
        said,
    )
    places = list(np.ndindex(*run.without.shape))
    frame.explanations(
        formula=lambda: _formula(int(heads), d_model),
        python=mixing_code(model_name(), sentence.tokens, int(heads), int(seed)),
        picture={
            "head": [h + 1 for h, _ in places],
            "column": [c + 1 for _, c in places],
            "without W_O": run.without.ravel().tolist(),
            "with W_O": run.with_w_o.ravel().tolist(),
        },
        why=WHY,
    )
    frame.try_next(
        "mixing",
        [
            Preset(f"{options[-1]} heads", {"why_mixing_heads": options[-1]}),
            Preset(f"{options[len(options) // 2]} heads", {"why_mixing_heads": options[len(options) // 2]}),
            Preset("one that fails: one head", {"why_mixing_heads": 1}),
        ],
    )
    frame.footer({"why": NAME, key: text, "why_mixing_heads": heads, "why_mixing_seed": seed})


def _said(run: Mixing) -> str:
    heads, d_model = run.without.shape
    if heads == 1:
        return f"One head alone reaches all {d_model} columns, with W_O and without: there is nothing to mix."
    most, least = max(run.reached_without), min(run.reached_with)
    everything = f"all {d_model}" if least == d_model else f"at least {least}"
    return f"Side by side, each of {heads} heads reaches {most} of {d_model} columns. Through W_O: {everything}."


def _formula(heads: int, d_model: int) -> None:
    st.latex(
        r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\,W_O = \sum_{i=1}^{h} \mathrm{head}_i\, W_O^{(i)}"
    )
    st.write(
        f"W_O^(i) are the rows of W_O that belong to head i: {d_model // heads} × {d_model}, so each head writes in "
        f"all {d_model} columns. Here h = {heads}; the sum is linear, so without a head just its part is missing. "
        "Vaswani et al. 2017, section 3.2.2."
    )
