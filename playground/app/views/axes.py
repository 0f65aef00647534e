"""Where do words lie between poor and rich?"""

import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.errors import PlaygroundError
from playground.export.python import axes_code
from playground.plots.lanes import axis_lane, axis_plane
from playground.plots.numbers import decimals, percent
from playground.words.axes import Axis, Placement, axis, place
from playground.words.word_list import read_word_list

MOST_WORDS = 120
DEFAULTS = {
    "axis_x": "poor - rich, cheap - expensive",
    "axis_y": "",
    "axis_words": "beggar, worker, teacher, doctor, lawyer, banker, king, millionaire, student, farmer",
    "axis_x_zh": "男人 - 女人, 父亲 - 母亲",
    "axis_y_zh": "",
    "axis_words_zh": "国王, 女王, 王子, 公主, 儿子, 女儿, 老师, 医生, 司机, 护士",
}
PRESETS = {
    "axis_x": (
        ("size of animals", "small - big, tiny - huge", "", "ant, mouse, cat, dog, horse, elephant, whale"),
        (
            "size and danger",
            "small - big, tiny - huge",
            "safe - dangerous, harmless - deadly",
            "ant, mouse, cat, dog, wolf, lion, shark, elephant, whale, wasp",
        ),
        ("cold and hot", "cold - hot, cool - warm", "", "ice, snow, winter, spring, summer, desert, fire, soup"),
        (
            "man and woman, at work",
            "man - woman, he - she, father - mother",
            "",
            "nurse, engineer, teacher, doctor, boss, secretary, pilot, dancer",
        ),
        ("one that fails: the days", "early - late", "", "monday, tuesday, wednesday, thursday, friday, saturday"),
    ),
    "axis_x_zh": (
        ("国家和首都", "国家 - 首都", "", "中国, 北京, 日本, 东京, 法国, 巴黎"),
        ("大小", "小型 - 大型", "", "蚂蚁, 老鼠, 猫, 狗, 马, 大象"),
    ),
}

WHY = """
**A difference is a direction.** *rich − poor* is what has to be added to go from one word to the other. Several
pairs with one meaning give a steadier direction: their mean.

**The place of a word is its cosine with that direction.** It says which end the word's company resembles more.

**An axis holds little of a word.** The table says how much of each word the axes leave out; it is usually over
nine tenths. The picture shows one thread of the meaning, not the meaning.

**These are facts about a text, not about people.** The vectors repeat how the newspapers and encyclopedias they were
made from wrote about men and women, rich and poor, so such leanings show what was written, not what is so.
"""


def show() -> None:
    frame.question(
        "Where do words lie between poor and rich?",
        "Two words span a direction. Any other word has a place along it.",
    )
    x_key, y_key, words_key = (by_language(name) for name in ("axis_x", "axis_y", "axis_words"))
    model = model_name()
    vectors = vectors_of(model)
    left, right = st.columns(2)
    with left:
        typed = st.text_input(
            "From – to, one pair or more",
            value=DEFAULTS[x_key],
            key=x_key,
            bind="query-params",
            max_chars=500,
            help="Such as poor - rich, cheap - expensive. The axis is the mean of the pairs' differences.",
        )
        x_text, x_axis, x_error = settled(x_key, typed, DEFAULTS[x_key], lambda text: axis(vectors, _pairs(text)))
        if x_error:
            frame.problem(x_error, x_key, f"Still shown: {x_text}")
    with right:
        typed = st.text_input(
            "A second axis, if you like",
            value="",
            key=y_key,
            bind="query-params",
            max_chars=500,
            placeholder="such as safe - dangerous",
        )
        y_text, y_axis, y_error = settled(
            y_key, typed, "", lambda text: axis(vectors, _pairs(text)) if text.strip() else None
        )
        if y_error:
            frame.problem(y_error, y_key, f"Still shown: {y_text or 'one axis'}")
    typed = st.text_input(
        "Words to place, with commas between", value=DEFAULTS[words_key], key=words_key, bind="query-params"
    )
    words_text, found, error = settled(
        words_key, typed, DEFAULTS[words_key], lambda text: read_word_list(vectors, text, MOST_WORDS)
    )
    if error:
        frame.problem(error, words_key, f"Still shown: {words_text}")
    placement = place(vectors, found.words, x_axis if y_axis is None else (x_axis, y_axis))
    sentence = _sentence(placement)
    frame.answer(sentence, _angle(placement), *found.notes)
    picture = axis_lane(placement) if y_axis is None else axis_plane(placement)
    frame.chart(picture, sentence)
    frame.table(_table(placement), sentence)
    with st.container(gap="xsmall"):
        for one in placement.axes:
            st.text(_agreement(one))
    frame.explanations(
        formula=_formula,
        python=axes_code(model, [one.pairs for one in placement.axes], found.words),
        picture=_table(placement),
        why=WHY,
    )
    presets = [Preset(label, {x_key: x, y_key: y, words_key: words}) for label, x, y, words in PRESETS[x_key]]
    frame.try_next("axes", presets)
    frame.footer({x_key: x_text, y_key: y_text, words_key: words_text})


