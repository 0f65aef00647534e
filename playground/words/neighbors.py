"""Cosine similarity, nearest neighbours, similarity matrix, odd one out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.forms import word_forms
from playground.words.lookup import require, vector_of

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# Numbers in one batch's table of cosines (words × vocabulary), whatever the vocabulary: 16 MB of float32.
_BATCH_NUMBERS = 4_000_000
_GROUP = 64  # rows whose best score stands for all of them while the highest are looked for


@dataclass(frozen=True)
class Neighbor:
    """A vocabulary word and its cosine similarity, in [-1, 1], to what was asked for.

    `frequency_rank` is its place in the vocabulary, from 1: most files are sorted by frequency.
    """

    word: str
    similarity: float
    frequency_rank: int


@dataclass(frozen=True)
class Overlap:
    """What two lists of neighbours have in common, a word in another case counting as the same.

    `shared` stands in the order and the writing of the first list; `share` is its length over that of the
    longer list, in [0, 1].
    """

    shared: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    share: float


@dataclass(frozen=True)
class OddOneOut:
    """The word that fits the others least.

    `words` are the different words that were compared, as typed; `means (n,)` the mean cosine of each to
    the others, in [-1, 1]. `word` has the lowest, `margin` is how much lower it is than the next.
    """

    word: str
    words: tuple[str, ...]
    means: np.ndarray
    margin: float


def neighbors(
    vectors: "KeyedVectors",
    query: "str | np.ndarray | Sequence[str]",
    topn: int = 10,
    *,
    exclude: Iterable[str] = (),
    exclude_forms: bool = False,
    restrict_vocab: int | None = None,
) -> list[Neighbor]:
    """Return the `topn` words of highest cosine similarity to `query`, the nearest first.

    `query` is a word, a phrase, a vector `(d,)`, or several words, which stand for the mean of their unit
    vectors; the words it was read as are never their own neighbours, and neither are the words of
    `exclude`, nor with `exclude_forms` its other written forms (see `word_forms`). For the neighbours of a
    formula, give `vector` and `excluded` of its `analogy`. `restrict_vocab` ranks only the first so many
    entries (the most frequent). Fewer words than `topn` come back where the vocabulary has no more. Raises
    `PlaygroundError` for an unknown word or a `topn` below 1.
    """
    vector, words = _read_query(vectors, query)
    forms = _forms(vectors, words) if exclude_forms else set()
    left_out = (exclude,) if isinstance(exclude, str) else exclude
    return rank(vectors, cosines(vectors, vector, restrict_vocab), topn, {*left_out, *words, *forms})


def are_mutual(
    vectors: "KeyedVectors",
    query: "str | np.ndarray | Sequence[str]",
    found: Sequence[Neighbor],
    *,
    exclude_forms: bool = False,
    restrict_vocab: int | None = None,
) -> list[bool]:
    """Return for each neighbour in `found` whether `query` is as near to it as it is to `query`.

    It is if fewer than `len(found)` other words are nearer to the neighbour than `query` is, so that the
    query would stand in a list of the same length. Give the same options as to `neighbors`.
    """
    vector, words = _read_query(vectors, query)
    direction = unit(vector).astype(np.float32)
    mutual: list[bool] = []
    size = max(1, _BATCH_NUMBERS // len(vectors))
    for start in range(0, len(found), size):
        batch = [one.word for one in found[start : start + size]]
        units = np.stack([unit(vector_of(vectors, word)) for word in batch]).astype(np.float32)  # (batch, d)
        table = _cosine_table(vectors, units, restrict_vocab)
        for word, cosine, own in zip(batch, table, units @ direction, strict=True):
            left_out = {word, *words, *(word_forms(vectors, word) if exclude_forms else ())}
            rows = [vectors.key_to_index[one] for one in left_out]
            cosine[[row for row in rows if row < len(cosine)]] = np.nan
            mutual.append(int(np.count_nonzero(cosine > own)) < len(found))
    return mutual


def overlap(first: Sequence[Neighbor], second: Sequence[Neighbor]) -> Overlap:
    """Return what two lists of neighbours share, such as those of one word in two models."""
    in_first = {one.word.casefold() for one in first}
    in_second = {one.word.casefold() for one in second}
    shared = tuple(one.word for one in first if one.word.casefold() in in_second)
    longer = max(len(in_first), len(in_second), 1)
    return Overlap(
        shared,
        tuple(one.word for one in first if one.word.casefold() not in in_second),
        tuple(one.word for one in second if one.word.casefold() not in in_first),
        len(in_first & in_second) / longer,
    )


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
    if isinstance(words, str):
        raise PlaygroundError("similarity_matrix takes a list of words, such as ['king', 'queen'].")
    if not len(words):
        raise PlaygroundError("There are no words to compare: give at least one.")
    units = np.stack([unit(vector_of(vectors, word)) for word in words])  # (n, d)
    cosine: np.ndarray = np.clip(units @ units.T, -1.0, 1.0)
    np.fill_diagonal(cosine, 1.0)
    return cosine


def odd_one_out(vectors: "KeyedVectors", words: Sequence[str]) -> OddOneOut:
    """Return the word with the lowest mean cosine to the others; of equals, the first.

    A word given twice counts once. Raises `PlaygroundError` for an unknown word and for fewer than three
    different words.
    """
    if isinstance(words, str):
        raise PlaygroundError("odd_one_out takes a list of words, such as ['king', 'queen', 'apple'].")
    different: dict[tuple[str, ...], str] = {}
    for word in words:
        different.setdefault(require(vectors, word).words or (word,), word)
    kept = tuple(different.values())
    if len(kept) < 3:
        raise PlaygroundError(f"Odd one out needs at least three different words, and here are {len(kept)}.")
    units = np.stack([unit(vector_of(vectors, word)) for word in kept])  # (n, d)
    means = (units @ units.sum(axis=0) - 1) / (len(kept) - 1)  # the sum holds each word itself, cosine 1
    odd, following = np.argsort(means, kind="stable")[:2]
    return OddOneOut(kept[odd], kept, means, float(means[following] - means[odd]))


def difference(vectors: "KeyedVectors", start: str, end: str) -> np.ndarray:
    """Return unit(end) − unit(start), `(d,)` in float64.

    Raises `PlaygroundError` for an unknown word, and for two words of one and the same direction.
    """
    step: np.ndarray = unit(vector_of(vectors, end)) - unit(vector_of(vectors, start))
    if np.linalg.norm(step) < 1e-6:
        raise PlaygroundError(f"{shorten(start)!r} and {shorten(end)!r} point the same way: give two different words.")
    return step


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
    return _cosine_table(vectors, unit(query).astype(np.float32), restrict_vocab)


def rank(vectors: "KeyedVectors", scores: np.ndarray, topn: int, exclude: Iterable[str] = ()) -> list[Neighbor]:
    """Return the `topn` words of highest score, without `exclude`; ties go to the more frequent word."""
    check_count("topn", topn)
    left_out = [vectors.key_to_index[word] for word in exclude if word in vectors.key_to_index]
    rows = _candidates(scores, topn + len(left_out))
    rows = rows[(scores[rows] > -np.inf) & ~np.isin(rows, left_out)]  # a NaN is not above anything
    if topn < len(rows):
        rows = rows[scores[rows] >= np.partition(scores[rows], -topn)[-topn]]
    best = rows[np.argsort(-scores[rows], kind="stable")][:topn]
    return [Neighbor(vectors.index_to_key[row], float(scores[row]), row + 1) for row in best.tolist()]


def _candidates(scores: np.ndarray, count: int) -> np.ndarray:
    """Return rows, rising, among which are the `count` of highest score.

    One pass finds the best of each group of rows. The `count` highest of these bests are a bound that so many
    scores reach, and only groups whose best reaches it need a closer look: a few thousand rows of 400,000.
    """
    groups = len(scores) // _GROUP
    if 2 * count > groups:
        return np.arange(len(scores))
    best = np.fmax.reduce(scores[: groups * _GROUP].reshape(_GROUP, groups), axis=0)  # fmax passes over NaN
    best[np.isnan(best)] = -np.inf
    columns = np.flatnonzero(best >= np.partition(best, -count)[-count])
    rows = columns + groups * np.arange(_GROUP)[:, None]
    return np.concatenate([rows.ravel(), np.arange(groups * _GROUP, len(scores))])


def check_count(name: str, value: int) -> None:
    """Raise `PlaygroundError` unless `value` is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise PlaygroundError(f"{name} must be a whole number of at least 1, not {value!r}.")


