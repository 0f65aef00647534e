"""The word vectors that the views share: loaded once, never changed."""

from typing import TYPE_CHECKING

import streamlit as st

from playground.words.catalog import Entry, catalog, load

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


def vectors_of(name: str) -> "KeyedVectors":
    """Return the vectors `name` of the catalogue: one object for all sessions, read-only."""
    entry = entry_of(name)
    return _load(name, entry.stamp)


def entry_of(name: str) -> Entry:
    """Return the catalogue's entry of that name, or the first one."""
    entries = catalog()
    return next((entry for entry in entries if entry.name == name), entries[0])


@st.cache_resource(show_spinner="Reading the word vectors …", max_entries=3)
def _load(name: str, stamp: tuple[int, ...]) -> "KeyedVectors":
    """Load once per state of the files: `stamp` holds their sizes and times of change."""
    return load(name)
