"""Word arithmetic: 3CosAdd and 3CosMul."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from playground.errors import PlaygroundError, UnknownWordError
from playground.words.expression import Term, format_terms, parse
from playground.words.lookup import Lookup, in_any_case, lookup
from playground.words.neighbors import Neighbor, cosines, rank, unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

Method = Literal["3cosadd", "3cosmul"]


@dataclass(frozen=True)
class Analogy:
    """The answer to a word expression.

    `vector (d,)` is the sum of the unit vectors times their factors; `answers` are the best words with
    their cosine to it (3CosAdd, in [-1, 1]) or their 3CosMul score (at least 0). `lookups` says how each
    term was read, `excluded` which vocabulary words were not allowed as answers; `method` and
    `restrict_vocab` are those that were asked for.
    """

    expression: str
    terms: tuple[Term, ...]
    lookups: tuple[Lookup, ...]
    vector: np.ndarray
    answers: list[Neighbor]
    excluded: tuple[str, ...]
    method: Method
    restrict_vocab: int | None

    @property
    def directions(self) -> np.ndarray:
        """The unit vectors of the terms, `(terms, d)`."""
        return np.stack([unit(found.vector) for found in self.lookups if found.vector is not None])

    @property
    def factors(self) -> np.ndarray:
        """The signed factors of the terms, `(terms,)`."""
        return np.array([term.factor for term in self.terms])

    @property
    def positive(self) -> tuple[str, ...]:
        """The words that are added."""
        return self._words(1)

    @property
    def negative(self) -> tuple[str, ...]:
        """The words that are taken away."""
        return self._words(-1)

    def _words(self, sign: int) -> tuple[str, ...]:
        pairs = zip(self.terms, self.lookups, strict=True)
        return tuple(word for term, found in pairs if term.factor * sign > 0 for word in found.words)


def analogy(
    vectors: "KeyedVectors",
    expression: str,
    topn: int = 10,
    method: Method = "3cosadd",
    exclude_inputs: bool = True,
    restrict_vocab: int | None = None,
) -> Analogy:
    """Return the words nearest to a word expression such as `king - man + woman`.

    3CosAdd (Mikolov et al. 2013; Levy & Goldberg 2014, equation 2) ranks by the cosine with the sum of unit
    vectors; 3CosMul (Levy & Goldberg 2014, equation 4) multiplies the shifted cosines (1 + cos) / 2 instead
    of adding. Input words, in any case, are no answers unless `exclude_inputs` is False.
    Raises `PlaygroundError` for a formula that cannot be read (with the column), an unknown word, or a
    sum that is zero.
    """
    check_method(method)
    terms = parse(expression, known=lambda run: lookup(vectors, run, suggest=False).how in ("exact", "case"))
    lookups = tuple(_require_term(vectors, term) for term in terms)
    directions = np.stack([unit(found.vector) for found in lookups if found.vector is not None])  # (terms, d)
    factors = np.array([term.factor for term in terms])
    vector = factors @ directions
    if np.linalg.norm(vector) < 1e-6 * np.abs(factors).sum():
        raise PlaygroundError(f"{format_terms(terms)} adds up to the zero vector, which is near no word.")
    scores = score_all(vectors, directions, factors, method, restrict_vocab)
    excluded = _inputs_in_any_case(vectors, lookups) if exclude_inputs else ()
    answers = rank(vectors, scores, topn, excluded)
    return Analogy(format_terms(terms), terms, lookups, vector, answers, excluded, method, restrict_vocab)


def check_method(method: str) -> None:
    """Raise `PlaygroundError` unless `method` is one of the two."""
    if method not in ("3cosadd", "3cosmul"):
        raise PlaygroundError(f"The method is 3cosadd or 3cosmul, not {method!r}.")


def score_all(
    vectors: "KeyedVectors",
    directions: np.ndarray,
    factors: np.ndarray,
    method: Method,
    restrict_vocab: int | None = None,
) -> np.ndarray:
    """Return the score of every vocabulary word, `(len(vectors),)`, for terms of unit vectors `(terms, d)`."""
    if method == "3cosmul":
        return _multiplied(vectors, directions, factors, restrict_vocab)
    return cosines(vectors, factors @ directions, restrict_vocab)


def _require_term(vectors: "KeyedVectors", term: Term) -> Lookup:
    found = lookup(vectors, term.text)
    if found.vector is None:
        raise UnknownWordError(term.text, found.suggestions)
    if not np.isfinite(found.vector).all() or not np.any(found.vector):
        raise PlaygroundError(f"{term.text!r} (column {term.column}) has no direction: its vector is zero.")
    return found


def _multiplied(
    vectors: "KeyedVectors", directions: np.ndarray, factors: np.ndarray, restrict_vocab: int | None
) -> np.ndarray:
    above = np.ones(1, dtype=np.float32)
    below = np.ones(1, dtype=np.float32)
    for direction, factor in zip(directions, factors, strict=True):
        shifted = ((1 + cosines(vectors, direction, restrict_vocab)) / 2) ** abs(factor)
        if factor > 0:
            above = above * shifted
        else:
            below = below * shifted
    # the small constant of the paper keeps a word opposite to a subtracted one from a division by zero
    scores: np.ndarray = above / (below + np.float32(1e-6))
    return scores


def _inputs_in_any_case(vectors: "KeyedVectors", lookups: tuple[Lookup, ...]) -> tuple[str, ...]:
    words = [word for found in lookups for word in found.words]
    return tuple(dict.fromkeys(form for word in words for form in (word, *in_any_case(vectors, word))))
