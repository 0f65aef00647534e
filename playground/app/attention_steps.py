"""The chain X → Q, K, V → scores → ÷√d_k → softmax → ·V, one panel a step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from playground.app import frame
from playground.attention.multihead import MultiHeadAttention, MultiHeadSteps
from playground.plots.charts import heatmap, strips


@dataclass(frozen=True)
class Scene:
    """What the panels show: the tokens, the chosen query and head, and all steps of the layer."""

    tokens: list[str]
    query: int
    head: int
    layer: MultiHeadAttention
    steps: MultiHeadSteps
    words: np.ndarray  # (n, d_model), the word vectors alone
    positions: np.ndarray | None  # (n, d_model), what was added to them


def show_step(scene: Scene, step: str, said: str) -> None:
    """Show the formula with this step coloured, one sentence on it, and its matrix."""
    formula, panel = STEPS[step]
    st.latex(formula)
    panel(scene, said)


def _chain(lit: str) -> str:
    """Return the whole formula as LaTeX, the part `lit` coloured."""
    parts = {"Q": "Q", "K": r"K^{\top}", "root": r"\sqrt{d_k}", "softmax": r"\mathrm{softmax}", "V": "V"}
    colored = {name: rf"{{\color{{#007ec4}}{part}}}" if name in lit.split() else part for name, part in parts.items()}
    fraction = rf"\frac{{{colored['Q']}\,{colored['K']}}}{{{colored['root']}}}"
    return rf"{colored['softmax']}\!\left({fraction}\right){colored['V']}"


def _extent(*matrices: np.ndarray) -> float:
    return float(max(np.abs(matrix).max() for matrix in matrices)) or 1.0


def _x(scene: Scene, said: str) -> None:
    n, d_model = scene.words.shape
    st.write(f"X holds the words: {n} words × {d_model} numbers, (n, d_model). One row a word, as GloVe learnt it.")
    if scene.positions is None:
        frame.chart(strips(scene.words, scene.tokens), "X: the word vectors as strips of colour")
        return
    total = scene.steps.x
    extent = _extent(scene.words, scene.positions, total)
    for title, matrix in (("The words", scene.words), ("+ the positions", scene.positions), ("= X", total)):
        st.markdown(f"**{title}**")
        last = matrix is total
        frame.chart(
            strips(matrix, scene.tokens, extent=extent, legend=last, tallest=150), f"{title} as strips of colour"
        )


def _projected(scene: Scene, said: str) -> None:
    steps, head = scene.steps, scene.head
    n = len(scene.tokens)
    d_k, d_v = scene.layer.d_k, scene.layer.d_v
    st.write(
        f"Each word is turned into three lists: a query (what it looks for), a key (what it offers to be found by) and "
        f"a value (what it hands over). Q, K: {n} words × {d_k} numbers, (n, d_k); V: {n} × {d_v}, (n, d_v)."
    )
    matrices = {"Q = X·W_Q": steps.query[head], "K = X·W_K": steps.key[head], "V = X·W_V": steps.value[head]}
    extent = _extent(*matrices.values())
    for title, matrix in matrices.items():
        st.markdown(f"**{title}**")
        last = title.startswith("V")
        frame.chart(
            strips(matrix, scene.tokens, extent=extent, legend=last, tallest=150), f"{title} as strips of colour"
        )


def _scores(scene: Scene, said: str) -> None:
    n = len(scene.tokens)
    st.write(
        f"A score is a dot product: the query of the row's word times the key of the column's word, added up. "
        f"QKᵀ: {n} × {n}, (n, n)."
    )
    _pairs(scene, scene.steps.scores[scene.head], "signed", "score", "Scores")


def _scaled(scene: Scene, said: str) -> None:
    d_k = scene.layer.d_k
    st.write(
        f"Longer vectors make larger dot products. Dividing by √d_k = √{d_k} = {np.sqrt(d_k):.3f} keeps the "
        "softmax from giving everything to one word."
    )
    _pairs(scene, scene.steps.scaled[scene.head], "signed", "scaled score", "Scaled scores")


def _weights(scene: Scene, said: str) -> None:
    st.write("Softmax turns each row into weights from 0 to 1 that add to 1: e to the power of each score, shared out.")
    _pairs(scene, scene.steps.weights[scene.head], "weights", "weight", said)


def _pairs(scene: Scene, matrix: np.ndarray, kind: str, value: str, said: str) -> None:
    frame.chart(
        heatmap(
            matrix,
            scene.tokens,
            scene.tokens,
            "weights" if kind == "weights" else "signed",
            chosen=scene.query,
            value_name=value,
        ),
        f"{said} Rows are queries, columns are keys.",
    )


def _output(scene: Scene, said: str) -> None:
    steps, head, query = scene.steps, scene.head, scene.query
    weights, value = steps.weights[head, query], steps.value[head]
    weighted = weights[:, None] * value  # (n, d_v)
    n, d_v = value.shape
    st.write(
        f"Each value is multiplied by its weight, and the rows are added. That is the output of the chosen word: "
        f"{d_v} numbers. For all words, weights·V: {n} × {d_v}, (n, d_v)."
    )
    extent = _extent(weighted, steps.heads[head])
    st.markdown("**The chosen word's weights times V, row by row**")
    frame.chart(
        strips(weighted, scene.tokens, extent=extent, legend=False, tallest=200),
        "the weighted values as strips of colour",
    )
    st.markdown("**Their sum: the output of the chosen word, and below it the outputs of all words**")
    frame.chart(
        strips(steps.heads[head][query][None, :], [scene.tokens[query]], extent=extent, legend=False, colored=False),
        "the output of the chosen word",
    )
    frame.chart(strips(steps.heads[head], scene.tokens, extent=extent, tallest=200), "the outputs of all words")


def _concat(scene: Scene, said: str) -> None:
    n, width = scene.steps.concat.shape
    heads, d_v = scene.layer.num_heads, scene.layer.d_v
    st.write(
        f"The outputs of the {heads} heads are put side by side: {n} words × {heads}·{d_v} = {width} numbers, "
        "(n, h·d_v)."
    )
    frame.chart(strips(scene.steps.concat, scene.tokens), "the heads side by side as strips of colour")


def _mixed(scene: Scene, said: str) -> None:
    n, d_model = scene.steps.output.shape
    st.write(
        f"W_O mixes what the heads found and brings it back to the width of a word: {n} words × {d_model} numbers, "
        "(n, d_model)."
    )
    frame.chart(strips(scene.steps.output, scene.tokens), "the output of the layer as strips of colour")


# name → (formula in LaTeX, what draws the step)
STEPS: dict[str, tuple[str, Callable[[Scene, str], None]]] = {
    "X": (r"{\color{#007ec4}X}\;\rightarrow\;Q, K, V", _x),
    "Q, K, V": (r"{\color{#007ec4}Q = XW_Q,\quad K = XW_K,\quad V = XW_V}", _projected),
    "scores": (_chain("Q K"), _scores),
    "÷ √d_k": (_chain("root"), _scaled),
    "softmax": (_chain("softmax"), _weights),
    "· V": (_chain("V"), _output),
    "concat": (r"{\color{#007ec4}\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)}\,W_O", _concat),
    "W_O": (r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\,{\color{#007ec4}W_O}", _mixed),
}
