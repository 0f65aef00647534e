"""Which apple?"""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.meaning_parts import (
    Choice,
    anchor_table,
    answer_sentence,
    meaning_picture,
    neighbor_table,
    score_panel,
    side,
)
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.context import Context, anchor_cosines, contextualize, occurrences
from playground.errors import PlaygroundError
from playground.export.python import context_code
from playground.words.tokens import tokenize
from playground.words.word_list import split_words

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

TOPN = 8
REMOVED = 3  # principal components that the prepared space leaves out
DEFAULTS = {
    "meaning_word": "apple",
    "meaning_one": "apple company invented phones",
    "meaning_two": "apple pie with fruit juice",
    "meaning_anchors": "microsoft, pear",
    "meaning_word_zh": "苹果",
    "meaning_one_zh": "苹果发布新款手机",
    "meaning_two_zh": "苹果是一种水果",
    "meaning_anchors_zh": "诺基亚, 香蕉",
}
# label, word, first sentence, second sentence, anchors
PRESETS = {
    "meaning_word": (
        (
            "mouse",
            "mouse",
            "click the icon with the mouse and type on the keyboard",
            "the cat chased a mouse and a rat in the barn",
            "keyboard, rat",
        ),
        (
            "java",
            "java",
            "a java program with classes and code",
            "volcano on java island in indonesia",
            "perl, sumatra",
        ),
        (
            "mercury",
            "mercury",
            "the planet mercury moves in an orbit very close to the sun",
            "fish from the polluted water contained toxic mercury and other metals",
            "jupiter, arsenic",
        ),
        (
            "bank",
            "bank",
            "the bank raised the interest rate on her loan",
            "bank river water flood",
            "mortgage, riverbank",
        ),
        (
            "one that fails: the apple fell on the computer",
            "apple",
            "the apple fell on the computer",
            "apple is not a fruit company",
            "microsoft, pear",
        ),
        (
            "one that fails: a golfer's club",
            "club",
            "the golfer chose a club from his bag",
            "the club won the cup in the final",
            "putter, football",
        ),
    ),
    "meaning_word_zh": (("小米", "小米", "小米发布新款手机", "农民种植小米和玉米", "诺基亚, 玉米"),),
}

WHY = """
**A dictionary vector mixes all meanings of a word.** *apple* lies between the fruits and the firms. Its sentence
can decide.

**Attention moves it.** The word looks at the others, takes their average by weights, and goes part of the way there:
the strength *a*. Words that suit one meaning pull it to that side.

**Why the word may not look at itself here.** It is always most similar to itself, so nearly all of the weight would
stay there and nothing would move. Switch it off and see.

**Why common components are removed.** All word vectors share a direction and a few strong ones (frequent or rare, name
or not). They drown the meaning in every dot product.

**A bag of words knows no grammar.** "The apple fell on the computer" makes *apple* a firm: *computer* is the word it
looks at. "not a fruit company" counts as fruit and company; *not* is just one more word.
"""


