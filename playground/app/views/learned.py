"""What have these heads learnt?"""

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.learned_parts import (
    LEARNED,
    all_weights,
    arcs_of,
    card_table,
    learned_layer,
    looks_sentence,
    relation_sentence,
    small_maps,
    three_layers,
)
from playground.app.models import vectors_of
from playground.app.state import settled
from playground.attention.learned import resting
from playground.errors import PlaygroundError
from playground.export.python import learned_code
from playground.plots.arcs import arcs
from playground.plots.numbers import percent
from playground.words.tokens import known_form, tokenize

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

FIRST = 2  # the head shown on arrival: verb → its subject
MOST_TOKENS = 30  # eight maps of more words than this cannot be read
DEFAULT = "the dog bites the man"
PRESETS = (
    ("the man bites the dog", "the man bites the dog"),
    ("the teacher praised the student", "the teacher praised the student"),
    ("the old man gave the book …", "the old man gave the book to a young girl"),
    ("one that fails: the boy with the red hat", "the boy with the red hat saw the girl"),
    ("one that fails: the horse raced …", "the horse raced past the barn fell"),
)
REASONS = {
    "the boy with the red hat saw the girl": "Here the verb should look back at boy, and boy at saw. The heads take "
    "hat or red instead: they see words and places, not that 'with the red hat' is a phrase of its own.",
    "the horse raced past the barn fell": "Here the horse fell, and 'raced past the barn' says which horse. One layer "
    "sees words and places, not clauses: it takes the noun beside fell.",
}

WHY = """
**These heads were taught.** For each relation, a treebank (sentences marked by people) said which word every word
should look at, and W_Q and W_K were changed step by step until the head looked there. Here, in NumPy, within minutes.

**In a real Transformer nobody assigns the heads.** They learn from guessing hidden words, and some come to look along
such relations by themselves. Clark et al. 2019 measured single heads of BERT, which nobody had taught: subject 58.5 %,
object 86.8 %, determiner 94.3 %, adjective 75.6 %, on another treebank. That is context, not a contest.

**The baseline is the best fixed distance**, such as "always one word to the right". A head has learnt something
only by as much as it beats that.

**A head fires where its relation is absent, too.** Softmax must give its weight to something. These heads may rest on
[start]: a row with most of its weight there found nothing, and is faded.

**Whose verb?** The treebank hangs the subject of "she is happy" on *happy*. Both verb heads were taught and tested only
where the subject's word is a verb. Over all subjects they would be right for 60 % (subject) and 70 % (verb).

**Why they fail.** They see one layer of words and places, no phrases. A word far away, a rare word, or two candidates
of one kind mislead them. Without positions they could not tell who bites whom.
"""


def show() -> None:
    frame.question(
        "What have these heads learnt?",
        "Eight heads that a treebank taught where to look: subjects, objects, determiners and more.",
    )
    vectors = vectors_of(LEARNED)  # the layer fits these vectors only
    layer = learned_layer()
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    typed = left.text_input("Sentence", value=DEFAULT, key="taught_sentence", bind="query-params", max_chars=5000)
    fade = right.toggle(
        "Fade the rows at rest",
        value=True,
        key="taught_fade",
        bind="query-params",
        help="A row with over half its weight on [start] found no word to look at.",
    )

    def read(text: str) -> list[str]:
        tokens = tokenize(vectors, text)
        if not tokens:
            raise PlaygroundError("The sentence is empty: type at least two words.")
        return tokens

    text, tokens, error = settled("taught_sentence", typed, DEFAULT, read)
    if error:
        frame.problem(error, "taught_sentence", f"Still shown: {text}")
    shown = tokens[:MOST_TOKENS]
    steps = layer(layer.prepare(vectors, shown))
    names = [head.name for head in layer.heads]
    chosen = st.pills(
        "Head",
        names,
        default=names[FIRST],
        required=True,
        key="taught_head",
        bind="query-params",
        label_visibility="collapsed",
    )
    head = names.index(chosen)
    rests = resting(steps.weights[head]) if fade else np.zeros(len(shown), dtype=bool)
    frame.answer(
        looks_sentence(shown, steps.weights[head], rests),
        relation_sentence(layer.heads[head]),
        *_notes(vectors, tokens),
        REASONS.get(text.strip(), ""),
    )
    frame.chart(arcs(shown, arcs_of(steps.weights[head], rests)), looks_sentence(shown, steps.weights[head], rests))
    st.markdown("**All eight heads: who looks (rows) at whom (columns)**")
    small_maps(shown, steps.weights, layer.heads, fade)
    st.markdown("**The chosen head beside layers that have not learnt, on the same scale**")
    three_layers(vectors, shown, steps.weights[head])
    st.markdown("**How well the heads do, on sentences that they have never seen**")
    frame.table(card_table(layer.heads), "the accuracy of each head beside the best fixed distance")
    card = layer.card
    assert card is not None  # a learned layer has one
    st.caption(
        f"Mean {percent(card.mean_accuracy)}. Taught with {card.train_sentences:,} sentences of the {card.treebank}, "
        f"tested on {card.test_sentences:,} others ({card.date}). Licence of the weights: {card.licence}."
    )
    frame.explanations(
        formula=lambda: _formula(layer.d_k, card.position_scale),
        python=learned_code(shown),
        picture=all_weights(shown, steps.weights, names),
        why=WHY,
    )
    frame.try_next("taught", [Preset(label, {"taught_sentence": value}) for label, value in PRESETS])
    frame.footer({"taught_sentence": text, "taught_head": chosen, "taught_fade": fade})


def _notes(vectors: "KeyedVectors", tokens: list[str]) -> list[str]:
    notes = []
    if len(tokens) > MOST_TOKENS:
        notes.append(f"The first {MOST_TOKENS} of {len(tokens)} words are shown: more cannot be read in eight maps.")
    missing = [token for token in tokens[:MOST_TOKENS] if known_form(vectors, token) is None]
    if missing:
        listed = ", ".join(dict.fromkeys(missing))
        notes.append(f"Without a vector, so known to the heads by place alone: {listed}.")
    return notes


def _formula(d_k: int, position_scale: float) -> None:
    st.latex(
        r"X_i = \mathrm{GloVe}_i + " + f"{position_scale:g}" + r"\cdot \mathrm{PE}(i), \qquad "
        r"\mathrm{weights} = \mathrm{softmax}\!\left(\frac{(XW_Q)(XW_K)^{\top}}{\sqrt{d_k}}\right)"
    )
    st.latex(r"\mathrm{loss} = -\frac{1}{N}\sum_{i} \log \mathrm{weights}_{i,\,\mathrm{gold}(i)}")
    st.write(
        f"Row 0 of X is [start], a vector of its own that was learnt with the rest. d_k = {d_k}. gold(i) is the word "
        "that the treebank says word i should look at; N counts the words that have one."
    )


show()
