"""Which words are near king?"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from playground.app import frame
from playground.app.chips import chips
from playground.app.compare import NONE, other_model
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, fill, model_name, settled
from playground.errors import PlaygroundError, shorten
from playground.export.python import query_code
from playground.plots.charts import bars, strips
from playground.plots.numbers import decimals
from playground.words.forms import word_forms
from playground.words.neighbors import Neighbor, are_mutual, neighbors, overlap
from playground.words.query import Query, read_query

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

DEFAULTS = {"word": "king", "word_zh": "国王"}
PRESETS = {
    "word": (
        ("apple", "apple"),
        ("python", "python"),
        ("monday", "monday"),
        ("the mean of apple and pear", "apple, pear"),
        ("king − man", "king - man"),
        ("one that misleads: hot", "hot"),
    ),
    "word_zh": (
        ("手机", "手机"),
        ("老师", "老师"),
        ("音乐", "音乐"),
        ("北京", "北京"),
        ("one that misleads: 苹果", "苹果"),
    ),
}
SCOPES = {"all words": None, "20,000 most frequent": 20_000, "5,000 most frequent": 5_000}
TRAIL = "trail"
LONGEST_TRAIL = 12

WHY = """
**Near means: seen in the same company.** The vectors were made by counting which words stand together in
billions of words of text. Words that could take each other's place got similar numbers.

**So opposites are near.** *hot* and *cold* stand beside the same words (weather, water, summer). The vectors
know that they belong together, and hardly that they are opposite.

**One word, one vector.** *apple* the fruit and *apple* the company share one list of numbers, a mixture of both.
Attention is the remedy: it moves a word's vector by its sentence.

**Cosine, not distance.** The cosine looks at the direction only. The length of a vector says more about how often
a word occurs than about what it means.
"""


@dataclass(frozen=True)
class _Options:
    """How neighbours are looked for."""

    topn: int
    restrict_vocab: int | None
    no_forms: bool


def show() -> None:
    frame.question(
        "Which words are near king?",
        "Type a word. The words whose vectors point most nearly the same way are its nearest neighbours.",
    )
    key, model = by_language("word"), model_name()
    vectors = vectors_of(model)
    left, middle, right, more = st.columns([3, 1.2, 1.8, 1], vertical_alignment="bottom")
    typed = left.text_input(
        "Word, list or formula",
        value=DEFAULTS[key],
        key=key,
        bind="query-params",
        max_chars=500,
        help="One word, several with commas between (their mean), or a formula such as king - man.",
    )
    topn = middle.number_input("How many", 3, 50, 10, key="neighbors_topn", bind="query-params")
    scope = right.selectbox("Among", list(SCOPES), key="among", bind="query-params")
    with more.popover("Options", width="stretch"):
        no_forms = st.toggle(
            "Leave out its own forms",
            key="no_forms",
            bind="query-params",
            help="Its plural, possessive and regular verb endings: kings, king's.",
        )
        other = other_model("neighbors_other")
    options = _Options(topn, SCOPES[scope], no_forms)
    text, query, error = settled(key, typed, DEFAULTS[key], lambda words: read_query(vectors, words))
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    near = _near(vectors, query, options)
    sentence = _sentence(query.name, near)
    frame.answer(sentence, *query.readings)
    words = [one.word for one in near]
    mutual = are_mutual(vectors, query.vector, near, exclude_forms=no_forms, restrict_vocab=options.restrict_vocab)
    if other is None:
        _bars(near, mutual, sentence)
    else:
        _side_by_side(text, model, near, mutual, other, options)
    _walk(key, query, words)

    st.markdown(f"**The vector itself: {vectors.vector_size} numbers**, one a column; blue above 0, red below")
    strip = strips(query.vector[None, :], [query.name], colored=False, legend=False)
    frame.chart(strip, f"the numbers of {query.name} as colours")
    frame.explanations(
        formula=_formula,
        python=query_code(model, text, query.words, topn, options.restrict_vocab, no_forms),
        picture={
            "neighbour": words,
            "cosine": [one.similarity for one in near],
            "rank by frequency": [one.frequency_rank for one in near],
            "mutual": ["yes" if one else "no" for one in mutual],
        },
        why=WHY,
    )
    frame.try_next("word", [Preset(label, {key: word}) for label, word in PRESETS[key]])
    frame.footer(
        {
            key: text,
            "neighbors_topn": topn,
            "among": scope,
            "no_forms": no_forms,
            "neighbors_other": other or NONE,
        }
    )


def _near(vectors: "KeyedVectors", query: Query, options: _Options) -> list[Neighbor]:
    forms = {form for word in query.words for form in word_forms(vectors, word)} if options.no_forms else set()
    return neighbors(
        vectors,
        query.vector,
        options.topn,
        exclude={*query.words, *forms},
        restrict_vocab=options.restrict_vocab,
    )


def _sentence(name: str, near: list[Neighbor]) -> str:
    if not near:
        return f"{name} has no neighbours here."
    named = [f"{one.word} ({decimals(one.similarity)})" for one in near[:3]]
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"Nearest to {shorten(name)}: {listed}."


def _bars(near: list[Neighbor], mutual: list[bool], said: str) -> None:
    words, values = [one.word for one in near], [one.similarity for one in near]
    frame.chart(bars(words, values, "cosine similarity", strong=mutual), said)
    count = sum(mutual)
    st.caption(
        f"Full colour: mutual neighbours, {count} of {len(near)} here. The word is also among *their* nearest "
        f"{len(near)}. Pale: near to this word, but at least {len(near)} other words are nearer to it."
    )


def _side_by_side(
    text: str, model: str, near: list[Neighbor], mutual: list[bool], other: str, options: _Options
) -> None:
    """Show the same question to two sets of vectors, and what their answers share."""
    left, right = st.columns(2)
    with left:
        st.markdown("**These vectors**")
        st.text(model)
        _bars(near, mutual, _sentence(text, near))
    with right:
        st.markdown("**The others**")
        st.text(other)
        vectors = vectors_of(other)
        try:
            query = read_query(vectors, text)
        except PlaygroundError as error:
            st.text(str(error))
            return
        theirs = _near(vectors, query, options)
        _bars(theirs, are_mutual(vectors, query.vector, theirs), _sentence(text, theirs))
    both = overlap(near, theirs)
    shared = f": {', '.join(both.shared)}" if both.shared else ""
    st.text(f"{len(both.shared)} of {len(near)} neighbours are the same in both{shared}.")


def _walk(key: str, query: Query, words: list[str]) -> None:
    """Show the neighbours as steps to walk on, and the trail of words walked through."""
    name = query.name
    trail = [one for one in st.session_state.get(TRAIL, []) if one != name]

    def step_to(index: int) -> None:
        st.session_state[TRAIL] = [*trail, name][-LONGEST_TRAIL:]
        fill({key: words[index]})

    def back_to(index: int) -> None:
        st.session_state[TRAIL] = trail[:index]
        fill({key: trail[index]})

    st.markdown("**Walk on** to a neighbour:")
    chips("walk_on", words, step_to, label="walk on to a neighbour")
    if trail:
        st.markdown("**Your trail**, to walk back:")
        chips("walk_back", trail, back_to, label="the words you came by")


def _formula() -> None:
    st.latex(
        r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert} = "
        r"\frac{\sum_i a_i b_i}{\sqrt{\sum_i a_i^2}\,\sqrt{\sum_i b_i^2}}"
    )
    st.write(
        "a and b are the two words' vectors. The dot product a · b multiplies them column by column and adds up. "
        "Divided by both lengths, it is 1 for the same direction, 0 for a right angle, −1 for opposite directions."
    )


show()
