"""A typed list of words, with or without groups → vocabulary entries; nothing is dropped in silence."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.lookup import Lookup, lookup

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# Spellings are suggested for so many unknown words only: each costs a walk through the whole vocabulary.
MOST_SUGGESTED = 20
ARROW = re.compile(r"\s*(?:->|→)\s*")


@dataclass(frozen=True)
class WordList:
    """The words of a list that have vectors, and what became of the others.

    `words`, `groups` and the rows of `matrix (n, d)` go together; a word that was typed as a phrase stands
    as typed. `unknown` are lookups without a vector, `repeated` words given more than once, `left_out` the
    number of words beyond the limit; `readings` says how words that were not found as typed were read.
    `pairs` are the rows of the two words of each arrow, typed as `man -> king`.
    """

    words: tuple[str, ...]
    groups: tuple[str, ...]
    matrix: np.ndarray
    unknown: tuple[Lookup, ...]
    repeated: tuple[str, ...]
    left_out: int
    readings: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def notes(self) -> list[str]:
        """Sentences on all that is not shown as it was typed; empty if there is nothing to say."""
        notes = list(self.readings[:5])
        if len(self.readings) > 5:
            notes.append(f"{len(self.readings) - 5} more words were read in another form.")
        if self.repeated:
            notes.append(f"Given twice, shown once: {_some(self.repeated)}.")
        if self.left_out:
            notes.append(f"Only the first {len(self.words)} words are shown; {self.left_out} more were given.")
        for one in self.unknown[:3]:
            no_direction = f"The vector of {shorten(one.text)} is zero or not finite, so it has no place: left out."
            notes.append(no_direction if one.vector is not None else one.explanation)
        if len(self.unknown) > 3:
            notes.append(f"Also unknown: {_some([one.text for one in self.unknown[3:]])}.")
        return notes


def split_words(text: str) -> list[str]:
    """Return the words of a list: split at commas, semicolons and lines; at spaces if there are none of these.

    An arrow and its words (`new york -> paris`) stay together; see `split_arrows`.
    """
    separated = re.split(r"[,;，、；\n]+", text)
    if len([piece for piece in separated if piece.strip()]) > 1 or re.search(r"[,;，、；]|.(->|→).", text):
        return [piece.strip() for piece in separated if piece.strip()]
    return text.split()


def split_groups(text: str) -> list[tuple[str, str]]:
    """Return (group, word) pairs: a line `animals: dog, cat` names its group; other lines have the group ""."""
    pairs = []
    for line in text.splitlines():
        name, colon, rest = line.partition(":" if ":" in line else "：")
        # a colon inside a word (`3:30`, `http://…`) names no group
        named = bool(colon and name.strip() and (rest.startswith((" ", "　")) or colon == "："))
        group, words = (name.strip(), rest) if named else ("", line)
        pairs += [(group, word) for word in split_words(words)]
    return pairs


def split_arrows(piece: str) -> list[str]:
    """Return the words that arrows join: `man -> king` are two, and an arrow that joins nothing is a word."""
    parts = ARROW.split(piece)
    return parts if all(parts) else [piece]


def without_words(vectors: "KeyedVectors", text: str, words: Collection[str]) -> str:
    """Return the list `text` without `words`, named as in a `WordList`; the rest stands as it was typed."""
    lines = []
    for line in text.splitlines():
        pieces = [piece for _, piece in split_groups(line)]
        kept = []
        for piece in pieces:
            parts = [part for part in split_arrows(piece) if _name(lookup(vectors, part, suggest=False)) not in words]
            kept.append(" -> ".join(parts))
        if kept == pieces:
            lines.append(line)
        elif any(kept):
            name = split_groups(line)[0][0]
            listed = ", ".join(piece for piece in kept if piece)
            if " " in listed and not re.search(r"[,，]|->", listed):
                listed += ","  # a phrase alone on its line would be split at its spaces
            lines.append(f"{name}: {listed}" if name else listed)
    return "\n".join(lines)


def read_word_list(vectors: "KeyedVectors", text: str, limit: int = 200, least: int = 1) -> WordList:
    """Return the words of `text` that these vectors hold, at most `limit`, each once.

    Raises `PlaygroundError` if fewer than `least` different words can be shown.
    """
    words: dict[str, tuple[str, np.ndarray]] = {}
    rows: dict[str, int] = {}
    pairs: list[tuple[int, int]] = []
    unknown: list[Lookup] = []
    repeated: list[str] = []
    readings: list[str] = []
    left_out = 0
    for group, piece in split_groups(text):
        parts = split_arrows(piece)
        start: int | None = None
        for typed in parts:
            if len(words) >= limit and typed not in rows:
                left_out += 1
                start = None
                continue
            found = lookup(vectors, typed, suggest=len(unknown) < MOST_SUGGESTED)
            if found.vector is None or not np.isfinite(found.vector).all() or not np.any(found.vector):
                unknown.append(found)
                start = None
                continue
            name = _name(found)
            if name not in words:
                rows[name] = len(words)
                words[name] = (group, found.vector)
                if found.explanation:
                    readings.append(found.explanation)
            elif len(parts) == 1:  # a word may well stand at several arrows
                repeated.append(name)
            if start is not None and start != rows[name]:
                pairs.append((start, rows[name]))
            start = rows[name]
    if len(words) < least:
        need = "one word" if least == 1 else f"{least} different words"
        seen = f" {unknown[0].explanation}" if unknown else ""
        raise PlaygroundError(f"Type at least {need} that these vectors hold, with commas between.{seen}")
    matrix = np.stack([vector for _, vector in words.values()])
    groups = tuple(group for group, _ in words.values())
    return WordList(
        tuple(words),
        groups,
        matrix,
        tuple(unknown),
        tuple(dict.fromkeys(repeated)),
        left_out,
        tuple(readings),
        tuple(dict.fromkeys(pairs)),
    )


def _name(found: Lookup) -> str:
    """Return what a looked-up text is called in a list: its entry, or as typed if it has several."""
    return found.words[0] if len(found.words) == 1 else found.text.strip()


def _some(words: "list[str] | tuple[str, ...]", most: int = 8) -> str:
    shown = ", ".join(shorten(word, 30) for word in words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"
