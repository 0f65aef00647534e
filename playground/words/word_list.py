"""A typed list of words, with or without groups → vocabulary entries; nothing is dropped in silence."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.lookup import Lookup, lookup

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# Spellings are suggested for so many unknown words only: each costs a walk through the whole vocabulary.
MOST_SUGGESTED = 20


@dataclass(frozen=True)
class WordList:
    """The words of a list that have vectors, and what became of the others.

    `words`, `groups` and the rows of `matrix (n, d)` go together; a word that was typed as a phrase stands
    as typed. `unknown` are lookups without a vector, `repeated` words given more than once, `left_out` the
    number of words beyond the limit; `readings` says how words that were not found as typed were read.
    """

    words: tuple[str, ...]
    groups: tuple[str, ...]
    matrix: np.ndarray
    unknown: tuple[Lookup, ...]
    repeated: tuple[str, ...]
    left_out: int
    readings: tuple[str, ...]

    @property
    def notes(self) -> list[str]:
        """Sentences on all that is not shown as it was typed; empty if there is nothing to say."""
        notes = list(self.readings[:5])
        if len(self.readings) > 5:
            notes.append(f"{len(self.readings) - 5} more words were read in another form.")
        if self.repeated:
            notes.append(f"Given twice, shown once: {_some(self.repeated)}.")
        if self.left_out:
            notes.append(
                f"Only the first {len(self.words)} words are shown; {self.left_out} more were given."
            )
        notes += [one.explanation for one in self.unknown[:3]]
        if len(self.unknown) > 3:
            notes.append(f"Also unknown: {_some([one.text for one in self.unknown[3:]])}.")
        return notes


def split_words(text: str) -> list[str]:
    """Return the words of a list: split at commas, semicolons and lines; at spaces if there are none of these."""
    separated = re.split(r"[,;，、；\n]+", text)
    if len([piece for piece in separated if piece.strip()]) > 1 or re.search(r"[,;，、；]", text):
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


def read_word_list(vectors: "KeyedVectors", text: str, limit: int = 200, least: int = 1) -> WordList:
    """Return the words of `text` that these vectors hold, at most `limit`, each once.

    Raises `PlaygroundError` if fewer than `least` different words can be shown.
    """
    words: dict[str, tuple[str, np.ndarray]] = {}
    unknown: list[Lookup] = []
    repeated: list[str] = []
    readings: list[str] = []
    left_out = 0
    for group, typed in split_groups(text):
        if len(words) >= limit:
            left_out += 1
            continue
        found = lookup(vectors, typed, suggest=len(unknown) < MOST_SUGGESTED)
        if found.vector is None or not np.any(found.vector):
            unknown.append(found)
            continue
        name = found.words[0] if len(found.words) == 1 else found.text.strip()
        if name in words:
            repeated.append(name)
            continue
        words[name] = (group, found.vector)
        if found.explanation:
            readings.append(found.explanation)
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
    )


def _some(words: "list[str] | tuple[str, ...]", most: int = 8) -> str:
    shown = ", ".join(shorten(word, 30) for word in words[:most])
    return shown if len(words) <= most else f"{shown} and {len(words) - most} more"
