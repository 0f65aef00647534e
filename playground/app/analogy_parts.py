"""What an analogy says and shows: its sentence, its picture, and how near it came to what was expected."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np

from playground.errors import PlaygroundError
from playground.plots.maps import Arrow, word_map
from playground.plots.numbers import decimals
from playground.plots.projection import project
from playground.words.analogy import Analogy
from playground.words.analogy_details import parallelogram, rank_of
from playground.words.lookup import vector_of
from playground.words.neighbors import Neighbor, unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

IN_PICTURE = 4  # answers that the picture shows


@dataclass(frozen=True)
class AnalogyPicture:
    """The PCA picture of a formula, the same points as a table, and the true angle of its two arrows."""

    chart: alt.LayerChart
    table: dict[str, list[Any]]
    angle: str


def answer_sentence(result: Analogy) -> str:
    """Return the answer in words: the winner and the two after it."""
    if not result.answers:
        return f"No word is left to answer {result.expression}."
    inputs = {word for found in result.lookups for word in found.words}
    first, *others = result.answers
    if not result.excluded and first.word in inputs:
        rest = [one for one in others if one.word not in inputs][:2]
        return (
            f"With the input words allowed, the nearest is {first.word} itself ({decimals(first.similarity)}). "
            f"Without the input words: {_listed(rest)}."
        )
    then = f", then {_listed(others[:2])}" if others else ""
    return f"{_listed([first])}{then}."


def expectation(vectors: "KeyedVectors", result: Analogy, expected: str) -> str:
    """Return one sentence on where the expected answer stands; empty if none was given."""
    if not expected.strip():
        return ""
    try:
        found = rank_of(vectors, result, expected)
    except PlaygroundError as error:
        return str(error)
    if found.rank is None:
        return f"You expected {found.word}, which is an input word and left out."
    margin = (
        "" if found.margin is None else f", {decimals(abs(found.margin))} {_side(found.margin)} the best other word"
    )
    return f"You expected {found.word}: it comes at rank {found.rank:,} ({decimals(found.similarity)}{margin})."


def analogy_picture(vectors: "KeyedVectors", result: Analogy) -> AnalogyPicture:
    """Draw the words as unit vectors (as the formula adds them), the sum, and the first answers."""
    answers = [one.word for one in result.answers[:IN_PICTURE]]
    inputs = [term.text for term in result.terms]
    matrix = np.stack([*result.directions, result.vector, *(unit(vector_of(vectors, word)) for word in answers)])
    words = [*inputs, result.expression, *answers]
    groups = ["word of the formula"] * len(inputs) + ["the sum"] + ["answer"] * len(answers)
    projection = project(matrix)
    chart = word_map(projection, words, groups, arrows=_arrows(result))
    points = projection.points
    table = {"word": words, "role": groups, "PC 1": points[:, 0].tolist(), "PC 2": points[:, 1].tolist()}
    return AnalogyPicture(chart, table, _true_angle(vectors, result))


def _true_angle(vectors: "KeyedVectors", result: Analogy) -> str:
    """Say how parallel a − b and answer − c are in all dimensions, for a formula a − b + c."""
    roles = _roles(result)
    inputs = {word for found in result.lookups for word in found.words}
    if roles is None or not result.answers or result.answers[0].word in inputs:
        return ""
    minus, first, second = (result.terms[i].text for i in roles)
    winner = result.answers[0].word
    try:
        found = parallelogram(vectors, minus, first, second, winner)
    except PlaygroundError:
        return ""  # two of the words point the same way: there is no arrow to compare
    return (
        f"The picture flatters: in all {vectors.vector_size} dimensions, {first} − {minus} and {winner} − {second} "
        f"stand at an angle of {found.angle:.0f}° (0° would be parallel)."
    )


def _arrows(result: Analogy) -> list[Arrow]:
    """a − b + c is the same step twice: b → a, and c → the sum. Otherwise: each word → the sum."""
    total = len(result.terms)
    roles = _roles(result)
    if roles is not None:
        minus, first, second = roles
        return [Arrow(minus, first), Arrow(second, total, dashed=True)]
    return [Arrow(i, total, dashed=factor < 0) for i, factor in enumerate(result.factors)]


def _roles(result: Analogy) -> tuple[int, int, int] | None:
    """Return the places of b, a and c in a formula a − b + c, in whatever order it stands."""
    factors = result.factors.tolist()
    if sorted(factors) != [-1.0, 1.0, 1.0]:
        return None
    minus = factors.index(-1.0)
    first, second = (i for i in range(3) if i != minus)
    return minus, first, second


def _side(margin: float) -> str:
    return "above" if margin >= 0 else "below"


def _listed(answers: list[Neighbor]) -> str:
    return " and ".join(f"{one.word} ({decimals(one.similarity)})" for one in answers)
