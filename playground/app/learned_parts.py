"""The learned heads, said and shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.attention.learned import HeadCard, resting, strongest_looks
from playground.attention.multihead import MultiHeadAttention
from playground.attention.positions import sinusoidal_positions
from playground.plots.arcs import Arc
from playground.plots.charts import heatmap
from playground.plots.numbers import percent
from playground.words.tokens import known_form

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

LEARNED = "glove"  # the vectors that the layer was taught with
START = "[start]"
SAID = 4  # looks that the answer line names


@st.cache_resource(show_spinner=False)
def learned_layer() -> MultiHeadAttention:
    """Return the bundled layer: one object for all sessions, read-only."""
    return MultiHeadAttention.learned()


def looks_sentence(tokens: Sequence[str], weights: np.ndarray, rests: np.ndarray) -> str:
    """Return the strongest looks of one head, `weights (1 + n, 1 + n)`, in a sentence; those at rest apart."""
    looks = strongest_looks(weights)
    said = [f"{tokens[i]} → {tokens[j]}" for i, j in enumerate(looks) if j >= 0 and not rests[i]]
    if not said:
        return "This head finds nothing to look at here: all its rows rest on [start]."
    more = f" and {len(said) - SAID} more" if len(said) > SAID else ""
    return f"{', '.join(said[:SAID])}{more}."


def relation_sentence(head: HeadCard) -> str:
    """Return what a head was taught and how well it does."""
    return (
        f"{head.name}: right for {percent(head.accuracy)} of the words that bear the relation; always looking "
        f"{_steps(head.best_offset)} would be right for {percent(head.offset_accuracy)}."
    )


def arcs_of(weights: np.ndarray, rests: np.ndarray) -> list[Arc]:
    """Return the strongest look of each word that is not at rest, `weights (1 + n, 1 + n)`."""
    looks = strongest_looks(weights)
    return [Arc(i, int(j), float(weights[i + 1, j + 1])) for i, j in enumerate(looks) if j >= 0 and not rests[i]]


def small_maps(tokens: Sequence[str], weights: np.ndarray, heads: Sequence[HeadCard], fade: bool) -> None:
    """Show a map for each head, two in a row, with its accuracy; rows at rest are faded."""
    columns = [START, *tokens]
    for first in range(0, len(heads), 2):
        for column, number in zip(st.columns(2), range(first, min(first + 2, len(heads))), strict=False):
            head = heads[number]
            rests = resting(weights[number])
            with column:
                st.markdown(
                    f"**{head.name}** · {percent(head.accuracy)} (best fixed distance {percent(head.offset_accuracy)})"
                )
                chart = heatmap(
                    weights[number, 1:],
                    tokens,
                    columns,
                    "weights",
                    faded=rests.tolist() if fade else None,
                    most_numbered=9,
                    colored=False,
                )
                frame.chart(chart, f"{head.name}: {looks_sentence(tokens, weights[number], rests)}")


def three_layers(vectors: "KeyedVectors", tokens: Sequence[str], learned: np.ndarray) -> None:
    """Show the chosen head beside one random and one identity head over the same words and positions."""
    rows = [known_form(vectors, token) for token in tokens]
    x = np.stack([np.zeros(vectors.vector_size) if row is None else vectors[row].astype(float) for row in rows])
    x = x + sinusoidal_positions(*x.shape)
    d_model = x.shape[1]
    shown = {
        "learned": learned[1:, 1:],
        "random": MultiHeadAttention.random(d_model, 4)(x).weights[0],
        "identity": MultiHeadAttention.identity(d_model)(x).weights[0],
    }
    for column, (name, weights) in zip(st.columns(3), shown.items(), strict=True):
        with column:
            st.markdown(f"**{name}**")
            chart = heatmap(weights, tokens, tokens, "weights", most_numbered=6, colored=False)
            frame.chart(chart, f"weights of a head whose projections are {name}")


def card_table(heads: Sequence[HeadCard]) -> dict[str, list[Any]]:
    """Return the heads' cards as columns."""
    return {
        "head": [head.name for head in heads],
        "accuracy": [head.accuracy for head in heads],
        "best fixed distance": [f"{head.best_offset:+d}" for head in heads],
        "its accuracy": [head.offset_accuracy for head in heads],
        "test words": [head.examples for head in heads],
        "rests where the relation is absent": [head.rests for head in heads],
    }


def all_weights(tokens: Sequence[str], weights: np.ndarray, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return every weight of every head as columns."""
    columns = [START, *tokens]
    places = [(h, i, j) for h in range(len(names)) for i in range(1, len(columns)) for j in range(len(columns))]
    return {
        "head": [names[h] for h, _, _ in places],
        "query": [f"{i}. {columns[i]}" for _, i, _ in places],
        "key": [f"{j}. {columns[j]}" for _, _, j in places],
        "weight": [float(weights[place]) for place in places],
    }


def _steps(offset: int) -> str:
    words = "one word" if abs(offset) == 1 else f"{abs(offset)} words"
    return f"{words} {'on' if offset > 0 else 'back'}"
