"""Meaning in context: which neighbours a word has before and after its sentence.

This module joins the two halves of the library: it looks words up, and lets attention move their vectors.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from playground.attention.context import ContextSpace, Moved, context_space, move
from playground.errors import PlaygroundError, shorten
from playground.words.lookup import require
from playground.words.neighbors import Neighbor, rank
from playground.words.remembered import remembered
from playground.words.tokens import known_form

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Context:
    """What a sentence does to the meaning of its word at `position`.

    `before` and `after` `(d,)` are vectors of the prepared `space` (see `playground.attention.context`).
    `weights (n,)` say how much the word takes from each token and sum to 1; they are 0 for itself where the
    diagonal is blocked, and for the tokens without a vector, which `unknown` names. The neighbours are the
    nearest words of that space, without the sentence's own.
    """

    tokens: tuple[str, ...]
    position: int
    before: np.ndarray = field(repr=False)
    after: np.ndarray = field(repr=False)
    weights: np.ndarray
    neighbors_before: list[Neighbor]
    neighbors_after: list[Neighbor]
    unknown: tuple[str, ...]
    space: ContextSpace = field(repr=False)

    @property
    def word(self) -> str:
        """The word that the sentence moves."""
        return self.tokens[self.position]


@dataclass(frozen=True)
class ContextOptions:
    """How a sentence moves a word; `contextualize` explains each."""

    strength: float = 0.6
    block_diagonal: bool = True
    remove_components: int = 3
    positions: bool = False
    scale: float | None = None


@dataclass(frozen=True)
class Move:
    """A word's vector before and after its sentence, without the neighbours, which take longer."""

    before: np.ndarray  # (d,)
    moved: Moved
    entries: tuple[str | None, ...]  # the tokens' vocabulary entries
    space: ContextSpace


def contextualize(
    vectors: "KeyedVectors",
    tokens: Sequence[str],
    position: int,
    strength: float = 0.6,
    *,
    block_diagonal: bool = True,
    remove_components: int = 3,
    positions: bool = False,
    scale: float | None = None,
    topn: int = 10,
) -> Context:
    """Return the meaning of `tokens[position]` before and after attention over its sentence.

    In the prepared space S (mean and `remove_components` principal components removed, rows of length √d)
    the word s has the scores s·Sᵀ/√d and moves to (1 − a)·s + a·softmax(scores)·S, a being the `strength`
    in [0, 1]. `block_diagonal` forbids it to look at itself, in every place where it stands: it is most
    similar to itself, and would learn nothing else. `positions` adds sinusoids to the sentence first.
    `scale` is 1/√d unless given; 0 makes the plain mean of the sentence. `topn` neighbours are given.

    Raises `UnknownWordError` if the word has no vector; `PlaygroundError` for a position outside the
    sentence, or if the sentence has no other known word to look at.
    """
    options = ContextOptions(strength, block_diagonal, remove_components, positions, scale)
    one = move_word(vectors, tokens, position, options)
    own = [entry for entry in one.entries if entry is not None]
    return Context(
        tokens=tuple(tokens),
        position=int(position),
        before=one.before,
        after=one.moved.after,
        weights=one.moved.weights,
        neighbors_before=rank(vectors, one.space.cosines(one.before), topn, own),
        neighbors_after=rank(vectors, one.space.cosines(one.moved.after), topn, own),
        unknown=tuple(token for token, entry in zip(tokens, one.entries, strict=True) if entry is None),
        space=one.space,
    )


