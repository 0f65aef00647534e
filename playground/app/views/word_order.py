"""Who hits whom? Two sentences of the same words."""

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.models import vectors_of
from playground.app.sentence import Sentence, read_sentence
from playground.app.state import by_language, model_name, settled
from playground.app.why.inputs import one_random_head
from playground.attention.experiments.order import OrderChange, compare_orders, same_words
from playground.attention.multihead import MultiHeadAttention
from playground.errors import PlaygroundError
from playground.export.experiments import word_order_code
from playground.plots.charts import strips
from playground.plots.numbers import decimals

IDENTITY, RANDOM = "identity", "random"
MOST_TOKENS = 24
DEFAULTS = {
    "order_first": "john hit mary",
    "order_second": "mary hit john",
    "order_first_zh": "老师批评学生",
    "order_second_zh": "学生批评老师",
}
PRESETS = {
    "order_first": (
        ("the dog bites the man", "the dog bites the man", "the man bites the dog"),
        ("only three wishes", "only she said that she loved him", "she said that only she loved him"),
        ("one that fails: other words", "john hit mary", "john hit bill"),
        ("one that fails: a mirror", "john saw john", "john saw john"),
    ),
    "order_first_zh": (
        ("猫追狗", "猫 追 狗", "狗 追 猫"),
        ("父亲喜欢儿子", "父亲喜欢儿子", "儿子喜欢父亲"),
        ("one that fails: other words", "老师批评学生", "老师批评孩子"),
    ),
}

WHY = """
**Attention adds up, and a sum has no order.** Each output is a weighted sum over all words of the sentence. Both
sentences hold the same words, so both sums have the same terms.

**Exactly means bit for bit.** On a computer even a sum can depend on its order, in the last digit. Here every sum is
rounded only once, at its end, so that this cannot happen. The small grey line says what ordinary sums leave.

**Positions break the tie.** *john* at place 1 is no longer the same input as *john* at place 3. The queries, keys and
values all change, and so do the outputs.

**The limits.** Different is not yet understood. These projections are not trained, so nothing here knows what a subject
is. Positions only make it possible to learn it.
"""


def show() -> None:
    frame.question(
        "Who hits whom?",
        "Two sentences of the same words in another order: does attention notice? With and without positions.",
    )
    first_key, second_key, model = by_language("order_first"), by_language("order_second"), model_name()
    texts, sentences = [], []
    for key, column, label in zip((first_key, second_key), st.columns(2), ("One sentence", "The other"), strict=True):
        with column:
            text, sentence = _sentence(key, label)
            texts.append(text)
            sentences.append(sentence)
    one, two, three = st.columns([1.2, 1, 1.2], vertical_alignment="bottom")
    projections = one.segmented_control(
        "Projections", [IDENTITY, RANDOM], default=IDENTITY, required=True, key="order_projections", bind="query-params"
    )
    seed = int(
        two.number_input("Seed", 0, 9999, 0, key="order_seed", bind="query-params", disabled=projections == IDENTITY)
    )
    strength = three.slider(
        "Positions are multiplied by", 0.0, 4.0, 1.0, 0.25, key="order_strength", bind="query-params"
    )
    a, b = (sentence.tokens[:MOST_TOKENS] for sentence in sentences)
    places = same_words(a, b)
    values = {
        first_key: texts[0],
        second_key: texts[1],
        "order_projections": projections,
        "order_seed": seed,
        "order_strength": strength,
    }
    if places:
        x_first, x_second = (sentence.x[:MOST_TOKENS] for sentence in sentences)
        d_model = x_first.shape[1]
        layer = MultiHeadAttention.identity(d_model) if projections == IDENTITY else one_random_head(d_model, seed)
        run = compare_orders(layer, x_first, x_second, places, strength)
        _result(run, a, b, sentences, strength)
        frame.explanations(
            formula=_formula,
            python=word_order_code(model, (a, b), places, strength, projections, seed),
            picture=_columns(run, a),
            why=WHY,
        )
    else:
        frame.answer("The two sentences have no word in common, so there is nothing to compare.")
    presets = [Preset(label, {first_key: x, second_key: y}) for label, x, y in PRESETS[first_key]]
    frame.try_next("order", [*presets, Preset("positions times 0", {"order_strength": 0.0})])
    frame.footer(values)