def _read_query(
    vectors: "KeyedVectors", query: "str | np.ndarray | Sequence[str]"
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the vector of a query and the vocabulary words that it was read as."""
    if isinstance(query, np.ndarray):
        return vector_of(vectors, query), ()
    if isinstance(query, str):
        return vector_of(vectors, query), require(vectors, query).words
    if not len(query):
        raise PlaygroundError("There are no words: give at least one.")
    words = tuple(word for text in query for word in require(vectors, text).words)
    mean = np.mean([unit(vector_of(vectors, text)) for text in query], axis=0)
    return vector_of(vectors, mean), words


def _forms(vectors: "KeyedVectors", words: Iterable[str]) -> set[str]:
    return {form for word in words for form in word_forms(vectors, word)}


def _cosine_table(vectors: "KeyedVectors", units: np.ndarray, restrict_vocab: int | None) -> np.ndarray:
    """Return the cosines of unit vectors `(..., d)` with every word, `(..., len(vectors))`; NaN: no direction."""
    if restrict_vocab is not None:
        check_count("restrict_vocab", restrict_vocab)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if vectors.norms is None:
            vectors.fill_norms()
        rows, norms = vectors.vectors[:restrict_vocab], vectors.norms[:restrict_vocab]
        table: np.ndarray = units @ rows.T
        table /= norms
        if not (
            norms.min(initial=1) > 0 and norms.max(initial=1) < np.inf
        ):  # quicker than to mark each, if all are good
            table[..., ~(np.isfinite(norms) & (norms > 0))] = np.nan
    return np.clip(table, -1.0, 1.0, out=table)
