"""What a sentence does to a word, said and shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import streamlit as st

from playground.app import frame
from playground.bundled import data_folder
from playground.context import Context, ContextOptions, prepared
from playground.errors import PlaygroundError
from playground.plots.charts import bars
from playground.plots.colors import TOKEN_HUES
from playground.plots.maps import Arrow, word_map
from playground.plots.numbers import decimals
from playground.plots.projection import project
from playground.senses import SenseScore, read_senses, score_senses
from playground.words.neighbors import unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

IN_PICTURE = 6  # neighbours of each vector in the picture


@dataclass(frozen=True)
class Choice:
    """How the word is moved: the options of the view."""

    strength: float
    block: bool
    remove: int
    positions: bool

    def as_arguments(self) -> dict[str, Any]:
        """Return them as arguments of `contextualize`."""
        return {
            "strength": self.strength,
            "block_diagonal": self.block,
            "remove_components": self.remove,
            "positions": self.positions,
        }

    def link(self) -> dict[str, Any]:
        """Return them as inputs of the view."""
        return {
            "meaning_strength": self.strength,
            "meaning_block": self.block,
            "meaning_remove": self.remove > 0,
            "meaning_positions": self.positions,
        }


@dataclass(frozen=True)
class MeaningPicture:
    """The PCA picture of a word before and after its sentences, and the same points as a table."""

    chart: alt.LayerChart
    table: dict[str, list[Any]]


def answer_sentence(contexts: Sequence[Context]) -> tuple[str, ...]:
    """Return the answer, and a note for each sentence with words that have no vector."""
    said = []
    for context in contexts:
        looked = context.tokens[int(context.weights.argmax())]
        near = ", ".join(one.word for one in context.neighbors_after[:3])
        said.append(f"beside {looked} it moves toward {near}")
    words = {context.word for context in contexts}
    name = contexts[0].word if len(words) == 1 else " / ".join(context.word for context in contexts)
    notes = []
    for number, context in zip(("first", "second"), contexts, strict=True):
        if context.unknown:
            listed = ", ".join(dict.fromkeys(context.unknown))
            notes.append(f"In the {number} sentence, without a vector and left out: {listed}.")
    return (f"{name}: {'; '.join(said)}.", *notes)


def side(context: Context) -> None:
    """Show where the word looks in one sentence."""
    st.markdown("**Where the word looks**")
    words, weights = list(context.tokens), context.weights.astype(float).tolist()
    looked = context.tokens[int(context.weights.argmax())]
    said = f"{context.word} looks most at {looked} ({decimals(max(weights), 2)})."
    st.text(said)
    frame.chart(bars(words, weights, "weight", hue=TOKEN_HUES[2]), said)
    cosine = float(unit(context.before) @ unit(context.after))
    st.caption(f"The weights add to {sum(weights):.3f}. Cosine of before and after: {decimals(cosine)}.")


def score_panel(model: str, vectors: "KeyedVectors", choice: Choice) -> None:
    """Offer to move all words of the bundled sense file, and show how often that goes to the right side."""
    st.markdown("**How often does it work?**")
    if not st.toggle("Score 22 ambiguous English words in 88 sentences", key="meaning_score"):
        return
    try:
        with st.spinner("Moving 88 words, four times …"):
            scores = _scores(model, choice, _vectors=vectors)
    except PlaygroundError as error:
        st.text(str(error))
        return
    frame.table(
        {
            "setting": list(scores),
            "right direction": [score.accuracy for score in scores.values()],
            "mean shift": [score.mean_shift for score in scores.values()],
        },
        "how often words move to the right side, and how far",
    )
    st.caption(
        "Shift: how much nearer the word comes to its own meaning than to the other, in cosine. Above 0 is right."
    )


@st.cache_data(show_spinner=False, max_entries=20)
def _scores(model: str, choice: Choice, _vectors: "KeyedVectors") -> dict[str, SenseScore]:
    """`model` stands for the vectors in the key: they are too large to be hashed."""
    words = read_senses(data_folder() / "senses" / "senses.json")
    yours = ContextOptions(**choice.as_arguments())
    settings = {
        "as chosen above": yours,
        "a plain mean of the sentence": replace(yours, scale=0.0),
        "the word may look at itself": replace(yours, block_diagonal=False),
        "common components kept": replace(yours, remove_components=0),
    }
    return {name: score_senses(_vectors, words, options) for name, options in settings.items()}


def neighbor_table(contexts: Sequence[Context]) -> dict[str, list[Any]]:
    """Return the neighbours before and after as columns."""
    one, two = contexts
    columns: dict[str, list[Any]] = {"before": [near.word for near in one.neighbors_before]}
    columns["cosine"] = [near.similarity for near in one.neighbors_before]
    for number, context in (("first", one), ("second", two)):
        columns[f"after the {number}"] = [near.word for near in context.neighbors_after]
        columns[f"cosine ({number})"] = [near.similarity for near in context.neighbors_after]
    length = min(len(values) for values in columns.values())
    return {name: values[:length] for name, values in columns.items()}


def anchor_table(anchors: Sequence[str], cosines: np.ndarray) -> dict[str, list[Any]]:
    """Return `cosines (2, 2, anchors)` as columns: before, after each sentence, and how the two differ."""
    before, first, second = cosines[0, 0], cosines[0, 1], cosines[1, 1]
    return {
        "anchor": list(anchors),
        "before": before.tolist(),
        "after the first": first.tolist(),
        "after the second": second.tolist(),
        "first − second": (first - second).tolist(),
    }


def meaning_picture(vectors: "KeyedVectors", one: Context, two: Context) -> MeaningPicture:
    """Draw the word before and after both sentences among the neighbours of all three.

    The PCA is fitted on these points only: one of the whole vocabulary would hold hardly any of the move.
    """
    groups: dict[str, str] = {}
    for name, found in (
        ("neighbours before", one.neighbors_before),
        ("after the first", one.neighbors_after),
        ("after the second", two.neighbors_after),
    ):
        for neighbor in found[:IN_PICTURE]:
            groups.setdefault(neighbor.word, name)
    rows = prepared(vectors, groups, one.space)
    moved = [one.before, one.after, two.after]
    matrix = np.stack([unit(row) for row in [*moved, *rows]])
    projection = project(matrix)
    word = one.word
    words = [f"{word} (before)", f"{word} (first)", f"{word} (second)", *groups]
    kinds = ["the word", "the word", "the word", *groups.values()]
    chart = word_map(projection, words, kinds, arrows=[Arrow(0, 1), Arrow(0, 2)])
    points = projection.points
    table = {"word": words, "role": kinds, "PC 1": points[:, 0].tolist(), "PC 2": points[:, 1].tolist()}
    return MeaningPicture(chart, table)
