"""The chain X → Q, K, V → scores → ÷√d_k → mask → softmax → ·V → concat → W_O, one panel a step."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.attention_scene import DIFFERENCE, MATRICES, Scene, draw, extent_of
from playground.app.cell_inspector import choose_cell, inspect, remember_click
from playground.app.edit_bar import Edits
from playground.app.state import fill
from playground.app.thumbnails import Picture, Thumbnail, thumbnails

ALL = "all at once"
SIDE_BY_SIDE = 4  # columns of numbers that leave room for two more matrices
ONLY_CHOSEN = 5_000  # numbers in a matrix beyond which its brothers are not drawn beside it


@dataclass(frozen=True)
class Step:
    """A step of the chain: its formula in LaTeX, one sentence on it, and the names of its matrices."""

    formula: str
    explain: Callable[[Scene], str]
    matrices: tuple[str, ...]


def step_names(num_heads: int) -> list[str]:
    """Return the steps of a layer, in order; with one head nothing is put side by side or mixed."""
    return [ALL, *(name for name in STEPS if num_heads > 1 or name not in ("concat", "W_O"))]


def show_step(scene: Scene, step: str, said: str, edits: Edits) -> None:
    """Show the formula with this step coloured, a sentence on it, its matrices, and how one cell came about."""
    if step == ALL:
        _strip(scene)
        return
    chosen = STEPS[step]
    st.latex(chosen.formula)
    st.write(chosen.explain(scene))
    if scene.view == DIFFERENCE:
        st.caption("Shown is the difference: each number now, minus what it was before the edits.")
    if step == "X" and scene.now.positions is not None and scene.view != DIFFERENCE:
        _sum_to_x(scene)
    names = chosen.matrices
    cell = choose_cell(scene, names, lambda name, place: _draw(scene, names, name, place, said))
    inspect(scene, cell, edits)


def _draw(scene: Scene, names: tuple[str, ...], chosen: str, place: tuple[int, int], said: str) -> None:
    """Draw the matrices of a step on one scale, the chosen one with its cell framed."""
    if len(names) > 1 and scene.matrix(chosen).size > ONLY_CHOSEN:
        names = (chosen,)
    matrices = [scene.matrix(name) for name in names]
    extent = extent_of(*matrices)
    side_by_side = len(names) > 1 and max(matrix.shape[1] for matrix in matrices) <= SIDE_BY_SIDE
    places = st.columns(len(names)) if side_by_side else [st.container() for _ in names]
    for name, column in zip(names, places, strict=True):
        with column:
            if len(names) > 1:
                st.markdown(f"**{MATRICES[name].title}**")
            frame.chart(
                draw(
                    scene,
                    name,
                    extent=extent,
                    marked=place if name == chosen else None,
                    clickable=True,
                    legend=name == names[-1] and not side_by_side,
                    tallest=400 if len(names) == 1 else 150,
                ),
                f"{MATRICES[name].title}. {said} A click chooses a cell.",
                key=f"picture_{name}",
                on_select=partial(remember_click, scene, name, f"picture_{name}"),
            )


def _sum_to_x(scene: Scene) -> None:
    run = scene.shown
    extent = extent_of(run.words, run.steps.x)
    for name in ("words", "positions"):
        st.markdown(f"**{MATRICES[name].title}**")
        frame.chart(draw(scene, name, extent=extent, legend=False, tallest=110), f"{MATRICES[name].title}, as colours")
    st.markdown("**= X**")


def _strip(scene: Scene) -> None:
    """Show every step as a small picture; a click opens it."""
    st.write("The whole way from the words to the output. Each picture is a step: click one to open it.")
    names = step_names(scene.now.layer.num_heads)[1:]

    def small(name: str) -> Picture:
        matrix, spec = scene.matrix(name), MATRICES[name]
        square = spec.rows == spec.columns
        height = 44 if square else int(np.clip(6 * len(matrix), 12, 44))
        width = 44 if square else int(np.clip(6 * matrix.shape[1], 36, 76))
        return Picture(matrix, scene.kind(name), f"{spec.title}, {_shape(matrix)}", width, height)

    items = [
        Thumbnail(
            name,
            [small(matrix) for matrix in STEPS[name].matrices],
            " and ".join(dict.fromkeys(_shape(scene.matrix(matrix)) for matrix in STEPS[name].matrices)),
        )
        for name in names
    ]
    thumbnails("chain", items, lambda index: fill({"step": names[index]}), label="the steps, in order", arrows=True)


def _shape(matrix: np.ndarray) -> str:
    return f"{matrix.shape[0]} × {matrix.shape[1]}"


def _chain(lit: str) -> str:
    """Return the whole formula as LaTeX, the part `lit` coloured."""
    parts = {"Q": "Q", "K": r"K^{\top}", "root": r"\sqrt{d_k}", "softmax": r"\mathrm{softmax}", "mask": "M", "V": "V"}
    colored = {name: rf"{{\color{{#007ec4}}{part}}}" if name in lit.split() else part for name, part in parts.items()}
    fraction = rf"\frac{{{colored['Q']}\,{colored['K']}}}{{{colored['root']}}}"
    mask = f" + {colored['mask']}" if lit == "mask" else ""
    return rf"{colored['softmax']}\!\left({fraction}{mask}\right){colored['V']}"


def _x(scene: Scene) -> str:
    n, d_model = scene.now.steps.x.shape
    return (
        f"X holds the words: {n} words × {d_model} numbers, (n, d_model). One row a word, as it was learnt from text."
    )


def _projections(scene: Scene) -> str:
    layer = scene.now.layer
    return (
        f"Three matrices turn a word's {layer.d_model} numbers into its query, key and value. "
        f"W_Q, W_K: {layer.d_model} × {layer.d_k}, (d_model, d_k); W_V: {layer.d_model} × {layer.d_v}, (d_model, d_v)."
    )


def _projected(scene: Scene) -> str:
    n, layer = len(scene.tokens), scene.now.layer
    return (
        f"Each word gets a query (what it looks for), a key (how it is found) and a value (what it hands over). "
        f"Q, K: {n} words × {layer.d_k} numbers, (n, d_k); V: {n} × {layer.d_v}, (n, d_v)."
    )


def _scores(scene: Scene) -> str:
    n = len(scene.tokens)
    return (
        f"A score is a dot product: the query of the row's word times the key of the column's word, added up. "
        f"QKᵀ: {n} × {n}, (n, n)."
    )


def _scaled(scene: Scene) -> str:
    d_k, setup = scene.now.layer.d_k, scene.now.setup
    heat = "" if setup.temperature == 1 else f" The temperature divides them by {setup.temperature:g} as well."
    if not setup.scale:
        return f"Dividing by √d_k is switched off, so the scores stay as large as they are.{heat}"
    return (
        f"Longer vectors make larger dot products. Dividing by √d_k = √{d_k} = {np.sqrt(d_k):.3f} keeps the "
        f"softmax from giving everything to one word.{heat}"
    )


def _masked(scene: Scene) -> str:
    mask = scene.shown.mask
    if mask.all():
        return "No mask: every word may look at every word. Block one below, or choose a mask in More options."
    return (
        f"The mask M blocks {int((~mask).sum())} of {mask.size} cells: their score becomes minus infinity (–), "
        "so their weight is 0."
    )


def _weights(scene: Scene) -> str:
    return "Softmax turns each row into weights from 0 to 1 that add to 1: e to the power of each score, shared out."


def _output(scene: Scene) -> str:
    n, d_v = len(scene.tokens), scene.now.layer.d_v
    return (
        f"Each value is multiplied by its weight, and the rows are added: the output of a word, {d_v} numbers. "
        f"Weights · V: {n} × {d_v}, (n, d_v)."
    )


def _concat(scene: Scene) -> str:
    n, width = scene.now.steps.concat.shape
    layer = scene.now.layer
    return (
        f"The outputs of the {layer.num_heads} heads are put side by side: {n} words × {layer.num_heads}·{layer.d_v} = "
        f"{width} numbers, (n, h·d_v)."
    )


def _mixed(scene: Scene) -> str:
    n, d_model = scene.now.steps.output.shape
    return (
        f"W_O mixes what the heads found and brings it back to the width of a word: {n} words × {d_model} numbers, "
        "(n, d_model)."
    )


STEPS: dict[str, Step] = {
    "X": Step(r"{\color{#007ec4}X}\;\rightarrow\;Q, K, V", _x, ("X",)),
    "W": Step(
        r"Q = X{\color{#007ec4}W_Q},\quad K = X{\color{#007ec4}W_K},\quad V = X{\color{#007ec4}W_V}",
        _projections,
        ("W_Q", "W_K", "W_V"),
    ),
    "Q, K, V": Step(r"{\color{#007ec4}Q = XW_Q,\quad K = XW_K,\quad V = XW_V}", _projected, ("Q", "K", "V")),
    "scores": Step(_chain("Q K"), _scores, ("scores",)),
    "÷ √d_k": Step(_chain("root"), _scaled, ("scaled",)),
    "mask": Step(_chain("mask"), _masked, ("masked",)),
    "softmax": Step(_chain("softmax"), _weights, ("weights",)),
    "· V": Step(_chain("V"), _output, ("output of the head",)),
    "concat": Step(
        r"{\color{#007ec4}\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)}\,W_O", _concat, ("concat",)
    ),
    "W_O": Step(
        r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\,{\color{#007ec4}W_O}", _mixed, ("W_O", "output")
    ),
}
