"""Do the numbers of a well-known lesson add up?"""

import math

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import model_name
from playground.attention.experiments.lesson import CLAIMED, SCORES, WORDS, closest, groups, pairs, weights_at
from playground.attention.multihead import MultiHeadAttention
from playground.export.experiments import groups_code, lesson_code
from playground.plots.lines import lines, paired_bars
from playground.plots.numbers import decimals

NAME = "A lesson's numbers"
TITLE = "Can these scores give these weights?"
PROMISE = "A well-known lesson scores apple with four words, then gives weights. Does one follow from the other?"
WEIGHTS, GROUPS = "Scores and weights", "8 to 16 groups of W"

WHY_WEIGHTS = """
**Softmax fixes ratios.** Two weights relate as e to the power of the difference of their scores. So each pair of
words tells which √d_k was used. If the weights came from these scores, all pairs would say the same.

**They do not.** The six pairs ask for six different d_k. One contradiction would be enough: no d_k exists.

**The lesson is still right about the idea.** The largest score gets the largest weight, and the weights add to 1.
Only the numbers were made up.

**The limits.** This holds for plain softmax with one d_k. A mask or added numbers could produce any weights at all.
"""
WHY_GROUPS = """
**A group of W belongs to a head, not to a word.** A layer of 8 heads has 8 matrices each of W_Q, W_K and W_V. Every
word of every sentence is multiplied by the same ones.

**That is why sentences may have any length.** The matrices are learnt once. A longer sentence needs more products,
but no new weights.

**The same word gives the same row.** In two places without positions, *apple* has the same query, key and value.

**What differs from head to head** is the matrix, so each head may look for something else in the same word.
"""


def show() -> None:
    mode = st.segmented_control(
        "Which claim",
        [WEIGHTS, GROUPS],
        default=WEIGHTS,
        required=True,
        key="why_lesson",
        bind="query-params",
        label_visibility="collapsed",
    )
    if mode == WEIGHTS:
        _weights()
    else:
        _groups()


def _weights() -> None:
    d_k = st.slider("d_k", 1, 256, 64, key="why_d_k", bind="query-params")
    weights = weights_at(d_k)
    asked = pairs()
    low, high = min(asked, key=lambda pair: pair.d_k), max(asked, key=lambda pair: pair.d_k)
    best, off = closest()
    said = f"No. With d_k = {d_k} softmax gives {_listed(weights)}, not {_listed(CLAIMED, 2)}."
    frame.answer(
        said,
        f"No other d_k does: {WORDS[low.i]} and {WORDS[low.j]} ask for d_k = {low.d_k:.2f}, {WORDS[high.i]} and "
        f"{WORDS[high.j]} for {high.d_k:.1f}. The nearest, d_k = {best:.1f}, is still {off:.3f} off.",
    )
    frame.chart(
        paired_bars(
            [f"{word} {score}" for word, score in zip(WORDS, SCORES, strict=True)],
            {f"softmax, d_k = {d_k}": weights.tolist(), "the lesson": list(CLAIMED)},
            "weight",
            highest=1.0,
        ),
        f"The true weights beside those of the lesson. {said}",
    )
    st.markdown("**The proof**: √d_k = (sᵢ − sⱼ) / ln(wᵢ / wⱼ) must be one number, and is six")
    frame.table(
        {
            "pair": [f"{WORDS[pair.i]}, {WORDS[pair.j]}" for pair in asked],
            "sᵢ − sⱼ": [pair.difference for pair in asked],
            "ln(wᵢ / wⱼ)": [pair.log_ratio for pair in asked],
            "asks for √d_k": [pair.root for pair in asked],
            "asks for d_k": [pair.d_k for pair in asked],
        },
        "what each pair of words asks for",
    )
    frame.explanations(
        formula=_weights_formula,
        python=lesson_code(SCORES, CLAIMED, d_k),
        picture={"word": WORDS, "score": SCORES, "softmax": weights.tolist(), "the lesson": CLAIMED},
        why=WHY_WEIGHTS,
    )
    frame.try_next(
        "lesson",
        [
            Preset("d_k = 1", {"why_d_k": 1}),
            Preset(f"the nearest, d_k = {best:.0f}", {"why_d_k": round(best)}),
            Preset("d_k = 157, what apple and invented ask for", {"why_d_k": 157}),
            Preset("the other claim: groups of W", {"why_lesson": GROUPS}),
        ],
    )
    frame.footer({"why": NAME, "why_lesson": WEIGHTS, "why_d_k": d_k})


