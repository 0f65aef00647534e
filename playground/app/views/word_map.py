"""What does a map of words look like?"""

import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.app.themes import THEMES
from playground.export.python import projection_code
from playground.plots.maps import word_map
from playground.plots.numbers import percent
from playground.plots.projection import Projection, project
from playground.words.word_list import read_word_list

MOST_WORDS = 200
FLAT, DEEP = "2-D", "3-D"

WHY = """
**PCA looks for the direction in which these words differ most**, then the next, at a right angle to the first.
Each word is then drawn at its place along these two directions (or three).

**The rest is thrown away.** A list of 100 numbers does not fit into two. The shares of variance say how much of
the words' differences the picture holds; often it is less than half. Two words that touch in the picture may be
far apart in the directions left out.

**The axes have no names.** They belong to this list of words: add a word, and they may turn. Their sign is
fixed by a rule (the largest loading is positive), so the picture does not flip by chance.
"""


def show() -> None:
    frame.question(
        "What does a map of words look like?",
        "A hundred numbers a word, pressed flat: PCA draws the directions in which your words differ most.",
    )
    key, model = by_language("map_words"), model_name()
    vectors = vectors_of(model)
    themes = THEMES[key]
    left, right = st.columns([4, 1])
    default = next(iter(themes.values()))
    typed = left.text_area(
        "Words, one group a line", value=default, key=key, bind="query-params", height=96, max_chars=20_000
    )
    with right:
        dims = st.segmented_control(
            "Picture", [FLAT, DEEP], default=FLAT, required=True, key="map_dims", bind="query-params"
        )
    text, found, error = settled(key, typed, default, lambda words: read_word_list(vectors, words, MOST_WORDS))
    if error:
        frame.problem(error, key, "Still shown: the words of before.")
    words, groups = list(found.words), [group or "words" for group in found.groups]
    projection = project(found.matrix, dims=3 if dims == DEEP else 2)
    sentence = _sentence(projection, len(words))
    frame.answer(sentence, projection.note, *found.notes)
    if dims == DEEP:
        from playground.plots.space import word_space

        st.plotly_chart(word_space(projection, words, groups), width="stretch", alt=f"3-D map of words. {sentence}")
    else:
        frame.chart(word_map(projection, words, groups), f"Map of {', '.join(words[:40])}. {sentence}")
    columns = {f"PC {i + 1}": projection.points[:, i].tolist() for i in range(projection.points.shape[1])}
    frame.explanations(
        formula=lambda: _formula(projection, vectors.vector_size),
        python=projection_code(model, words, projection.points.shape[1]),
        picture={"word": words, "group": groups, **columns},
        why=WHY,
    )
    frame.try_next("map", [Preset(name, {key: value}) for name, value in themes.items()])
    frame.footer({key: text, "map_dims": dims})


def _sentence(projection: Projection, n: int) -> str:
    ratio = projection.explained_variance_ratio
    assert ratio is not None  # this view draws PCA only
    if not ratio.any():
        return "There is no spread to draw."
    axes = "three" if len(ratio) == 3 else "two"
    return f"These {axes} axes hold {percent(float(ratio.sum()))} of the differences among {n} words."


def _formula(projection: Projection, d: int) -> None:
    st.latex(r"Z = (X - \bar{x})\,A^{\top}")
    st.write(
        f"X holds the words, one a row of {d} numbers; x̄ is their mean. The rows of A are the principal axes: the "
        "directions of greatest variance, from the singular value decomposition of X − x̄. Z is what you see."
    )
    ratio = projection.explained_variance_ratio
    if ratio is not None:
        frame.table(
            {"axis": [f"PC {i + 1}" for i in range(len(ratio))], "share of the variance": ratio.tolist()},
            "the share of variance of each axis",
        )


show()
