"""Which words are near king?"""

import streamlit as st

from playground.app import frame
from playground.app.chips import chips
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, fill, model_name, settled
from playground.export.python import neighbors_code
from playground.plots.charts import bars, strips
from playground.plots.numbers import decimals
from playground.words.lookup import require
from playground.words.neighbors import neighbors

DEFAULTS = {"word": "king", "word_zh": "国王"}
PRESETS = {
    "word": ("apple", "python", "good", "monday", "frog", "one that misleads: hot"),
    "word_zh": ("手机", "老师", "音乐", "北京", "one that misleads: 苹果"),
}
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


def show() -> None:
    frame.question(
        "Which words are near king?",
        "Type a word. The words whose vectors point most nearly the same way are its nearest neighbours.",
    )
    key, model = by_language("word"), model_name()
    vectors = vectors_of(model)
    left, middle, right = st.columns([3, 1.3, 1.7], vertical_alignment="bottom")
    typed = left.text_input("Word", value=DEFAULTS[key], key=key, bind="query-params", max_chars=200)
    topn = middle.number_input(
        "How many", min_value=3, max_value=50, value=10, step=1, key="neighbors_topn", bind="query-params"
    )
    scope = right.selectbox(
        "Among",
        ["all words", "20,000 most frequent", "5,000 most frequent"],
        key="among",
        bind="query-params",
    )
    limit = None if scope == "all words" else int(scope.split(" ")[0].replace(",", ""))
    word, near, error = settled(
        key, typed, DEFAULTS[key], lambda text: neighbors(vectors, text, topn, restrict_vocab=limit)
    )
    if error:
        frame.problem(error, key, f"Still shown: {word}")
    found = require(vectors, word)
    name = found.words[0] if len(found.words) == 1 else word.strip()
    listed = " and ".join(
        [", ".join(f"{one.word} ({decimals(one.similarity)})" for one in near[:2])]
        + [f"{one.word} ({decimals(one.similarity)})" for one in near[2:3]]
    )
    sentence = f"Nearest to {name}: {listed}."
    frame.answer(sentence, found.explanation)
    words = [one.word for one in near]
    frame.chart(bars(words, [one.similarity for one in near], "cosine similarity"), sentence)
    _walk(key, name, words)

    with st.container(gap="xsmall"):
        st.markdown(f"**The word itself: {vectors.vector_size} numbers**, one a column; blue above 0, red below")
        assert found.vector is not None
        frame.chart(
            strips(found.vector[None, :], [name], colored=False, legend=False), f"the numbers of {name} as colours"
        )
    rank = [vectors.key_to_index[one] + 1 for one in words]
    cosine = [one.similarity for one in near]
    frame.explanations(
        formula=_formula,
        python=neighbors_code(model, found.words, topn, limit),
        picture={"neighbour": words, "cosine": cosine, "rank by frequency": rank},
        why=WHY,
    )
    frame.try_next("word", [Preset(text, {key: text.split(": ")[-1]}) for text in PRESETS[key]])
    frame.footer({key: word, "neighbors_topn": topn, "among": scope})


def _walk(key: str, name: str, words: list[str]) -> None:
    """Show the neighbours as steps to walk on, and the trail of words walked through."""
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
