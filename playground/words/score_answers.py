"""The answers to many analogies at once: the arithmetic behind `score_analogies`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from playground.words.analogy import Method
from playground.words.neighbors import check_count

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# One table of scores, questions × words, is 1 MB of float32: it stays in the processor's cache, and the
# memory needed does not grow with the list or the vocabulary.
_QUESTIONS, _WORDS = 1024, 256

Answer = tuple[int | None, int | None]
Cells = tuple[np.ndarray, np.ndarray]
Terms = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class KnownWords:
    """The first `limit` words of a vocabulary, as a test list sees them: those that have a direction.

    With `case_insensitive`, words that are equal in capitals are forms of one word, and the first of them
    stands for all: `first_form (limit,)` gives it for each word.
    """

    def __init__(self, vectors: "KeyedVectors", limit: int | None, case_insensitive: bool) -> None:
        if limit is not None:
            check_count("restrict_vocab", limit)
        if vectors.norms is None:
            with np.errstate(over="ignore"):
                vectors.fill_norms()
        self.rows, self.norms = vectors.vectors[:limit], vectors.norms[:limit]
        self.directed = np.isfinite(self.norms) & (self.norms > 0)
        self.first_form = np.arange(len(self.rows))
        self._case_insensitive = case_insensitive
        self.forms: dict[int, list[int]] = {}  # of the words that have several
        self._index: dict[str, int] = {}
        words = vectors.index_to_key[:limit]  # at once: one by one is slow where they stay on the disk
        for index in np.flatnonzero(self.directed).tolist():
            first = self._index.setdefault(self._key(words[index]), index)
            if first != index:
                self.first_form[index] = first
                self.forms.setdefault(first, [first]).append(index)

    def _key(self, word: str) -> str:
        return word.upper() if self._case_insensitive else word

    def find(self, words: Iterable[str]) -> dict[str, int | None]:
        """Return the row of each word, None for an unknown one."""
        return {word: self._index.get(self._key(word)) for word in set(words)}

    def units(self, indexes: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the unit vectors of some words, `(len(indexes), d)`."""
        unit: np.ndarray = self.rows[indexes] / self.norms[indexes][:, None]
        return unit


def solve(
    known: KnownWords, asked: np.ndarray, method: Method, progress: Callable[[int, int], object] | None
) -> list[Answer]:
    """Return the best allowed answer to each question `asked (n, 4)`, and the rank of the expected word."""
    answers: list[Answer] = []
    for start in range(0, len(asked), _QUESTIONS):
        batch = asked[start : start + _QUESTIONS]
        answers += _solve_batch(known, batch, method)
        if progress is not None:
            progress(len(answers), len(asked))
    return answers


def _solve_batch(known: KnownWords, batch: np.ndarray, method: Method) -> list[Answer]:
    inputs, wanted = _cells(known, batch[:, :3]), _cells(known, batch[:, 3:])
    # A list asks about few words again and again: the cosines of each are computed once, then only added.
    words = np.unique(np.concatenate([batch.ravel(), wanted[1]]))
    units, terms = known.units(words), _terms(np.searchsorted(words, batch))

    among_themselves = _scores(units @ units.T, terms, method)
    expected = np.full(len(batch), -np.inf, dtype=units.dtype)
    np.maximum.at(expected, wanted[0], among_themselves[wanted[0], np.searchsorted(words, wanted[1])])

    best, best_score = np.zeros(len(batch), dtype=np.intp), np.full(len(batch), -np.inf, dtype=units.dtype)
    better = np.zeros(len(batch), dtype=np.intp)
    for left, scores in _blocks(known, units, terms, method):
        _forbid(scores, left, inputs)
        column = scores.argmax(axis=1)
        score = np.take_along_axis(scores, column[:, None], axis=1)[:, 0]
        wins = score > best_score
        best[wins], best_score[wins] = left + column[wins], score[wins]
        _forbid(scores, left, wanted)  # the expected word is no better than itself
        beaten = np.flatnonzero(score > expected)
        better[beaten] += np.count_nonzero(scores[beaten] > expected[beaten, None], axis=1)

    correct = known.first_form[best] == batch[:, 3]
    # of equal scores the more frequent word wins, and another winner is always before the expected word
    ranks = np.where(correct, 1, 1 + np.maximum(better, 1))
    is_input = (batch[:, :3] == batch[:, 3:]).any(axis=1)
    return [
        (int(best[row]) if best_score[row] > -np.inf else None, None if is_input[row] else int(ranks[row]))
        for row in range(len(batch))
    ]


def _terms(places: np.ndarray) -> Terms:
    """Return the different pairs a, b of the questions, and for each question its pair and its c."""
    pairs, pair = np.unique(places[:, :2], axis=0, return_inverse=True)
    return pairs[:, 0], pairs[:, 1], pair.ravel(), places[:, 2]


def _blocks(known: KnownWords, units: np.ndarray, terms: Terms, method: Method) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the scores of all questions with some words at a time, `(questions, words)`, and the first's row."""
    for left in range(0, len(known.rows), _WORDS):
        block = slice(left, left + _WORDS)
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = _scores(units @ known.rows[block].T / known.norms[block], terms, method)
        scores[:, ~known.directed[block]] = -np.inf
        yield left, scores


def _scores(cosines: np.ndarray, terms: Terms, method: Method) -> np.ndarray:
    """Return the scores `(questions, columns)` of "a is to b as c is to ?", given cosines `(words, columns)`."""
    a, b, pair, c = terms
    if method == "3cosadd":
        scores: np.ndarray = (cosines[b] - cosines[a])[pair]
        scores += cosines[c]
    else:
        shifted = (1 + cosines) / 2
        scores = (shifted[b] / (shifted[a] + np.float32(1e-6)))[pair]
        scores *= shifted[c]
    return scores


def _cells(known: KnownWords, words: np.ndarray) -> Cells:
    """Return the row and column numbers of all forms of `words (questions, k)`, sorted by column."""
    rows, columns = np.repeat(np.arange(len(words)), words.shape[1]), words.ravel()
    if known.forms:
        forms = [known.forms.get(word, [word]) for word in columns.tolist()]
        rows = np.repeat(rows, [len(some) for some in forms])
        columns = np.concatenate(forms)
    order = np.argsort(columns, kind="stable")
    return rows[order], columns[order]


def _forbid(scores: np.ndarray, left: int, cells: Cells) -> None:
    """Set those of the `cells` that lie in this block of scores to -inf."""
    rows, columns = cells
    here = slice(*np.searchsorted(columns, [left, left + scores.shape[1]]))
    scores[rows[here], columns[here] - left] = -np.inf
