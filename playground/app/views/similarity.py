"""How alike are two words?"""

import math

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.export.python import similarity_code, similarity_matrix_code
from playground.plots.charts import heatmap, strips
from playground.plots.maps import angle_picture
from playground.plots.numbers import decimals
from playground.words.lookup import Lookup, require
from playground.words.neighbors import similarity, similarity_matrix, unit
from playground.words.word_list import read_word_list

TWO, LIST = "Two words", "A list of words"
MOST_WORDS = 30
DEFAULTS = {
    "first": "king",
    "second": "queen",
    "words": "king, queen, man, woman, apple, pear, car, truck",
    "first_zh": "国王",
    "second_zh": "女王",
    "words_zh": "国王, 女王, 男人, 女人, 苹果, 香蕉, 汽车, 卡车",
}
PAIRS = {
    "first": (
        ("coffee and tea", "coffee", "tea"),
        ("paris and france", "paris", "france"),
        ("cat and dog", "cat", "dog"),
        ("bank and river", "bank", "river"),
        ("one that misleads: good and bad", "good", "bad"),
    ),
    "first_zh": (
        ("咖啡 and 茶", "咖啡", "茶"),
        ("巴黎 and 法国", "巴黎", "法国"),
        ("猫 and 狗", "猫", "狗"),
        ("one that misleads: 苹果 and 手机", "苹果", "手机"),
    ),
}
LISTS = {
    "words": (
        ("days and months", "monday, tuesday, sunday, january, march, july"),
        ("opposites, which are near", "hot, cold, good, bad, up, down, big, small"),
        ("animals and tools", "dog, cat, horse, hammer, saw, screwdriver"),
    ),
    "words_zh": (
        ("countries and capitals", "中国, 北京, 日本, 东京, 法国, 巴黎"),
        ("fruit and machines", "苹果, 香蕉, 葡萄, 手机, 电脑, 汽车"),
    ),
}

WHY = """
**The cosine is an agreement, column by column.** Where both words have large numbers of the same sign, it grows;
where the signs differ, it shrinks.

**Unrelated words are seldom at 0.** Frequent words share much of their company, so 0.2 or 0.3 is common here.
Compare cosines with one another rather than with a fixed bound.

**Similar is not the same as related.** *coffee* is near *tea* (both are drinks) and also near *cup* (they go
together). The vectors do not tell these two kinds apart.
"""


def show() -> None:
    frame.question(
        "How alike are two words?",
        "The cosine of the angle between two word vectors: 1 is the same direction, 0 is unrelated.",
    )
    mode = st.segmented_control(
        "Compare",
        [TWO, LIST],
        default=TWO,
        required=True,
        key="compare",
        bind="query-params",
        label_visibility="collapsed",
    )
    if mode == LIST:
        _list()
    else:
        _pair()


def _pair() -> None:
    first_key, second_key, model = by_language("first"), by_language("second"), model_name()
    vectors = vectors_of(model)
    found: list[Lookup] = []
    for key, column, label in zip((first_key, second_key), st.columns(2), ("First word", "Second word"), strict=True):
        with column:
            typed = st.text_input(label, value=DEFAULTS[key], key=key, bind="query-params", max_chars=200)
            text, one, error = settled(key, typed, DEFAULTS[key], lambda word: require(vectors, word))
            if error:
                frame.problem(error, key, f"Still shown: {text}")
            found.append(one)
    names = [one.words[0] if len(one.words) == 1 else one.text.strip() for one in found]
    a, b = (one.vector for one in found)
    assert a is not None and b is not None
    cosine = similarity(vectors, a, b)
    angle = math.degrees(math.acos(cosine))
    sentence = f"{names[0]} and {names[1]}: cosine {decimals(cosine)}, an angle of {angle:.1f}°."
    frame.answer(sentence, *(one.explanation for one in found))
    frame.chart(angle_picture(cosine, names[0], names[1]), sentence)
    st.markdown(f"**Both words: {vectors.vector_size} numbers each**, one a column, on one scale")
    frame.chart(strips(np.stack([a, b]), names), f"the numbers of {names[0]} and {names[1]} as colours")
    terms = unit(a) * unit(b)  # what each column adds to the cosine
    order = np.argsort(-np.abs(terms))[:10]
    st.markdown("**The ten columns that count most**")
    frame.table(
        {
            "column": [int(i) + 1 for i in order],
            "first word": [float(a[i]) for i in order],
            "second word": [float(b[i]) for i in order],
            "adds to the cosine": [float(terms[i]) for i in order],
        },
        "the columns that add most to the cosine",
    )
    frame.explanations(
        formula=lambda: _formula(a, b, cosine),
        python=similarity_code(model, found[0].words, found[1].words),
        picture={
            "column": list(range(1, len(a) + 1)),
            "first word": a.astype(float).tolist(),
            "second word": b.astype(float).tolist(),
            "adds to the cosine": terms.tolist(),
        },
        why=WHY,
    )
    presets = [Preset(label, {first_key: x, second_key: y}) for label, x, y in PAIRS[first_key]]
    frame.try_next("pair", presets)
    frame.footer({"compare": TWO, first_key: found[0].text, second_key: found[1].text})


def _list() -> None:
    key, model = by_language("words"), model_name()
    vectors = vectors_of(model)
    typed = st.text_input("Words, with commas between", value=DEFAULTS[key], key=key, bind="query-params")
    text, found, error = settled(
        key, typed, DEFAULTS[key], lambda words: read_word_list(vectors, words, MOST_WORDS, least=2)
    )
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    words = list(found.words)
    cosine = similarity_matrix(vectors, words)
    upper = [(float(cosine[i, j]), words[i], words[j]) for i in range(len(words)) for j in range(i)]
    (high, *most), (low, *least) = max(upper), min(upper)
    sentence = f"Most alike: {most[1]} and {most[0]} ({decimals(high)})."
    if len(upper) > 1:
        sentence += f" Least alike: {least[1]} and {least[0]} ({decimals(low)})."
    frame.answer(sentence, *found.notes)
    frame.chart(
        heatmap(cosine, words, words, "signed", value_name="cosine", colored=False),
        f"Similarity matrix of {', '.join(words)}. {sentence}",
    )
    frame.explanations(
        formula=lambda: _formula(None, None, None),
        python=similarity_matrix_code(model, words),
        picture={
            "first word": [x for x in words for _ in words],
            "second word": [y for _ in words for y in words],
            "cosine": cosine.ravel().tolist(),
        },
        why=WHY,
    )
    frame.try_next("words", [Preset(label, {key: value}) for label, value in LISTS[key]])
    frame.footer({"compare": LIST, key: text})


def _formula(a: np.ndarray | None, b: np.ndarray | None, cosine: float | None) -> None:
    st.latex(r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}")
    if a is None or b is None or cosine is None:
        st.write("Each cell compares the word of its row with the word of its column. The diagonal is 1.")
        return
    dot, lengths = (
        float(a.astype(float) @ b.astype(float)),
        (float(np.linalg.norm(a)), float(np.linalg.norm(b))),
    )
    st.latex(rf"= \frac{{{dot:.3f}}}{{{lengths[0]:.3f} \cdot {lengths[1]:.3f}}} = {cosine:.4f}")
    st.write("The dot product multiplies the words column by column and adds up; then both lengths are divided out.")


show()
