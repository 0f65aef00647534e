"""Why attention and not an RNN?"""

from typing import Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.state import model_name
from playground.app.why.inputs import WITH, WITHOUT, sentence_input
from playground.attention.multihead import MultiHeadAttention
from playground.attention.recurrent import RNN, Reach, reach
from playground.export.experiments import distance_code
from playground.plots.lines import lines

NAME = "Not an RNN"
TITLE = "Why attention and not an RNN?"
PROMISE = "How much the word t steps back can still change the output at the last word: exact derivatives of both."
DEFAULTS = {
    "why_text": (
        "the old man who lived in a small house near the river told us that his father had built the first boat "
        "in the village when he was young"
    ),
    "why_text_zh": "老师 告诉 学生 父亲 年轻 时候 住 在 河边 村庄 每天 早上 坐 船 去 城市 工作 晚上 回家 给 孩子 故事",
}

WHY = """
**An RNN hands one state from word to word.** A word t steps back reaches the present only through t
multiplications by W_h and t times through tanh. Factors below 1 shrink it to nothing: the vanishing gradient.

**Attention has one step between any two words.** The dot product of query and key does not ask how far apart they
are. The influence differs from word to word, but not with the distance.

**An RNN must wait.** State 30 needs state 29. Attention computes all places at once, which suits a graphics card.

**The limits.** Both networks are untrained. Larger recurrent weights slow the fading and then make it explode: try
2. LSTM and GRU have gates that keep a state for longer. Attention pays with n² dot products: 64 words need 4,096.
"""


def show() -> None:
    key, text, sentence = sentence_input("why_text", DEFAULTS)
    one, two = st.columns(2)
    strength = one.slider(
        "Size of W_h",
        0.5,
        2.0,
        1.0,
        0.1,
        key="why_strength",
        bind="query-params",
        help="W_h carries the RNN's state on. It is a random rotation times this number.",
    )
    seed = two.number_input("Seed", 0, 9999, 0, key="why_rnn_seed", bind="query-params")
    x = sentence.x.astype(np.float64)
    n, d_model = x.shape
    run = reach(
        RNN.random(d_model, d_model, strength, int(seed)), MultiHeadAttention.random(d_model, seed=int(seed)), x
    )
    said = _said(run, n)
    frame.answer(
        said,
        f"The RNN takes {n} steps that wait for one another; attention takes 1, with {n * n:,} dot products.",
        *sentence.notes,
    )
    back = list(range(n))
    frame.chart(
        lines(
            back,
            {"RNN": run.rnn.tolist(), "attention": run.attention.tolist()},
            "steps back from the last word",
            "share of the influence",
            log_y=True,
            hues=(WITHOUT, WITH),
            points=True,
            height=310,
        ),
        f"Share of the influence against distance, on a logarithmic scale. {said}",
    )
    table: dict[str, list[Any]] = {
        "steps back": back,
        "word": sentence.tokens[::-1],
        "RNN": [_share(value) for value in run.rnn],
        "attention": [_share(value) for value in run.attention],
    }
    st.markdown("**The numbers**: the share of each word in the influence on the last one")
    frame.table(table, said, height=250)
    frame.explanations(
        formula=_formula,
        python=distance_code(model_name(), sentence.tokens, strength, int(seed)),
        picture={**table, "RNN": run.rnn.tolist(), "attention": run.attention.tolist()},
        why=WHY,
    )
    frame.try_next(
        "distance",
        [
            Preset("W_h at half size", {"why_strength": 0.5}),
            Preset("W_h at 1.5", {"why_strength": 1.5}),
            Preset("one that fails: W_h at 2, old words shout", {"why_strength": 2.0}),
            Preset("another random network", {"why_rnn_seed": int(seed) + 1}),
        ],
    )
    frame.footer({"why": NAME, key: text, "why_strength": strength, "why_rnn_seed": seed})


def _said(run: Reach, n: int) -> str:
    if n == 1:
        return "One word alone has all the influence on itself: type more."
    return (
        f"The first of {n} words has {_share(run.rnn[-1])} of the influence on the RNN's last state, and "
        f"{_share(run.attention[-1])} on attention's output."
    )


def _share(value: float) -> str:
    if 0 < value < 1e-6:
        return f"{100 * value:.0e} %"
    return f"{100 * value:.2g} %" if value < 0.1 else f"{100 * value:.1f} %"


def _formula() -> None:
    st.latex(r"h_t = \tanh(x_t W_x + h_{t-1} W_h), \qquad h_0 = 0")
    st.latex(
        r"\frac{\partial h_n}{\partial x_{n-t}} = D_n W_h^{\top} D_{n-1} W_h^{\top} \cdots D_{n-t} W_x^{\top}, "
        r"\qquad D_i = \mathrm{diag}(1 - h_i^2)"
    )
    st.latex(
        r"o = \sum_j w_j v_j: \qquad \frac{\partial o}{\partial x_j} = w_j W_V^{\top} + "
        r"w_j\,(v_j - o)\,\frac{(W_K q)^{\top}}{\sqrt{d_k}}"
    )
    st.write(
        "x are the words, h the states of the RNN, o the output of attention at the last word (before W_O), q its "
        "query; the last word itself also acts through q. The influence of a word is the root of the sum of the "
        "squared entries of its derivative, shown as a share of all words. Elman 1990; Vaswani et al. 2017, section 4."
    )
