"""The arithmetic of one cell of each matrix, in words and as a table whose sum is checked."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.attention_scene import MATRICES, Cell, Scene
from playground.attention.explain import DotProduct, dot_product, softmax_row, weighted_sum
from playground.plots.charts import strips
from playground.plots.numbers import decimals

MOST_TERMS = 10  # terms of a dot product in sight; the others are summed


def _words(scene: Scene, cell: Cell) -> tuple[str, str]:
    column = scene.tokens[cell.column] if MATRICES[cell.matrix].columns == "words" else str(cell.column + 1)
    row = scene.tokens[cell.row] if MATRICES[cell.matrix].rows == "words" else str(cell.row + 1)
    return row, column


def _value(scene: Scene, cell: Cell) -> float:
    return float(MATRICES[cell.matrix].pick(scene.shown, scene.head)[cell.row, cell.column])


def _number(value: float) -> str:
    return "−∞" if value == -math.inf else decimals(value)


def _terms(product: DotProduct, value: float, left: str, right: str, names: Sequence[str] | None = None) -> None:
    """Show a dot product term by term, the largest first, the rest in one line, and check the sum."""
    d = len(product.terms)
    shown = product.order[:MOST_TERMS]
    table: dict[str, list[Any]] = {
        "word" if names else "number": [names[i] if names else str(i + 1) for i in shown],
        left: [float(product.left[i]) for i in shown],
        right: [float(product.right[i]) for i in shown],
        "product": [float(product.terms[i]) for i in shown],
    }
    if d > MOST_TERMS:
        rest = f"the other {d - MOST_TERMS}"
        for column, entry in zip(table.values(), (rest, None, None, product.rest(MOST_TERMS)), strict=True):
            column.append(entry)
    frame.table(table, "the terms of the sum, the largest first")
    same = math.isclose(product.total, value, rel_tol=1e-9, abs_tol=1e-9)
    st.caption(
        f"All {d} products add to {decimals(product.total)}: "
        + ("the number in the cell." if same else f"the cell holds {decimals(value)}.")
    )


def _x(scene: Scene, cell: Cell) -> None:
    run, (word, column) = scene.shown, _words(scene, cell)
    value, own = _value(scene, cell), float(run.words[cell.row, cell.column])
    added = 0.0 if run.positions is None else float(run.positions[cell.row, cell.column])
    sentence = f"Number {column} of {word}: {decimals(own)} from the word"
    if run.positions is not None:
        sentence += f" + {decimals(added)} from its position = {decimals(own + added)}"
    if not math.isclose(own + added, value, abs_tol=1e-12):
        sentence += f", changed by you to {decimals(value)}"
    st.text(sentence + ".")


def _weight_matrix(scene: Scene, cell: Cell) -> None:
    use = {
        "W_Q": "query of every word",
        "W_K": "key of every word",
        "W_V": "value of every word",
        "W_O": "output of every word",
    }[cell.matrix]
    source = "the concat" if cell.matrix == "W_O" else "a word"
    st.text(
        f"{cell.matrix}[{cell.row + 1}, {cell.column + 1}] = {decimals(_value(scene, cell))}: how much of number "
        f"{cell.row + 1} of {source} goes into number {cell.column + 1} of the {use}."
    )


def _projected(scene: Scene, cell: Cell) -> None:
    run, name = scene.shown, cell.matrix
    weight = {"Q": run.layer.w_q, "K": run.layer.w_k, "V": run.layer.w_v}[name][scene.head]
    word, column = _words(scene, cell)
    value = _value(scene, cell)
    st.text(f"{name}: row of {word} in X · column {column} of W_{name} = {decimals(value)}")
    _terms(dot_product(run.steps.x[cell.row], weight[:, cell.column]), value, "in X", f"in W_{name}")


def _score(scene: Scene, cell: Cell) -> None:
    steps, (word, other), value = scene.shown.steps, _words(scene, cell), _value(scene, cell)
    st.text(f"query of {word} · key of {other} = {decimals(value)}")
    _terms(
        dot_product(steps.query[scene.head, cell.row], steps.key[scene.head, cell.column]),
        value,
        "in the query",
        "in the key",
    )


def _scale(scene: Scene, cell: Cell) -> None:
    run, (word, other) = scene.shown, _words(scene, cell)
    score = float(run.steps.scores[scene.head, cell.row, cell.column])
    divisors = [f"√{run.layer.d_k}"] if run.setup.scale else []
    if run.setup.temperature != 1:
        divisors.append(f"{run.setup.temperature:g}")
    divided = "".join(f" ÷ {divisor}" for divisor in divisors)
    st.text(f"{word} → {other}: {decimals(score)}{divided} = {decimals(_value(scene, cell))}")


def _mask(scene: Scene, cell: Cell) -> None:
    run, (word, other) = scene.shown, _words(scene, cell)
    scaled = float(run.steps.scaled[scene.head, cell.row, cell.column])
    if run.mask[cell.row, cell.column]:
        st.text(f"{word} may look at {other}: the score stays {decimals(scaled)}.")
    else:
        st.text(f"{word} may not look at {other}: {decimals(scaled)} becomes −∞, and e to the power of −∞ is 0.")


def _softmax(scene: Scene, cell: Cell) -> None:
    run, (word, other) = scene.shown, _words(scene, cell)
    row = softmax_row(run.masked[scene.head, cell.row])
    if row.total == 0:
        st.text(f"{word} may look nowhere: all its weights are 0.")
    else:
        score = float(run.masked[scene.head, cell.row, cell.column])
        power = float(row.exponentials[cell.column])
        st.text(
            f"{word} → {other}: e^({_number(score)} − {_number(row.maximum)}) = {decimals(power)}; "
            f"÷ {decimals(row.total)} = {decimals(_value(scene, cell))}"
        )
    masked = [None if value == -np.inf else float(value) for value in run.masked[scene.head, cell.row]]
    frame.table(
        {
            "looks at": list(scene.tokens),
            "score q·k": run.steps.scores[scene.head, cell.row].tolist(),
            "scaled": run.steps.scaled[scene.head, cell.row].tolist(),
            "masked": masked,
            "e^(masked − max)": row.exponentials.tolist(),
            "weight": run.steps.weights[scene.head, cell.row].tolist(),
        },
        "the row of the chosen word, step by step",
    )
    st.caption(
        f"The exponentials add to {decimals(row.total)}; each divided by that gives the weights, "
        f"which add to {decimals(math.fsum(row.weights.tolist()))}. Subtracting the maximum changes no weight."
    )


def _weighted(scene: Scene, cell: Cell) -> None:
    steps, head = scene.shown.steps, scene.head
    word, column = _words(scene, cell)
    weights, value = steps.weights[head, cell.row], steps.value[head]
    st.text(f"Number {column} of the output of {word} = {decimals(_value(scene, cell))}")
    _terms(
        dot_product(weights, value[:, cell.column]),
        _value(scene, cell),
        "weight",
        f"number {column} of V",
        scene.tokens,
    )
    rows = weighted_sum(weights, value).rows
    st.markdown("**All rows of V, each times its weight**: they add to the chosen word's output")
    frame.chart(strips(rows, scene.tokens, legend=False, tallest=150), "the weighted rows of V as strips of colour")


def _concat(scene: Scene, cell: Cell) -> None:
    head, own = divmod(cell.column, scene.shown.layer.d_v)
    word, column = _words(scene, cell)
    st.text(
        f"Column {column} of {word} = {decimals(_value(scene, cell))}: number {own + 1} of "
        f"the output of head {head + 1}."
    )


def _mixed(scene: Scene, cell: Cell) -> None:
    run, (word, column), value = scene.shown, _words(scene, cell), _value(scene, cell)
    st.text(
        f"Number {column} of the output of {word}: its row of the concat · column {column} of W_O = {decimals(value)}"
    )
    _terms(dot_product(run.steps.concat[cell.row], run.layer.w_o[:, cell.column]), value, "in the concat", "in W_O")


ARITHMETIC: dict[str, Callable[[Scene, Cell], None]] = {
    "X": _x,
    "W_Q": _weight_matrix,
    "W_K": _weight_matrix,
    "W_V": _weight_matrix,
    "Q": _projected,
    "K": _projected,
    "V": _projected,
    "scores": _score,
    "scaled": _scale,
    "masked": _mask,
    "weights": _softmax,
    "output of the head": _weighted,
    "concat": _concat,
    "W_O": _weight_matrix,
    "output": _mixed,
}