def _sentence(key: str, label: str) -> tuple[str, Sentence]:
    vectors = vectors_of(model_name())
    typed = st.text_input(label, value=DEFAULTS[key], key=key, bind="query-params", max_chars=1000)
    text, sentence, error = settled(key, typed, DEFAULTS[key], lambda words: read_sentence(vectors, words))
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    return text, sentence


def _result(run: OrderChange, a: list[str], b: list[str], sentences: list[Sentence], strength: float) -> None:
    words = [a[i] for i, _ in run.places]
    without, placed = (np.linalg.norm(change, axis=1) for change in (run.without, run.with_positions))
    said = _said(words, without, placed)
    cut = any(len(sentence.tokens) > MOST_TOKENS for sentence in sentences)
    frame.answer(
        said,
        _other_words(a, b),
        f"Summed in the order of the words, as programs do, rounding leaves up to {run.rounding:.0e} without positions."
        if not without.any() and run.rounding
        else "",
        f"The first {MOST_TOKENS} words of each sentence take part." if cut else "",
        *dict.fromkeys(note for sentence in sentences for note in sentence.notes),
    )
    extent = float(max(np.abs(run.without).max(), np.abs(run.with_positions).max())) or 1.0
    for title, change in (("Without positions", run.without), ("With positions", run.with_positions)):
        st.markdown(f"**{title}**: each word's output in the other sentence, less that in the first")
        last = change is run.with_positions
        frame.chart(
            strips(change, words, extent=extent, value_name="difference", legend=last, tallest=150),
            f"{title}: the differences of the outputs as strips of colour. {said}",
        )
    st.markdown("**The difference of each word's output, in numbers**")
    frame.table(
        {
            "word": words,
            "place in one": [i + 1 for i, _ in run.places],
            "in the other": [j + 1 for _, j in run.places],
            "length, without positions": without.tolist(),
            "length, with positions": placed.tolist(),
            "largest column, with": np.abs(run.with_positions).max(axis=1).tolist(),
            "length of the output, with": np.linalg.norm(run.first, axis=1).tolist(),
        },
        said,
    )


def _said(words: list[str], without: np.ndarray, placed: np.ndarray) -> str:
    most = int(placed.argmax())
    if without.any():
        word = int(without.argmax())
        return (
            f"Even without positions the output of {words[word]} differs, by {decimals(float(without[word]), 2)}: "
            "the sentences do not hold the same words."
        )
    same = "Without positions each word's output is exactly the same in both: difference 0."
    if not placed.any():
        return f"{same} And with positions too: every word stands where it stood, or positions are multiplied by 0."
    return f"{same} With positions that of {words[most]} moves by {decimals(float(placed[most]), 2)}."


def _other_words(a: list[str], b: list[str]) -> str:
    only = [word for word in dict.fromkeys([*a, *b]) if a.count(word) != b.count(word)]
    return f"Not the same number of times in both: {', '.join(only)}." if only else ""


def _columns(run: OrderChange, a: list[str]) -> dict[str, list[object]]:
    places = list(np.ndindex(*run.without.shape))
    return {
        "word": [a[run.places[i][0]] for i, _ in places],
        "column": [column + 1 for _, column in places],
        "without positions": run.without.ravel().tolist(),
        "with positions": run.with_positions.ravel().tolist(),
    }


def _formula() -> None:
    st.latex(
        r"o_i = \sum_j \mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}}\right) v_j, \qquad x_i \to x_i + PE_i"
    )
    st.write(
        "o_i is the output of word i; q, k and v are its query, and the keys and values of all words. The sum over j "
        "has no order. Adding PE_i, the position, before the projections makes x_i depend on its place. The table "
        "gives lengths: the root of the sum of squares of all columns."
    )


try:
    show()
except PlaygroundError as error:
    frame.answer(str(error))
