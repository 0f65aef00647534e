"""Why positions? Shuffle the words."""

from typing import Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.state import model_name
from playground.app.why.inputs import WITH, WITHOUT, one_random_head, sentence_input
from playground.attention.experiments.order import OrderChange, compare_orders
from playground.export.experiments import shuffle_code
from playground.plots.lines import paired_bars

NAME = "Positions"
TITLE = "Why does attention need positions?"
PROMISE = "Shuffle the words of a sentence, and see by how much the output of each word changes."
DEFAULTS = {"why_shuffle": "the dog bites the old man", "why_shuffle_zh": "老师批评学生"}
MOST_BARS = 6
BARE, PLACED = "without positions", "with positions"

WHY = """
**Attention sees a bag of words.** The output of a word is a weighted sum over all words. A sum does not change when
its terms change places.

**So every word needs a mark of its place.** Adding sines and cosines to the vectors makes *dog in place 2* another
input than *dog in place 6*.

**The limits.** A mask that hides later words also tells the order, even without positions. That positions change
the output does not mean that the layer understands order: its projections are random here.
"""


def show() -> None:
    key, text, sentence = sentence_input("why_shuffle", DEFAULTS)
    seed = st.number_input(
        "Shuffle, number", 1, 9999, 1, key="why_shuffle_seed", bind="query-params", width=220, help="Each is one order."
    )
    x, n = sentence.x, len(sentence.tokens)
    order = np.random.default_rng(int(seed)).permutation(n)
    places = [(int(old), new) for new, old in enumerate(order)]
    places.sort()
    run = compare_orders(one_random_head(x.shape[1]), x, x[order], places)
    changes = relative_changes(run)
    said = _said([sentence.tokens[i] for i in order], run, changes)
    frame.answer(
        said,
        "Here every sum is rounded once, so its order cannot matter. Summed word by word, as programs do, rounding "
        f"leaves a difference of {run.rounding:.0e}.",
        *sentence.notes,
    )
    shown = sorted(range(n), key=lambda i: -changes[PLACED][i])[:MOST_BARS]
    shown.sort()
    frame.chart(
        paired_bars(
            [sentence.tokens[i] for i in shown],
            {name: [values[i] for i in shown] for name, values in changes.items()},
            "length of the change ÷ length of the output",
            hues=(WITHOUT, WITH),
            step=17,
        ),
        f"Change of each word's output, without and with positions. {said}",
    )
    if n > MOST_BARS:
        st.caption(f"The {MOST_BARS} words that change most; the table has all {n}.")
    table: dict[str, list[Any]] = {
        "word": sentence.tokens,
        "place before": [before + 1 for before, _ in places],
        "place after": [after + 1 for _, after in places],
        BARE: changes[BARE],
        PLACED: changes[PLACED],
    }
    st.markdown("**The numbers**: change of each output, as a share of its length")
    frame.table(table, said)
    frame.explanations(
        formula=_formula,
        python=shuffle_code(model_name(), sentence.tokens, order.tolist()),
        picture=table,
        why=WHY,
    )
    frame.try_next(
        "shuffle",
        [
            Preset("another order", {"why_shuffle_seed": int(seed) + 1}),
            Preset("a longer sentence", {key: LONGER[key]}),
            Preset("one that fails: the same word again and again", {key: REPEATED[key]}),
        ],
    )
    frame.footer({"why": NAME, key: text, "why_shuffle_seed": seed})


LONGER = {
    "why_shuffle": "the teacher gave the young student a book about the history of china",
    "why_shuffle_zh": "老师 给 年轻 学生 历史 音乐 电影 文化",
}
REPEATED = {"why_shuffle": "very very very very", "why_shuffle_zh": "学生 学生 学生 学生"}


def relative_changes(run: OrderChange) -> dict[str, list[float]]:
    """Return the length of each word's change, as a share of its output's length, without and with positions."""
    length = np.linalg.norm(run.first, axis=1)
    length[length == 0] = 1
    return {
        BARE: (np.linalg.norm(run.without, axis=1) / length).tolist(),
        PLACED: (np.linalg.norm(run.with_positions, axis=1) / length).tolist(),
    }


def _said(shuffled: list[str], run: OrderChange, changes: dict[str, list[float]]) -> str:
    words = " ".join(shuffled[:12]) + (" …" if len(shuffled) > 12 else "")
    largest = float(np.abs(run.without).max())
    none = (
        "no output changes at all: the difference is exactly 0" if largest == 0 else f"outputs differ by {largest:.1e}"
    )
    mean = 100 * float(np.mean(changes[PLACED]))
    return f"Shuffled to “{words}”, {none}. With positions, outputs change by {mean:.1f} % of their length."


def _formula() -> None:
    st.latex(r"o_i = \sum_j \frac{e^{q_i \cdot k_j / \sqrt{d_k}}}{\sum_m e^{q_i \cdot k_m / \sqrt{d_k}}}\; v_j")
    st.write(
        "o_i is the output of word i, q its query, k and v the keys and values of all words. Both sums run over all "
        "words, and a sum has no order. With positions, x_i + PE_i takes the place of x_i, so q, k and v change with "
        "the place. One head with random projections to a quarter of the width, seed 0."
    )
