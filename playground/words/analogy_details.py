"""Why an analogy has its answer: the expected word's rank, the terms' contributions, the true angle."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.analogy import Analogy, score_all
from playground.words.lookup import require, vector_of
from playground.words.neighbors import difference, unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Expected:
    """Where the answer that a reader expected stands.

    `rank` is its place among the allowed answers, from 1 (equal scores share a rank); None if it is not
    allowed, as an input or beyond `restrict_vocab`. `similarity` is its score by the analogy's method,
    `margin` how far that lies above the best other allowed word: below 0, it lost by so much; None if
    there is no other.
    """

    word: str
    rank: int | None
    similarity: float
    margin: float | None


@dataclass(frozen=True)
class Contributions:
    """How the cosine of a word with the sum comes about, term by term.

    `cosines (terms,)` are those of the word with each term alone; `parts (terms,)` are
    factor × cosine / `length`, the length of the sum, and add up to `cosine`.
    """

    word: str
    factors: np.ndarray
    cosines: np.ndarray
    length: float
    parts: np.ndarray

    @property
    def cosine(self) -> float:
        """The cosine of the word with the sum, in [-1, 1]."""
        return float(self.parts.sum())


@dataclass(frozen=True)
class Parallelogram:
    """The two differences of "a is to b as c is to d": b − a and d − c, of unit vectors.

    `cosine` is that of the two, in [-1, 1], and `angle` the same in degrees: 0 where they point the same
    way, about 90 where they have nothing in common. `lengths` are |b − a| and |d − c|, in [0, 2].
    """

    words: tuple[str, str, str, str]
    cosine: float
    angle: float
    lengths: tuple[float, float]


def rank_of(vectors: "KeyedVectors", result: Analogy, word: str) -> Expected:
    """Return the rank, score and margin of the answer that was expected of `result`.

    `vectors` are those that `result` was made with. Raises `PlaygroundError` for a text that is not one
    word of the vocabulary, or one that has no direction.
    """
    vector_of(vectors, word)
    words = require(vectors, word).words
    if len(words) != 1:
        raise PlaygroundError(f"{shorten(word)!r} is not one word of the vocabulary, so it has no rank.")
    row = vectors.key_to_index[words[0]]
    scores = score_all(vectors, result.directions, result.factors, result.method)
    score = float(scores[row])
    scores[[vectors.key_to_index[one] for one in result.excluded]] = np.nan
    scores[result.restrict_vocab or len(scores) :] = np.nan
    allowed = not np.isnan(scores[row])
    scores[row] = np.nan
    others = scores[~np.isnan(scores)]
    rank = int(np.count_nonzero(others > score)) + 1 if allowed else None
    return Expected(words[0], rank, score, score - float(others.max()) if len(others) else None)


def contributions(vectors: "KeyedVectors", result: Analogy, word: str | None = None) -> Contributions:
    """Return what each term of `result` adds to the cosine of `word` with the sum; by default the winner's.

    With t the sum of factor f times unit vector u over the terms, cos(t, w) = Σ f · cos(u, w) / |t|. That
    is the cosine by which 3CosAdd ranks; a 3CosMul score is a product, and has no such parts. Raises
    `PlaygroundError` for an unknown word, or where there is no winner.
    """
    if word is None:
        if not result.answers:
            raise PlaygroundError(f"{result.expression} has no answer, so there is nothing to explain.")
        word = result.answers[0].word
    cosines = result.directions @ unit(vector_of(vectors, word))
    length = float(np.linalg.norm(result.vector))
    return Contributions(word, result.factors, cosines, length, result.factors * cosines / length)


def parallelogram(vectors: "KeyedVectors", a: str, b: str, c: str, d: str) -> Parallelogram:
    """Return the true angle between b − a and d − c, which a flat picture cannot show.

    Raises `PlaygroundError` for an unknown word, and for two words of one direction, such as a word twice.
    """
    first, second = difference(vectors, a, b), difference(vectors, c, d)
    cosine = float(np.clip(unit(first) @ unit(second), -1.0, 1.0))
    lengths = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    return Parallelogram((a, b, c, d), cosine, math.degrees(math.acos(cosine)), lengths)