def move_word(vectors: "KeyedVectors", tokens: Sequence[str], position: int, options: ContextOptions) -> Move:
    """Return where its sentence moves `tokens[position]`; raises as `contextualize` does."""
    _check_position(tokens, position)
    space = prepared_space(vectors, options.remove_components)
    word = require(vectors, tokens[position]).words[0]
    entries = [known_form(vectors, token) for token in tokens]
    entries[position] = word
    rows = prepared(vectors, entries, space)
    known = np.any(rows != 0, axis=1).reshape(-1)  # (n,)
    entries = [entry if has_vector else None for entry, has_vector in zip(entries, known, strict=True)]
    if entries[position] is None:
        raise PlaygroundError(f"{shorten(word)!r} has no direction in the prepared space: nothing can move it.")
    others = known & np.array([entry != word for entry in entries])
    if not others.any():
        raise PlaygroundError(
            f"{shorten(word)!r} stands alone: the sentence has no other known word that it could look at."
        )
    allowed = others if options.block_diagonal else known
    moved = move(rows, position, options.strength, allowed, options.positions, options.scale)
    return Move(rows[position], moved, tuple(entries), space)


def prepared_space(vectors: "KeyedVectors", remove_components: int = 3) -> ContextSpace:
    """Return the prepared space of a model: made once, then remembered as long as the model lives."""
    return _prepared_space(vectors, remove_components)


def prepared(vectors: "KeyedVectors", words: Iterable[str | None], space: ContextSpace) -> np.ndarray:
    """Return the rows of vocabulary `words` in a prepared space, `(n, d)`; zeros for None and unknown words."""
    indices = np.array([-1 if word is None else vectors.key_to_index.get(word, -1) for word in words], dtype=int)
    rows = np.zeros((len(indices), vectors.vector_size))
    rows[indices >= 0] = space.rows(indices[indices >= 0])
    return rows


def anchor_cosines(vectors: "KeyedVectors", contexts: Sequence[Context], anchors: Sequence[str]) -> np.ndarray:
    """Return the cosines with `anchors` before and after each context: `(len(contexts), 2, len(anchors))`.

    Entry [c, 0] is the word before, [c, 1] after the sentence of context c. Raises `UnknownWordError` for an
    anchor without a vector.
    """
    cosines = [
        [cosines_in_space(vectors, vector, anchors, context.space) for vector in (context.before, context.after)]
        for context in contexts
    ]
    return np.array(cosines).reshape(len(contexts), 2, len(anchors))


def cosines_in_space(
    vectors: "KeyedVectors", vector: np.ndarray, words: Sequence[str], space: ContextSpace
) -> np.ndarray:
    """Return the cosine of a `vector (d,)` of the prepared space with each of `words`, `(n,)` in [-1, 1]."""
    rows = prepared(vectors, [require(vectors, word).words[0] for word in words], space)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    cosines: np.ndarray = np.clip(rows @ vector / np.where(lengths > 0, lengths, 1), -1.0, 1.0)
    return cosines


def occurrences(vectors: "KeyedVectors", tokens: Sequence[str], word: str) -> list[int]:
    """Return the positions of a typed `word` among `tokens`, in any case; `PlaygroundError` if there is none."""
    typed = word.strip()
    forms = {typed, known_form(vectors, typed) if typed else None}
    found = [position for position, token in enumerate(tokens) if token in forms]
    if not found:
        raise PlaygroundError(
            f"{shorten(word)!r} is not in the sentence. Its words are: {shorten(', '.join(tokens), 400)}."
        )
    return found


@remembered
def _prepared_space(vectors: "KeyedVectors", remove_components: int) -> ContextSpace:
    return context_space(vectors.vectors, remove_components)


def _check_position(tokens: Sequence[str], position: int) -> None:
    if isinstance(tokens, str):
        raise PlaygroundError("contextualize takes a list of tokens: make one with tokenize(vectors, text).")
    if not len(tokens):
        raise PlaygroundError("The sentence is empty: type at least two words.")
    if isinstance(position, bool) or not isinstance(position, (int, np.integer)):
        raise PlaygroundError(f"The position must be a whole number, not {position!r}.")
    if not 0 <= position < len(tokens):
        raise PlaygroundError(
            f"There is no position {position} in a sentence of {len(tokens)} words: "
            f"give one from 0 to {len(tokens) - 1}."
        )
