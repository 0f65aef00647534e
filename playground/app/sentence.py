"""A typed sentence → the matrix X that the attention views start from, with what was left out and why."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError
from playground.words.lookup import Lookup, lookup
from playground.words.tokens import embed, known_form, tokenize

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

MOST_TOKENS = 64  # more rows than this have no room for their words in any picture
MOST_SUGGESTED = 5  # unknown words for which spellings are looked up


@dataclass(frozen=True)
class Sentence:
    """The tokens of a sentence that have vectors, and those that have none.

    `tokens` and the rows of `x (n, d_model)` go together; `typed` are all tokens in order, `known` tells
    which of them have a row, `unknown` are the lookups of the others.
    """

    tokens: list[str]
    x: np.ndarray
    typed: list[str]
    known: list[bool]
    unknown: list[Lookup]
    left_out: int

    @property
    def notes(self) -> list[str]:
        """Sentences on all that takes no part."""
        notes = []
        if self.left_out:
            total = len(self.tokens) + self.left_out
            notes.append(f"The first {len(self.tokens)} of {total} words are shown: more have no room on a screen.")
        if self.unknown:
            listed = ", ".join(dict.fromkeys(one.text for one in self.unknown))
            verb = "have no vector here, so they take" if len(self.unknown) > 1 else "has no vector here, so it takes"
            notes.append(f"{listed} {verb} no part.")
        return notes


def read_sentence(vectors: "KeyedVectors", text: str) -> Sentence:
    """Return the sentence; raises `PlaygroundError` if it holds no word that these vectors know."""
    typed = tokenize(vectors, text)
    if not typed:
        raise PlaygroundError("The sentence is empty: type at least one word.")
    known = [known_form(vectors, token) is not None for token in typed]
    unknown: list[Lookup] = []
    for token, here in zip(typed, known, strict=True):
        if not here:
            unknown.append(lookup(vectors, token, suggest=len(unknown) < MOST_SUGGESTED))
    tokens = [token for token, here in zip(typed, known, strict=True) if here]
    if not tokens:
        raise PlaygroundError(f"These vectors hold no word of the sentence. {unknown[0].explanation}")
    shown = tokens[:MOST_TOKENS]
    return Sentence(shown, embed(vectors, shown), typed, known, unknown, len(tokens) - len(shown))