def _pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `poor - rich, cheap - expensive`; a dash needs spaces only inside hyphenated words."""
    pairs = []
    for piece in text.replace("，", ",").replace("、", ",").replace(";", ",").split(","):
        if not piece.strip():
            continue
        plain = piece.replace("−", "-").replace("–", "-").replace("—", "-").replace("→", "-")
        ends = plain.split(" - ") if " - " in plain else plain.split("-")
        if len(ends) != 2 or not all(end.strip() for end in ends):
            raise PlaygroundError(f"{piece.strip()!r} is not a pair: write two words with a dash, such as poor - rich.")
        pairs.append((ends[0].strip(), ends[1].strip()))
    return pairs


def _sentence(placement: Placement) -> str:
    first = placement.axes[0]
    points = placement.points[:, 0]
    words = placement.words
    if len(words) == 1:
        return f"{words[0]} lies at {decimals(float(points[0]))} between {first.low} (−) and {first.high} (+)."
    low, high = int(points.argmin()), int(points.argmax())
    return (
        f"Nearest to {first.high}: {words[high]} ({decimals(float(points[high]))}). "
        f"Nearest to {first.low}: {words[low]} ({decimals(float(points[low]))})."
    )


def _angle(placement: Placement) -> str:
    held = 1 - float(placement.residual.mean())
    said = f"The {'axis holds' if len(placement.axes) == 1 else 'axes hold'} {percent(held)} of these words on average."
    if placement.angle is not None:
        said += f" The two axes stand at {placement.angle:.0f}°; at 90° they would say different things altogether."
    return said


def _agreement(one: Axis) -> str:
    if len(one.pairs) == 1:
        return f"{one.low} → {one.high}: one pair."
    listed = ", ".join(
        f"{low} → {high} {decimals(float(cosine), 2)}"
        for (low, high), cosine in zip(one.pairs, one.agreement, strict=True)
    )
    return f"How far each pair agrees with its axis (cosine): {listed}."


def _table(placement: Placement) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {"word": list(placement.words)}
    for i, one in enumerate(placement.axes):
        columns[f"{one.low} → {one.high}"] = placement.points[:, i].astype(float).tolist()
    columns["share the axes leave out"] = placement.residual.astype(float).tolist()
    order = sorted(range(len(placement.words)), key=lambda i: -placement.points[i, 0])
    return {name: [values[i] for i in order] for name, values in columns.items()}


def _formula() -> None:
    st.latex(
        r"a = \frac{1}{p}\sum_{i=1}^{p} (u_{\mathrm{to},i} - u_{\mathrm{from},i}), \qquad "
        r"\mathrm{place}(w) = \frac{w \cdot a}{\lVert w\rVert\,\lVert a\rVert}"
    )
    st.write(
        "u are the pairs' words, scaled to length 1; p is the number of pairs. The axis a is the mean of the pairs' "
        "differences. The place of a word w is its cosine with the axis: −1 to 1."
    )


show()
