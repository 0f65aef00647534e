"""What is king − man + woman?"""

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.analogy_parts import analogy_picture, answer_sentence, expectation
from playground.app.compare import NONE, other_model
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.errors import PlaygroundError
from playground.export.python import analogy_code
from playground.plots.numbers import decimals
from playground.words.analogy import Analogy, Method, analogy
from playground.words.analogy_details import contributions

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

TOPN = 8
METHODS: dict[str, Method] = {"3CosAdd": "3cosadd", "3CosMul": "3cosmul"}
RULES = (
    "3CosAdd takes the cosine with the sum. 3CosMul multiplies the similarities, so that no single word of the "
    "formula can outweigh the others (Levy and Goldberg 2014)."
)

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
    expected_key = by_language("expected")
    vectors = vectors_of(model)
    left, middle, right = st.columns([3, 1.7, 0.9], vertical_alignment="bottom")
    typed = left.text_input("Formula", value=DEFAULTS[key], key=key, bind="query-params", max_chars=500)
    exclude = middle.toggle(
        "Leave the input words out",
        value=True,
        key="exclude_inputs",
        bind="query-params",
        help="With the input words allowed, the first word of the formula often wins: the sum has moved only "
        "a short way from it.",
    )
    with right.popover("Options", width="stretch"):
        rule = st.segmented_control(
            "Rank by", list(METHODS), default="3CosAdd", required=True, key="method", bind="query-params", help=RULES
        )
        expected = st.text_input(
            "The answer you expect", key=expected_key, bind="query-params", max_chars=100, placeholder="such as queen"
        )
        other = other_model("analogy_other")
    method = METHODS[rule]
    formula, result, error = settled(
        key, typed, DEFAULTS[key], lambda text: analogy(vectors, text, TOPN, method, exclude_inputs=exclude)
    )
    if error:
        frame.problem(error, key, f"Still shown: {formula}")
    notes = [found.explanation for found in result.lookups]
    sentence = answer_sentence(result)
    frame.answer(sentence, *notes, expectation(vectors, result, expected))

    picture = analogy_picture(vectors, result)
    frame.chart(picture.chart, f"PCA picture of {formula}. {sentence}")
    if picture.angle:
        st.text(picture.angle)
    _numbers(vectors, result, other, rule)
    terms = [(term.factor, found.words) for term, found in zip(result.terms, result.lookups, strict=True)]
    frame.explanations(
        formula=lambda: _formula(result, vectors.vector_size),
        python=analogy_code(model, terms, method, exclude, TOPN),
        picture=picture.table,
        why=WHY,
    )
    frame.try_next("analogy", [Preset(label, {key: text, expected_key: ""}) for label, text in PRESETS[key]])
    frame.footer(
        {
            key: formula,
            "exclude_inputs": exclude,
            "method": rule,
            expected_key: expected,
            "analogy_other": other or NONE,
        }
    )


def _numbers(vectors: "KeyedVectors", result: Analogy, other: str | None, rule: str) -> None:
    """Show the ranked answers, those of other vectors, and how the winner's cosine comes about."""
    score = "cosine" if result.method == "3cosadd" else "3CosMul"
    left, right = st.columns(2)
    with left:
        st.markdown("**The nearest words**")
        frame.table(_answers(result, score), f"the nearest words to {result.expression}")
    with right:
        if other is not None:
            st.markdown("**The same formula in the other vectors**")
            try:
                theirs = analogy(
                    vectors_of(other), result.expression, TOPN, result.method, exclude_inputs=bool(result.excluded)
                )
                frame.table(_answers(theirs, score), f"the nearest words to {result.expression} in {other}")
            except PlaygroundError as error:
                st.text(str(error))
        elif result.answers:
            parts = contributions(vectors, result)
            st.markdown("**What each word adds to the winner's cosine**")
            frame.table(
                {
                    "word": [found.text.strip() for found in result.lookups],
                    "factor": result.factors.tolist(),
                    "cosine with the winner": parts.cosines.tolist(),
                    "adds": parts.parts.tolist(),
                },
                f"what each word adds to the cosine of {parts.word}",
            )
            st.caption(
                f"adds = factor × cosine ÷ {parts.length:.3f}, the length of the sum. "
                f"Together: {decimals(parts.cosine)}, the winner's cosine."
                + ("" if result.method == "3cosadd" else " (3CosMul multiplies instead, so it ranks otherwise.)")
            )


def _answers(result: Analogy, score: str) -> dict[str, list[Any]]:
    return {
        "answer": [one.word for one in result.answers],
        score: [one.similarity for one in result.answers],
        "rank by frequency": [one.frequency_rank for one in result.answers],
    }


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
