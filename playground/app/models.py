"""The word vectors that the views use: loaded once for all sessions, but for a file that a visitor brings along."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from playground.app.shelf import Held, Shelf, memory_limit, size_of
from playground.words.catalog import Entry, catalog, load
from playground.words.language import language_of

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

BROUGHT = "brought"  # what this session has uploaded: {name: (entry, vectors)}
BROUGHT_KIND = "sent to this session"


def available() -> list[Entry]:
    """Return the sets that can be used at once: those on this disk, and what this session has brought along."""
    here = [entry for entry in catalog() if entry.here]
    return here + [entry for entry, _ in _brought().values()]


def vectors_of(name: str) -> "KeyedVectors":
    """Return the vectors `name`: one object for all sessions, read-only; a file brought along is the session's own.

    Raises `PlaygroundError` if its file has gone or can no longer be read.
    """
    if name in _brought():
        return _brought()[name][1]
    entry = entry_of(name)

    def read() -> "KeyedVectors":
        with st.spinner("Reading the word vectors …"):
            return load(entry.name)

    return _shelf().get(entry.name, entry.stamp, read)


def entry_of(name: str) -> Entry:
    """Return the entry of that name, or the first one of the catalogue."""
    entries = available()
    return next((entry for entry in entries if entry.name == name), entries[0])


def short_title(entry: Entry) -> str:
    """Return the title of a set without the number of dimensions, which stands beside it."""
    return entry.title.removesuffix(f", {entry.dimensions} dimensions")


def size_line(entry: Entry) -> str:
    """Return how large a set is: "100 numbers a word, 110,000 English words"."""
    if not entry.words:
        return "its words are counted when it is read"
    language = f"{entry.language} " if entry.language else ""
    words, numbers = ("word" if entry.words == 1 else "words"), ("number" if entry.dimensions == 1 else "numbers")
    return f"{entry.dimensions} {numbers} a word, {entry.words:,} {language}{words}"


def bring(name: str, vectors: "KeyedVectors") -> Entry:
    """Keep vectors for this session alone, under a name that no other set has; return their entry."""
    taken = {entry.name for entry in catalog()}
    own, number = name, 2
    while own in taken:
        own, number = f"{Path(name).stem} ({number}){Path(name).suffix}", number + 1
    entry = Entry(
        name=own,
        title=own,
        kind="file",
        language=language_of(vectors),
        words=len(vectors),
        dimensions=vectors.vector_size,
        bytes=0,
        download_bytes=0,
        licence="your own",
        source=BROUGHT_KIND,
        about="A file that you brought along. It is in memory only, and gone when you close this page.",
        here=True,
        stamp=(secrets.randbits(64),),  # another session's file of the same name is not this one
    )
    st.session_state[BROUGHT] = {**_brought(), own: (entry, vectors)}
    return entry


def put_away(name: str) -> None:
    """Forget a file that this session has brought along."""
    st.session_state[BROUGHT] = {own: kept for own, kept in _brought().items() if own != name}


def held() -> list[Held]:
    """Return the models in memory that all sessions share, and this session's own."""
    return _shelf().held() + [Held(name, size_of(vectors)) for name, (_, vectors) in _brought().items()]


def _brought() -> "dict[str, tuple[Entry, KeyedVectors]]":
    kept: dict[str, tuple[Entry, KeyedVectors]] = st.session_state.get(BROUGHT, {})
    return kept


@st.cache_resource
def _shelf() -> Shelf:
    return Shelf(memory_limit())
