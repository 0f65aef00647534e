"""Sentence → tokens → the matrix X that attention starts from."""

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, UnknownWordError
from playground.words.lookup import lookup

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# Han, kana: scripts that write no spaces between words.
_HAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+")
_EDGE = re.compile(r"^([^\w]*)(.*?)([^\w]*)$", re.DOTALL)
_CONTRACTION = re.compile(r"(?i)(n['’]t|['’](?:s|m|d|re|ve|ll))$")
_MARK = re.compile(r"\.{2,}|-{2,}|``|''|[^\w\s]")


def tokenize(vectors: "KeyedVectors", text: str) -> list[str]:
    """Return the tokens of a sentence, in order; nothing is dropped.

    English is split as in the Penn Treebank, which GloVe was made with (`don't` → `do`, `n't`; punctuation
    apart), unless the vocabulary holds the whole (`u.s.`, `well-known`). Chinese runs are segmented by
    rjieba, and what the vocabulary lacks is split again by longest match. A token is given in the form
    that the vocabulary holds (`King` → `king`), or as typed where it holds none.
    """
    tokens: list[str] = []
    chunks = unicodedata.normalize("NFC", text).split()
    for index, chunk in enumerate(chunks):
        position = 0
        for run in _HAN.finditer(chunk):
            tokens += _split_spaced(vectors, chunk[position : run.start()])
            tokens += _split_han(vectors, run.group())
            position = run.end()
        tokens += _split_spaced(vectors, chunk[position:], last=index == len(chunks) - 1)
    return tokens


def known_form(vectors: "KeyedVectors", token: str) -> str | None:
    """Return the vocabulary entry that stands for one token, or None: the token itself, or another case."""
    found = lookup(vectors, token, suggest=False)
    return found.words[0] if found.how in ("exact", "case", "unicode") else None


def embed(vectors: "KeyedVectors", tokens: Sequence[str]) -> np.ndarray:
    """Return the word vectors of `tokens` as X, shape `(n, d_model)`, float32.

    Raises `UnknownWordError` for a token without a vector, `PlaygroundError` for no tokens at all.
    """
    if isinstance(tokens, str):
        raise PlaygroundError("embed takes a list of tokens: make one with tokenize(vectors, text).")
    if not len(tokens):
        raise PlaygroundError("The sentence is empty: type at least one word.")
    rows = []
    for token in tokens:
        found = lookup(vectors, token)
        if found.vector is None:
            raise UnknownWordError(token, found.suggestions)
        rows.append(found.vector)
    return np.stack(rows).astype(np.float32)


def _split_spaced(vectors: "KeyedVectors", chunk: str, last: bool = False) -> list[str]:
    """Split text without spaces and without Chinese: one word and the marks around it.

    A full stop at the very end of the text closes the sentence (`I said no.`), unless the word has another
    one (`u.s.`); elsewhere the vocabulary decides (`mr. smith`).
    """
    if not chunk:
        return []
    closes = last and chunk.endswith(".") and "." not in chunk[:-1] and len(chunk) > 1
    if not closes and (whole := known_form(vectors, chunk)) is not None:
        return [whole]
    matched = _EDGE.match(chunk)
    assert matched is not None  # the pattern matches any text
    before, word, after = matched.groups()
    if after.startswith(".") and "." in word and (abbreviation := known_form(vectors, word + ".")) is not None:
        return [*_split_marks(vectors, before), abbreviation, *_split_marks(vectors, after[1:])]
    words = _split_word(vectors, word) if word else []
    return [*_split_marks(vectors, before), *words, *_split_marks(vectors, after)]


def _split_marks(vectors: "KeyedVectors", marks: str) -> list[str]:
    return [_known_or_typed(vectors, mark) for mark in _MARK.findall(marks)]


def _split_word(vectors: "KeyedVectors", word: str) -> list[str]:
    if (whole := known_form(vectors, word)) is not None:
        return [whole]
    if contraction := _CONTRACTION.search(word):
        stem = word[: contraction.start()]
        if stem:
            return [*_split_word(vectors, stem), _known_or_typed(vectors, contraction.group())]
    for inside in (r"([^\w'’.]+)", r"([^\w'’]+)"):  # full stops last: they may belong to a piece (U.S.-backed)
        pieces = [piece for piece in re.split(inside, word) if piece]
        known = [piece for piece in pieces if known_form(vectors, piece) is not None]
        # a short known piece proves nothing: `AT&T` holds "at", `a.m.` holds "a"
        if len(pieces) > 1 and any(len(piece) > 2 for piece in known):
            return [token for piece in pieces for token in _split_spaced(vectors, piece)]
    return [word]


def _split_han(vectors: "KeyedVectors", run: str) -> list[str]:
    import rjieba

    tokens: list[str] = []
    for word in rjieba.cut(run):
        tokens += [word] if known_form(vectors, word) is not None else _longest_matches(vectors, word)
    return tokens


def _longest_matches(vectors: "KeyedVectors", word: str) -> list[str]:
    """Split `word` into the longest vocabulary entries from the left; unknown characters stay together."""
    pieces: list[str] = []
    unknown = ""
    position = 0
    while position < len(word):
        for end in range(len(word), position, -1):
            if word[position:end] in vectors.key_to_index:
                pieces += [unknown, word[position:end]] if unknown else [word[position:end]]
                unknown, position = "", end
                break
        else:
            unknown += word[position]
            position += 1
    return [*pieces, unknown] if unknown else pieces


def _known_or_typed(vectors: "KeyedVectors", token: str) -> str:
    form = known_form(vectors, token)
    return token if form is None else form
