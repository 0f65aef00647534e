"""What heads are taught with: sentences, where each word ought to look, and how they are packed in batches."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

REST = 0  # the target of a word that does not bear a head's relation: [start], row 0
IGNORED = -1  # the target of rows that hold no word


@dataclass(frozen=True)
class Lesson:
    """One sentence of n words, and where each of h heads ought to look in it.

    `rows (n,)` are rows of a table of word vectors. `targets (h, n)` are positions in the sentence, from 0;
    −1 where a word does not bear the head's relation.
    """

    rows: np.ndarray
    targets: np.ndarray


@dataclass(frozen=True)
class Batch:
    """b sentences behind their [start] rows, padded to one length n, so that word i stands in row i + 1."""

    rows: np.ndarray  # (b, n − 1), of the word table
    targets: np.ndarray  # (b, h, n): a row of the sentence, REST or IGNORED
    filled: np.ndarray  # (b, n), True where a row holds [start] or a word


def pack(lessons: Sequence[Lesson], filler: int) -> Batch:
    """Return `lessons` as one batch; `filler` is the row of the word table, zeros, that fills up."""
    longest = max(len(lesson.rows) for lesson in lessons)
    rows = np.full((len(lessons), longest), filler)
    targets = np.full((len(lessons), len(lessons[0].targets), longest + 1), IGNORED)
    filled = np.zeros((len(lessons), longest + 1), dtype=bool)
    for index, lesson in enumerate(lessons):
        n = len(lesson.rows)
        rows[index, :n] = lesson.rows
        targets[index, :, 1 : n + 1] = lesson.targets + 1  # −1, absent, becomes REST
        filled[index, : n + 1] = True
    return Batch(rows, targets, filled)


def batches(lessons: Sequence[Lesson], filler: int, words: int, generator: np.random.Generator) -> list[Batch]:
    """Return all `lessons` in batches of about `words` padded words, like lengths together, in random order."""
    order = generator.permutation(len(lessons))
    lengths = np.array([len(lessons[index].rows) for index in order])
    groups: list[list[Lesson]] = [[]]
    for index in order[np.argsort(lengths, kind="stable")]:
        if groups[-1] and (len(groups[-1]) + 1) * len(lessons[index].rows) > words:
            groups.append([])
        groups[-1].append(lessons[index])
    return [pack(groups[index], filler) for index in generator.permutation(len(groups))]
