"""What is king − man + woman?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt
import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.export.python import analogy_code
from playground.plots.maps import Arrow, word_map
from playground.plots.numbers import decimals
from playground.plots.projection import project
from playground.words.analogy import Analogy, analogy
from playground.words.lookup import vector_of
from playground.words.neighbors import Neighbor, unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

TOPN = 8
IN_PICTURE = 4  # answers that the picture shows

DEFAULTS = {"formula": "king - man + woman", "formula_zh": "父亲 - 男人 + 女人"}
PRESETS = {
    "formula": (
        ("paris − france + japan", "paris - france + japan"),
        ("kitten − cat + dog", "kitten - cat + dog"),
        ("walking − walk + swim", "walking - walk + swim"),
        ("beer − germany + france", "beer - germany + france"),
        ("einstein − scientist + painter", "einstein - scientist + painter"),
        ("one that fails: king − male", "king - male"),
    ),
    "formula_zh": (
        ("东京 − 日本 + 法国", "东京 - 日本 + 法国"),
        ("哥哥 − 男人 + 女人", "哥哥 - 男人 + 女人"),
        ("北京 − 中国 + 英国", "北京 - 中国 + 英国"),
        ("老师 − 学校 + 医院", "老师 - 学校 + 医院"),
        ("one that fails: 国王 − 男人 + 女人", "国王 - 男人 + 女人"),
    ),
}

WHY = """
**Each word is a list of numbers.** They were set by reading billions of words: words that stand in similar
company got similar numbers.

**king − man** is what has to be added to *man* to reach *king*: something like royalty. Adding it to *woman*
should lead to a royal woman. The nearest word to that place is the answer.

**The input words are left out by custom.** With them allowed, the nearest word is very often *king* itself,
because *woman − man* is a short step. The famous result needs this custom, and few texts mention it.

**It is a tendency, not a law.** On the usual test list of 19,544 questions such vectors answer about two in
three. "king − male" has only two words, and no word to arrive from: it does not give *queen*.
"""


def show() -> None:
    frame.question(
        "What is king − man + woman?",
        "A word is a list of numbers. Add and subtract the lists, then see which words point the same way.",
    )
    key, model = by_language("formula"), model_name()
    vectors = vectors_of(model)
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    typed = left.text_input("Formula", value=DEFAULTS[key], key=key, bind="query-params", max_chars=500)
    exclude = right.toggle(
        "Leave the input words out",
        value=True,
        key="exclude_inputs",
        bind="query-params",
        help="With the input words allowed, the first word of the formula often wins: the sum has moved only "
        "a short way from it.",
    )
    formula, result, error = settled(
        key, typed, DEFAULTS[key], lambda text: analogy(vectors, text, topn=TOPN, exclude_inputs=exclude)
    )
    if error:
        frame.problem(error, key, f"Still shown: {formula}")
    inputs = {word for found in result.lookups for word in found.words}
    notes = [found.explanation for found in result.lookups]
    frame.answer(_sentence(result, exclude, inputs), *notes)

    picture = _picture(result, vectors)
    frame.chart(picture.chart, f"PCA picture of {formula}. {_sentence(result, exclude, inputs)}")
    frame.table(
        {
            "answer": [one.word for one in result.answers],
            "cosine": [one.similarity for one in result.answers],
            "rank by frequency": [vectors.key_to_index[one.word] + 1 for one in result.answers],
        },
        f"the nearest words to {formula}",
    )
    terms = [(term.factor, found.words) for term, found in zip(result.terms, result.lookups, strict=True)]
    frame.explanations(
        formula=lambda: _formula(result, vectors.vector_size),
        python=analogy_code(model, terms, "3cosadd", exclude, TOPN),
        picture=picture.table,
        why=WHY,
    )
    frame.try_next("analogy", [Preset(label, {key: text}) for label, text in PRESETS[key]])
    frame.footer({key: formula, "exclude_inputs": exclude})


def _sentence(result: Analogy, exclude: bool, inputs: set[str]) -> str:
    first, *others = result.answers
    if not exclude and first.word in inputs:
        rest = f" Without the input words: {_listed([one for one in others if one.word not in inputs][:2])}."
        return f"With the input words allowed, the nearest is {first.word} itself ({decimals(first.similarity)}).{rest}"
    then = f", then {_listed(others[:2])}" if others else ""
    return f"{first.word} ({decimals(first.similarity)}){then}."


def _listed(answers: list[Neighbor]) -> str:
    return " and ".join(f"{one.word} ({decimals(one.similarity)})" for one in answers)


@dataclass(frozen=True)
class _Picture:
    """The PCA picture of a formula, and the same points as a table."""

    chart: alt.LayerChart
    table: dict[str, list[Any]]


def _picture(result: Analogy, vectors: "KeyedVectors") -> _Picture:
    """Draw the words as unit vectors (as the formula adds them), the sum, and the first answers."""
    answers = [one.word for one in result.answers[:IN_PICTURE]]
    inputs = [term.text for term in result.terms]
    matrix = np.stack(
        [
            *(unit(found.vector) for found in result.lookups if found.vector is not None),
            result.vector,
            *(unit(vector_of(vectors, word)) for word in answers),
        ]
    )
    words = [*inputs, result.expression, *answers]
    groups = ["word of the formula"] * len(inputs) + ["the sum"] + ["answer"] * len(answers)
    projection = project(matrix)
    chart = word_map(projection, words, groups, arrows=_arrows(result))
    points = projection.points
    table = {"word": words, "role": groups, "PC 1": points[:, 0].tolist(), "PC 2": points[:, 1].tolist()}
    return _Picture(chart, table)


def _arrows(result: Analogy) -> list[Arrow]:
    """a − b + c is the same step twice: b → a, and c → the sum. Otherwise: each word → the sum."""
    total = len(result.terms)
    factors = [term.factor for term in result.terms]
    if sorted(factors) == [-1.0, 1.0, 1.0]:
        minus = factors.index(-1.0)
        first, second = [i for i in range(3) if i != minus]
        return [Arrow(minus, first), Arrow(second, total, dashed=True)]
    return [Arrow(i, total, dashed=factor < 0) for i, factor in enumerate(factors)]


def _formula(result: Analogy, d: int) -> None:
    signed = " ".join(f"{factor:+g}\\,u_{{{i + 1}}}" for i, factor in enumerate(t.factor for t in result.terms))
    st.latex(rf"t = {signed.removeprefix('+')}, \qquad u_i = \frac{{x_i}}{{\lVert x_i \rVert}}")
    st.latex(r"\cos(t, w) = \frac{t \cdot w}{\lVert t \rVert\, \lVert w \rVert}")
    st.write(
        f"Every word is a vector of {d} numbers, scaled to length 1 before it is added, as gensim does. "
        "The answer is the word w with the greatest cosine: 1 means the same direction, 0 means unrelated."
    )
    frame.table(
        {
            "symbol": [*(f"u{i + 1}" for i in range(len(result.terms))), "t"],
            "word": [*(term.text for term in result.terms), result.expression],
            "factor": [*(term.factor for term in result.terms), 1.0],
            "length before scaling": [
                *(float(np.linalg.norm(found.vector)) for found in result.lookups if found.vector is not None),
                float(np.linalg.norm(result.vector)),
            ],
        },
        "the symbols of the formula",
    )


show()