def _groups() -> None:
    one, two = st.columns(2)
    heads = int(one.slider("Heads", 1, 16, 8, key="why_groups_heads", bind="query-params"))
    words = int(two.slider("Words in the sentence", 1, 64, 4, key="why_groups_words", bind="query-params"))
    vectors = vectors_of(model_name())
    name = next((word for word in ("apple", "苹果") if word in vectors.key_to_index), vectors.index_to_key[0])
    layer = MultiHeadAttention.random(vectors.vector_size, heads)
    run = groups(layer, np.asarray(vectors[name]), words)
    said = (
        f"{heads} heads have {run.matrices} matrices W_Q, W_K, W_V, whatever the number of words. One group for each "
        f"of {words} words would be {run.if_per_word:,}."
    )
    same = "exactly 0" if run.same_row == 0 else f"{run.same_row:.0e}"
    frame.answer(
        said,
        f"{name} in two places has the same queries, keys and values: they differ by {same}. "
        f"The {run.matrices} matrices hold {run.numbers:,} numbers.",
    )
    lengths = list(range(1, 65))
    frame.chart(
        lines(
            lengths,
            {
                "a group for each word": [3 * heads * length for length in lengths],
                "what a layer has": [run.matrices for _ in lengths],
            },
            "words in the sentence",
            "matrices",
            marked=words,
            hues=("#c55700", "#007ec4"),
        ),
        f"Number of matrices against the number of words. {said}",
    )
    d_model, d_k, d_v = layer.d_model, layer.d_k, layer.d_v
    st.markdown("**What there is, for any sentence**")
    frame.table(
        {
            "matrix": ["W_Q", "W_K", "W_V", "W_O"],
            "how many": [f"{heads}, one a head"] * 3 + ["1 for all heads"],
            "shape": [f"{d_model} × {d_k}", f"{d_model} × {d_k}", f"{d_model} × {d_v}", f"{heads * d_v} × {d_model}"],
            "shared by": ["all words"] * 4,
        },
        "the matrices of a layer",
    )
    frame.explanations(
        formula=lambda: _groups_formula(layer),
        python=groups_code(model_name(), name, heads),
        picture={
            "words": lengths,
            "a group for each word": [3 * heads * length for length in lengths],
            "what a layer has": [run.matrices for _ in lengths],
        },
        why=WHY_GROUPS,
    )
    frame.try_next(
        "groups",
        [
            Preset("16 heads", {"why_groups_heads": 16}),
            Preset("64 words", {"why_groups_words": 64}),
            Preset("where the claim holds: one word", {"why_groups_words": 1}),
            Preset("back to the scores", {"why_lesson": WEIGHTS}),
        ],
    )
    frame.footer({"why": NAME, "why_lesson": GROUPS, "why_groups_heads": heads, "why_groups_words": words})


def _listed(weights: np.ndarray | tuple[float, ...], digits: int = 3) -> str:
    return ", ".join(decimals(float(weight), digits) for weight in weights)


def _weights_formula() -> None:
    st.latex(
        r"w_i = \frac{e^{s_i / \sqrt{d_k}}}{\sum_j e^{s_j / \sqrt{d_k}}} \quad\Rightarrow\quad "
        r"\ln\frac{w_i}{w_j} = \frac{s_i - s_j}{\sqrt{d_k}}"
    )
    first = pairs()[0]
    st.latex(
        rf"\frac{{{SCORES[0]} - {SCORES[1]}}}{{\ln({CLAIMED[0]} / {CLAIMED[1]})}} = "
        rf"\frac{{{first.difference:.1f}}}{{{first.log_ratio:.3f}}} = {first.root:.3f} = \sqrt{{{first.d_k:.2f}}}"
    )
    st.write(
        "s are the four scores and w the four weights. The sum below the fraction is the same for all words, so it "
        f"cancels. A whole d_k such as 64 gives √64 = {math.sqrt(64):.0f}."
    )


def _groups_formula(layer: MultiHeadAttention) -> None:
    st.latex(r"q_i^{(h)} = x_i W_Q^{(h)}, \quad k_i^{(h)} = x_i W_K^{(h)}, \quad v_i^{(h)} = x_i W_V^{(h)}")
    st.write(
        "The W carry the number of the head, h, and never that of the word, i. Here h runs from 1 to "
        f"{layer.num_heads} and x has {layer.d_model} numbers. Vaswani et al. 2017, section 3.2.2."
    )
