"""Cosine similarity, nearest neighbours, similarity matrix."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError
from playground.words.lookup import require, vector_of

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Neighbor:
    """A vocabulary word and its cosine similarity, in [-1, 1], to what was asked for."""

    word: str
    similarity: float


def neighbors(
    vectors: "KeyedVectors",
    query: "str | np.ndarray",
    topn: int = 10,
    *,
    exclude: Iterable[str] = (),
    restrict_vocab: int | None = None,
) -> list[Neighbor]:
    """Return the `topn` words of highest cosine similarity to `query`, the nearest first.

    `query` is a word, a phrase, or a vector `(d,)`; the words it was read as are never their own
    neighbours, and neither are the words of `exclude`. `restrict_vocab` ranks only the first so many
    entries (the most frequent). Fewer words than `topn` come back where the vocabulary has no more.
    Raises `PlaygroundError` for an unknown word or a `topn` below 1.
    """
    left_out = set(exclude)
    if isinstance(query, str):
        left_out.update(require(vectors, query).words)
    return rank(vectors, cosines(vectors, vector_of(vectors, query), restrict_vocab), topn, left_out)


def similarity(vectors: "KeyedVectors", first: "str | np.ndarray", second: "str | np.ndarray") -> float:
    """Return the cosine of the angle between two words or vectors, in [-1, 1].

    Raises `PlaygroundError` for an unknown word or a vector without a direction.
    """
    a, b = unit(vector_of(vectors, first)), unit(vector_of(vectors, second))
    return float(np.clip(a @ b, -1.0, 1.0))


def similarity_matrix(vectors: "KeyedVectors", words: Sequence[str]) -> np.ndarray:
    """Return the cosine of every pair of `words`, `(n, n)` in [-1, 1], symmetric, ones on the diagonal.

    Raises `PlaygroundError` for no words at all and for an unknown word.
    """
    if not len(words):
        raise PlaygroundError("There are no words to compare: give at least one.")
    units = np.stack([unit(vector_of(vectors, word)) for word in words])  # (n, d)
    cosine: np.ndarray = np.clip(units @ units.T, -1.0, 1.0)
    np.fill_diagonal(cosine, 1.0)
    return cosine


def unit(vector: np.ndarray) -> np.ndarray:
    """Return `vector (d,)` scaled to length 1, in float64, without overflow for very large numbers."""
    scaled = vector.astype(np.float64) / np.abs(vector).max()
    result: np.ndarray = scaled / np.linalg.norm(scaled)
    return result


def cosines(vectors: "KeyedVectors", query: np.ndarray, restrict_vocab: int | None = None) -> np.ndarray:
    """Return the cosine of `query (d,)` with every vocabulary word, `(len(vectors),)`.

    A vocabulary vector that is zero or not finite has no direction: its cosine is NaN, and `rank`
    leaves it out.
    """
    if restrict_vocab is not None:
        check_count("restrict_vocab", restrict_vocab)
    if vectors.norms is None:
        vectors.fill_norms()
    rows, norms = vectors.vectors[:restrict_vocab], vectors.norms[:restrict_vocab]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        cosine = rows @ unit(query).astype(np.float32) / norms
    cosine[~(np.isfinite(norms) & (norms > 0))] = np.nan
    result: np.ndarray = np.clip(cosine, -1.0, 1.0)
    return result


def rank(
    vectors: "KeyedVectors", scores: np.ndarray, topn: int, exclude: Iterable[str] = ()
) -> list[Neighbor]:
    """Return the `topn` words of highest score, without `exclude`; ties go to the more frequent word."""
    check_count("topn", topn)
    left_out = [vectors.key_to_index[word] for word in exclude if word in vectors.key_to_index]
    scores = np.where(np.isnan(scores), -np.inf, scores)
    scores[[index for index in left_out if index < len(scores)]] = -np.inf
    topn = min(topn, int(np.sum(scores > -np.inf)))
    if topn == 0:
        return []
    bound = np.partition(scores, -topn)[-topn]
    candidates = np.flatnonzero(scores >= bound)
    best = candidates[np.argsort(-scores[candidates], kind="stable")][:topn]
    return [Neighbor(vectors.index_to_key[index], float(scores[index])) for index in best]


def check_count(name: str, value: int) -> None:
    """Raise `PlaygroundError` unless `value` is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise PlaygroundError(f"{name} must be a whole number of at least 1, not {value!r}.")