def show() -> None:
    frame.question(
        "Which apple?",
        "One word in two sentences: attention moves its vector, and its neighbours change.",
    )
    keys = {name: by_language(f"meaning_{name}") for name in ("word", "one", "two", "anchors")}
    model = model_name()
    vectors = vectors_of(model)
    left, right, more = st.columns([1.5, 3, 1], vertical_alignment="bottom")
    typed_word = left.text_input(
        "Word", value=DEFAULTS[keys["word"]], key=keys["word"], bind="query-params", max_chars=100
    )
    typed_anchors = right.text_input(
        "Compare with (anchor words)",
        value=DEFAULTS[keys["anchors"]],
        key=keys["anchors"],
        bind="query-params",
        max_chars=300,
    )
    choice = _options(more)
    first, second = st.columns(2)
    contexts: list[Context] = []
    texts: list[str] = []
    for name, column, label in (("one", first, "First sentence"), ("two", second, "Second sentence")):
        with column:
            key = keys[name]
            typed = st.text_input(label, value=DEFAULTS[key], key=key, bind="query-params", max_chars=5000)
            both, context, error = settled(
                f"{key}_both",
                f"{typed_word}\n{typed}",
                f"{DEFAULTS[keys['word']]}\n{DEFAULTS[key]}",
                partial(_context, vectors, choice, f"{key}_place"),
            )
            if error:
                frame.problem(error, key, f"Still shown: {both.replace(chr(10), ': ')}")
            contexts.append(context)
            texts.append(both.partition("\n")[2])
    frame.answer(*answer_sentence(contexts))
    one, two = contexts
    if one.word == two.word:
        picture = meaning_picture(vectors, one, two)
        frame.chart(picture.chart, answer_sentence(contexts)[0])
    else:
        picture = None
        st.text("The two sentences move different words, so there is no common picture.")
    for column, context in zip(st.columns(2), contexts, strict=True):
        with column:
            side(context)
    st.markdown("**The nearest words, before and after**")
    frame.table(neighbor_table(contexts), "the nearest words before and after each sentence")
    anchors, anchor_error = _anchors(vectors, contexts, typed_anchors)
    if anchor_error:
        frame.problem(anchor_error, keys["anchors"])
    if anchors:
        st.markdown("**Cosine with the anchor words**")
        cosines = anchor_cosines(vectors, contexts, anchors)
        frame.table(anchor_table(anchors, cosines), "the cosine with each anchor before and after")
    score_panel(model, vectors, choice)
    frame.explanations(
        formula=_formula,
        python=context_code(model, [(one.tokens, one.position), (two.tokens, two.position)], choice.as_arguments()),
        picture=picture.table if picture else neighbor_table(contexts),
        why=WHY,
    )
    presets = [Preset(label, dict(zip(keys.values(), inputs, strict=True))) for label, *inputs in PRESETS[keys["word"]]]
    frame.try_next("meaning", presets)
    frame.footer(
        {
            keys["word"]: typed_word,
            keys["one"]: texts[0],
            keys["two"]: texts[1],
            keys["anchors"]: typed_anchors,
            **choice.link(),
        }
    )


def _options(place: "st.delta_generator.DeltaGenerator") -> Choice:
    with place.popover("Options", width="stretch"):
        strength = st.slider("Strength a", 0.0, 1.0, 0.6, 0.05, key="meaning_strength", bind="query-params")
        block = st.toggle("The word may not look at itself", True, key="meaning_block", bind="query-params")
        remove = st.toggle("Remove common components", True, key="meaning_remove", bind="query-params")
        positions = st.toggle("Add positions", False, key="meaning_positions", bind="query-params")
    return Choice(strength, block, REMOVED if remove else 0, positions)


def _context(vectors: "KeyedVectors", choice: Choice, place_key: str, pair: str) -> Context:
    """Return the context of a word in a sentence, "word\\nsentence"; a repeated word can be chosen by number."""
    word, _, text = pair.partition("\n")
    tokens = tokenize(vectors, text)
    if not tokens:
        raise PlaygroundError("The sentence is empty: type at least two words.")
    found = occurrences(vectors, tokens, word)
    place = 1
    if len(found) > 1:
        place = st.number_input(f"Which of the {len(found)} places of the word", 1, len(found), 1, key=place_key)
    return contextualize(
        vectors,
        tokens,
        found[place - 1],
        choice.strength,
        block_diagonal=choice.block,
        remove_components=choice.remove,
        positions=choice.positions,
        topn=TOPN,
    )


def _anchors(vectors: "KeyedVectors", contexts: list[Context], text: str) -> tuple[list[str], PlaygroundError | None]:
    anchors = split_words(text)[:12]
    try:
        if anchors:
            anchor_cosines(vectors, contexts, anchors)
    except PlaygroundError as error:
        return [], error
    return anchors, None


def _formula() -> None:
    st.latex(
        r"\alpha = \mathrm{softmax}\!\left(\frac{x\,S^{\top}}{\sqrt{d}}\right), \qquad "
        r"x' = (1-a)\,x + a\,\alpha S"
    )
    st.write(
        "S holds the words of the sentence, one a row, in the prepared space: the mean and the first three principal "
        "components removed, each row scaled to length √d. x is the word's own row. α are its weights, a the strength. "
        "There is nothing learnt in it beyond the word vectors."
    )


show()
