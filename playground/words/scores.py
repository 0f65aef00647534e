"""How good are these vectors? Test lists of analogies and of human similarity judgements."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from playground.words.analogy import Method, check_method
from playground.words.expression import Term, format_terms
from playground.words.score_answers import KnownWords, solve
from playground.words.score_lists import read_pairs, read_questions

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Question:
    """One question of an analogy list: the first word is to the second as the third is to the fourth.

    `line` counts from 1; `words` stand as written and `entries` are the vocabulary words they were read
    as. `unknown` holds the words without a vector: if there is one, the question was skipped. `answer` is
    the word found, `rank` the place of the expected word among the allowed answers, from 1; None means that
    the expected word is itself an input.
    """

    line: int
    words: tuple[str, ...]
    entries: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    answer: str | None = None
    rank: int | None = None
    correct: bool = False

    @property
    def expected(self) -> str:
        """The fourth word, as written."""
        return self.words[3]

    @property
    def formula(self) -> str:
        """The question as a word expression for `analogy`, which gives the same answer."""
        a, b, c = (self.entries or self.words)[:3]
        return format_terms((Term(1.0, b, 0), Term(-1.0, a, 0), Term(1.0, c, 0)))


@dataclass(frozen=True)
class AnalogySection:
    """The questions of one section; `accuracy` is `correct / total`, None if all were skipped."""

    name: str
    questions: tuple[Question, ...]

    @property
    def correct(self) -> int:
        """How many questions were answered as expected."""
        return sum(question.correct for question in self.questions)

    @property
    def skipped(self) -> int:
        """How many questions were not asked, for a word without a vector."""
        return sum(bool(question.unknown) for question in self.questions)

    @property
    def total(self) -> int:
        """How many questions were asked."""
        return len(self.questions) - self.skipped

    @property
    def accuracy(self) -> float | None:
        """The share of the asked questions that were answered as expected, in [0, 1]."""
        return self.correct / self.total if self.total else None

    @property
    def failures(self) -> tuple[Question, ...]:
        """The questions that were asked and answered otherwise than expected."""
        return tuple(one for one in self.questions if not one.correct and not one.unknown)


@dataclass(frozen=True)
class AnalogyScore:
    """The result of a whole list of analogies; `accuracy` is None if no question could be asked."""

    title: str
    sections: tuple[AnalogySection, ...]
    correct: int
    total: int
    skipped: int

    @property
    def accuracy(self) -> float | None:
        """The share of the asked questions that were answered as expected, in [0, 1]."""
        return self.correct / self.total if self.total else None


@dataclass(frozen=True)
class JudgedPair:
    """Two words, the score that people gave, and their cosine: None if one of them is `unknown`."""

    line: int
    words: tuple[str, str]
    human: float
    cosine: float | None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class PairScore:
    """How the cosines agree with human scores.

    `pearson` and `spearman` are correlations in [-1, 1] over the pairs with two known words, None where
    they are not defined (fewer than two pairs, or all alike); `oov_ratio` is the share of the other pairs,
    in [0, 1].
    """

    title: str
    pairs: tuple[JudgedPair, ...]
    pearson: float | None
    spearman: float | None
    oov_ratio: float


def score_analogies(
    vectors: "KeyedVectors",
    questions: str | Path | Iterable[str] | None = None,
    *,
    restrict_vocab: int | None = 30_000,
    method: Method = "3cosadd",
    case_insensitive: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> AnalogyScore:
    """Return how many analogies these vectors solve, with every question and its answer.

    `questions` is the path of a list or its lines (`: section`, then four words a line); by default the
    19,544 Google analogies (Mikolov et al. 2013). As in gensim's `evaluate_word_analogies`: only the first
    `restrict_vocab` words are known and may be answers, a question with an unknown word is skipped, the
    three given words are no answers, and `case_insensitive` compares words in capitals, the more frequent
    of two case forms standing for both. Other than gensim, which looks at five candidates, it looks until
    it finds a word that is allowed. Words without a direction count as unknown.

    `progress(done, total)` is called after each batch of questions; what it raises ends the run and reaches
    the caller, so that a view can stop it. Raises `PlaygroundError` for a list that cannot be read, with
    the lines, and for a bad option.
    """
    check_method(method)
    title, read = read_questions("google-analogies" if questions is None else questions)
    known = KnownWords(vectors, restrict_vocab, case_insensitive)
    rows = known.find(word for _, section in read for _, words in section for word in words)
    asked = [four for _, section in read for _, words in section if None not in (four := [*map(rows.get, words)])]
    answers = iter(solve(known, np.array(asked, dtype=np.intp).reshape(-1, 4), method, progress))

    def result(line: int, words: tuple[str, ...]) -> Question:
        found = [row for row in map(rows.get, words) if row is not None]
        if len(found) < 4:
            return Question(line, words, unknown=tuple(word for word in dict.fromkeys(words) if rows[word] is None))
        answer, rank = next(answers)
        return Question(
            line,
            words,
            entries=tuple(vectors.index_to_key[row] for row in found),
            answer=None if answer is None else vectors.index_to_key[answer],
            rank=rank,
            correct=answer is not None and known.first_form[answer] == found[3],
        )

    sections = tuple(AnalogySection(name, tuple(result(*one) for one in section)) for name, section in read)
    correct, total, skipped = (
        sum(getattr(section, what) for section in sections) for what in ("correct", "total", "skipped")
    )
    return AnalogyScore(title, sections, correct, total, skipped)


def score_pairs(
    vectors: "KeyedVectors",
    pairs: str | Path | Iterable[str] | None = None,
    *,
    restrict_vocab: int | None = None,
    case_insensitive: bool = True,
) -> PairScore:
    """Return how well cosines agree with people's judgements of similarity.

    `pairs` is "wordsim353" (Finkelstein et al. 2002, the default), "simlex999" (Hill et al. 2015), the path
    of such a list, or its lines: two words and a number. `restrict_vocab` and `case_insensitive` as in
    `score_analogies`. Raises `PlaygroundError` for a list that cannot be read, with the lines.
    """
    title, read = read_pairs("wordsim353" if pairs is None else pairs)
    known = KnownWords(vectors, restrict_vocab, case_insensitive)
    rows = known.find(word for _, first, second, _ in read for word in (first, second))
    judged = []
    for line, first, second, human in read:
        found = [row for word in (first, second) if (row := rows[word]) is not None]
        cosine = None
        if len(found) == 2:
            a, b = known.units(found).astype(np.float64)
            cosine = float(np.clip(a @ b, -1.0, 1.0))
        unknown = tuple(word for word in dict.fromkeys((first, second)) if rows[word] is None)
        judged.append(JudgedPair(line, (first, second), human, cosine, unknown))
    scores = np.array([(pair.human, pair.cosine) for pair in judged if pair.cosine is not None])
    pearson, spearman = _correlations(scores.reshape(-1, 2))
    return PairScore(title, tuple(judged), pearson, spearman, 1 - len(scores) / len(judged))


def _correlations(scores: np.ndarray) -> tuple[float | None, float | None]:
    """Return Pearson's and Spearman's correlation of the two columns of `scores (n, 2)`."""
    from scipy import stats

    if len(scores) < 2 or (np.ptp(scores, axis=0) == 0).any():
        return None, None
    human, cosine = scores.T
    return float(stats.pearsonr(human, cosine)[0]), float(stats.spearmanr(human, cosine)[0])
