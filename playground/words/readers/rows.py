"""The rows of a file of vectors as they come in: checked, and kept or left out."""

import bisect
import unicodedata
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.readers.report import FIRST, LeftOut, Reason

MOST_ROWS = 20_000_000  # the largest published sets have some 9 million
MOST_DIMENSIONS = 100_000  # vectors of language models have some 16,000


@dataclass(frozen=True)
class Subwords:
    """What a fastText model knows of pieces of words.

    `ngrams (bucket, d)` are the vectors of all pieces of `min_n` to `max_n` letters, by hash.
    """

    ngrams: np.ndarray
    min_n: int
    max_n: int
    bucket: int


class Rows:
    """The words and vectors kept so far, and what was left out.

    The numbers stand in one `array`, which grows in place: a list of pieces would need twice the memory in
    the end, and a header that promises the size is not to be believed.
    """

    def __init__(self, dimensions: int, limit: int | None = None, normalize_keys: bool = False) -> None:
        self.dimensions = dimensions
        self.limit = limit
        self.words: list[str] = []
        self.key_to_index: dict[str, int] = {}
        self.left_out: Counter[Reason] = Counter()
        self.stopped = False  # whether more rows came when the limit was reached
        self.repaired = 0
        self.first_repaired: list[tuple[int, str]] = []
        self._numbers = array("f")
        self._first_left_out: list[LeftOut] = []
        self._normalize = normalize_keys

    @property
    def full(self) -> bool:
        """Whether as many words are kept as the limit allows."""
        return self.limit is not None and len(self.words) >= self.limit

    @property
    def first_left_out(self) -> tuple[LeftOut, ...]:
        """The first rows left out, in the file's order."""
        return tuple(self._first_left_out)

    def matrix(self) -> np.ndarray:
        """Return the kept vectors `(n, dimensions)`, float32, without a copy: nothing can be added while it lives."""
        return np.frombuffer(self._numbers, dtype=np.float32).reshape(-1, self.dimensions)

    def add(self, words: Sequence[bytes | str], matrix: np.ndarray, places: Sequence[int]) -> int:
        """Keep the rows of `matrix (k, d)` that have a word and a direction, up to the limit.

        `places` are their lines or rows in the file, rising. A word in bytes is UTF-8; bytes that are not are
        written out as `\\xe9`, so that different words stay different. Returns how many rows were looked at: k,
        or fewer if the limit was reached.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = np.ascontiguousarray(matrix, dtype=np.float32)
            norms = np.linalg.norm(matrix, axis=1)  # in float32, as all later cosines
        finite, nonzero = np.isfinite(norms), norms > 0
        kept: list[int] = []
        seen = 0
        for row, raw in enumerate(words):
            if self.full:
                self.stopped = True
                break
            seen += 1
            word = raw if isinstance(raw, str) else self._decoded(raw, places[row])
            if self._normalize:
                word = unicodedata.normalize("NFC", word)
            if not word:
                self.leave_out(places[row], "", "no word")
            elif word in self.key_to_index:
                self.leave_out(places[row], word, "duplicate")
            elif not finite[row]:
                overflows = np.isfinite(matrix[row]).all()
                detail = "its numbers are too large: their squares overflow float32" if overflows else ""
                self.leave_out(places[row], word, "not finite", detail)
            elif not nonzero[row]:
                detail = "its numbers are too small: their squares are zero in float32" if matrix[row].any() else ""
                self.leave_out(places[row], word, "zero vector", detail)
            else:
                self.key_to_index[word] = len(self.words)
                self.words.append(word)
                kept.append(row)
        if len(self.words) > MOST_ROWS:
            raise PlaygroundError(
                f"The file has more than {MOST_ROWS:,} words: give a limit, such as the {MOST_ROWS // 10:,} first."
            )
        good = matrix if len(kept) == len(matrix) else matrix[kept]
        self._numbers.frombytes(good.data.cast("B") if len(good) else b"")
        return seen

    def leave_out(self, place: int, word: str, reason: Reason, detail: str = "") -> None:
        """Count a row that is not kept, and remember the first ones."""
        self.left_out[reason] += 1
        first = self._first_left_out
        if len(first) < FIRST or place < first[-1].place:  # readers may name faults out of order
            bisect.insort(first, LeftOut(place, shorten(word), reason, detail), key=lambda one: one.place)
            del first[FIRST:]

    def _decoded(self, raw: bytes, place: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            word = raw.decode("utf-8", errors="backslashreplace")
        self.repaired += 1
        if len(self.first_repaired) < FIRST:
            self.first_repaired.append((place, shorten(word)))
        return word


@dataclass(frozen=True)
class Table:
    """What a reader of one format found in a file."""

    rows: Rows
    format: str
    header: tuple[int, int] | None = None
    subwords: Subwords | None = None
    notes: tuple[str, ...] = ()
