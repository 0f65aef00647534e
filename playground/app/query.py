"""The word that looks: clicked in the sentence or chosen by its number, and where it looks, in a sentence."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from playground.app.chips import chips
from playground.app.sentence import Sentence
from playground.app.state import fill
from playground.plots.colors import token_hue
from playground.plots.numbers import decimals

PAD = "[pad]"  # what a row of padding is called


def choose_query(key: str, sentence: Sentence, start: int = 1) -> int:
    """Show the tokens to click, and return the place of the chosen one among those with a vector.

    `start` is the number of the word chosen on arrival.
    """
    places = np.cumsum(sentence.known) - 1
    n, name = len(sentence.tokens), key + "_query"
    start = min(start, n)
    if not 1 <= st.session_state.get(name, start) <= n:
        st.session_state[name] = 1  # the sentence has become shorter

    def pick(index: int) -> None:
        fill({name: int(places[index]) + 1})

    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with right:
        chosen = st.number_input("Query word, number", 1, n, start, key=name, bind="query-params") - 1
    with left:
        shown = [i for i, place in enumerate(places) if place < n or not sentence.known[i]]
        chips(
            "query_chips",
            [sentence.typed[i] for i in shown],
            pick,
            label="the words of the sentence: choose the query",
            hues=[token_hue(int(places[i])) if sentence.known[i] else "" for i in shown],
            off=[not sentence.known[i] for i in shown],
            hints=["" if sentence.known[i] else "no vector" for i in shown],
            chosen=next(i for i in shown if sentence.known[i] and places[i] == chosen),
        )
    return int(chosen)


def look_sentence(tokens: Sequence[str], query: int, weights: np.ndarray) -> str:
    """Return where the word `query` looks by its weights `(n,)`, in one sentence."""
    word = tokens[query]
    if len(tokens) == 1 and weights[0]:
        return f"{word} is alone: it can only look at itself (1)."
    if not weights.any():
        return f"{word} may look nowhere: its weights and its output are 0."
    order = np.argsort(-weights, kind="stable")
    named = [("itself" if i == query else tokens[i], decimals(float(weights[i]), 2)) for i in order[:2]]
    if not weights[order[1]]:
        return f"{word} looks only at {named[0][0]} ({named[0][1]})."
    return f"{word} looks most at {named[0][0]} ({named[0][1]}), then at {named[1][0]} ({named[1][1]})."
