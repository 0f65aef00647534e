"""Words chosen on the map, by pointer or by keyboard: one list, and what can be done with it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from playground.app.state import fill
from playground.plots.maps import BRUSH, CLICK
from playground.words.neighbors import neighbors
from playground.words.word_list import without_words

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

ADDED = 5  # neighbours that each chosen word brings
CLICKED = "map_clicked"  # what was clicked in the present picture, to tell what a click has changed
_SYNTAX = re.compile(r"[,;，、；:：]|->|→")  # a neighbour that would be read as something else


def chosen_words(key: str, words: Sequence[str]) -> list[str]:
    """Show the list of chosen words, which the keyboard can fill as well, and return it."""
    if key in st.session_state:
        st.session_state[key] = [word for word in st.session_state[key] if word in words]
    return st.multiselect(
        "Selected words",
        list(words),
        key=key,
        bind="query-params",
        select_all=False,
        placeholder="Click words in the picture, drag a rectangle over several, or type here",
        wrap=True,
    )


def take_from_picture(picture: str, key: str, words: Sequence[str], points: np.ndarray) -> None:
    """Bring a click or a dragged rectangle in the chart `picture` into the list: for the chart's `on_select`.

    A click adds a word or takes it out again; a rectangle makes the words in it the new list.
    """
    selection = st.session_state[picture].selection
    clicked = {int(point["row"]) for point in selection.get(CLICK) or []}
    known_picture, before = st.session_state.get(CLICKED, ("", set()))
    changed = clicked ^ (before if known_picture == picture else set())
    st.session_state[CLICKED] = (picture, clicked)
    chosen = list(st.session_state.get(key, []))
    box = selection.get(BRUSH) or {}
    if changed:
        for row in sorted(changed):
            word = words[row]
            if word in chosen:
                chosen.remove(word)
            else:
                chosen.append(word)
    elif box:
        (left, right), (low, high) = sorted(box["x"]), sorted(box["y"])
        x, y = points.T
        inside = np.flatnonzero((left <= x) & (x <= right) & (low <= y) & (y <= high))
        chosen = [words[row] for row in inside.tolist()]
    fill({key: chosen})


def selection_buttons(
    vectors: "KeyedVectors", key: str, words_key: str, text: str, words: Sequence[str], chosen: Sequence[str]
) -> None:
    """Show what can be done with the `chosen` words: both buttons rewrite the list of words `text`."""

    def add() -> None:
        fill({words_key: with_neighbors(vectors, text, words, chosen)})

    def remove() -> None:
        fill({words_key: without_words(vectors, text, chosen), key: []})

    st.button("Add their neighbours", on_click=add, disabled=not chosen, key="map_add")
    st.button("Remove them", on_click=remove, disabled=not chosen, key="map_remove")


def with_neighbors(vectors: "KeyedVectors", text: str, words: Sequence[str], chosen: Sequence[str]) -> str:
    """Return the list `text` with one more group: the nearest neighbours of each chosen word."""
    added: dict[str, None] = {}
    for word in chosen:
        added |= dict.fromkeys(one.word for one in neighbors(vectors, word, ADDED))
    new = [word for word in added if word not in words and not _SYNTAX.search(word)]
    if not new:
        return text
    more = f" and {len(chosen) - 1} more" if len(chosen) > 1 else ""
    name = _SYNTAX.sub(" ", chosen[0])[:30].strip()
    return f"{text.rstrip()}\nnear {name}{more}: {', '.join(new)}"
