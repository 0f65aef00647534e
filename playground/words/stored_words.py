"""A vocabulary that stays on the disk: its words by row, and their rows by word, without a pass over all of them.

Millions of words take seconds to become a list and a dictionary, and most sessions ask about a few.
"""

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsIndex, overload
from zlib import crc32

import numpy as np

_BLOCK = 50_000  # words joined at a time


@dataclass(frozen=True)
class WordArrays:
    """What is stored of n words.

    `text` is all words in UTF-8, each followed by the byte `mark`, which occurs in none of them; word i begins
    at `starts (n + 1,)`[i]. `sums (n,)` are the checksums of the words, rising, and `rows (n,)` their rows.
    """

    text: np.ndarray
    mark: int
    starts: np.ndarray
    sums: np.ndarray
    rows: np.ndarray


def word_arrays(words: Sequence[str]) -> WordArrays:
    """Return the arrays from which `StoredWords` and `StoredIndex` read.

    Raises `ValueError` for half a character, which UTF-8 cannot hold, and if nothing can stand between the
    words: then all characters of ASCII occur in them.
    """
    marks = ("\n", "\0", *map(chr, range(128)))
    mark = next((mark for mark in marks if not any(mark in word for word in words)), None)
    if mark is None:
        raise ValueError("no character is free to stand between its words")
    content = bytearray()
    for start in range(0, len(words), _BLOCK):
        content += (mark.join(words[start : start + _BLOCK]) + mark).encode("utf-8")
    text = np.frombuffer(content, np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(text == ord(mark)) + 1])
    sums = np.fromiter(map(_sum, words), np.uint32, len(words))
    rows = np.argsort(sums, kind="stable").astype(np.uint32)
    return WordArrays(text, ord(mark), starts, sums[rows], rows)


class StoredWords(Sequence[str]):
    """The words in order, as a list gives them; a copy or a pickle of it is a list."""

    def __init__(self, arrays: WordArrays) -> None:
        self._text, self._starts, self._mark = arrays.text, arrays.starts, chr(arrays.mark)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> str | list[str]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._between(start, stop)
            return self._between(0, len(self))[index]
        row = range(len(self))[index]
        begin, end = self._starts[row : row + 2].tolist()
        return self._decoded(begin, end - 1)

    def __iter__(self) -> Iterator[str]:
        return iter(self._between(0, len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, StoredWords)):
            return NotImplemented
        return len(self) == len(other) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, (list(self),)

    def _between(self, start: int, stop: int) -> list[str]:
        """Return the words of some rows at once, which is far quicker than one by one."""
        if stop <= start:
            return []
        return self._decoded(self._starts[start], self._starts[stop] - 1).split(self._mark)

    def _decoded(self, begin: int, end: int) -> str:
        return self._text[begin:end].tobytes().decode("utf-8")


class StoredIndex(Mapping[str, int]):
    """The row of each word, as a dictionary gives them; a copy or a pickle of it is a dictionary.

    A word is found by its checksum among the sorted ones, and then compared. After as many questions as
    would have paid for it, a dictionary is made.
    """

    def __init__(self, words: StoredWords, arrays: WordArrays) -> None:
        self._words, self._sums, self._rows = words, arrays.sums, arrays.rows
        self._questions = 0
        self._made: dict[str, int] | None = None

    def __getitem__(self, word: str) -> int:
        self._questions += 1
        if self._made is not None or self._questions > len(self) // 20:
            return self._dictionary()[word]
        if not isinstance(word, str):
            raise KeyError(word)
        wanted = np.uint32(_sum(word))
        place = int(self._sums.searchsorted(wanted))
        while place < len(self._sums) and self._sums[place] == wanted:
            row = int(self._rows[place])
            if row < len(self) and self._words[row] == word:  # the words may be only the first of those stored
                return row
            place += 1
        raise KeyError(word)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def items(self) -> ItemsView[str, int]:
        return self._dictionary().items()

    def __reduce__(self) -> tuple[type[dict[str, int]], tuple[dict[str, int]]]:
        return dict, (self._dictionary(),)

    def _dictionary(self) -> dict[str, int]:
        if self._made is None:
            self._made = dict(zip(self._words, range(len(self)), strict=True))
        return self._made


def _sum(word: str) -> int:
    return crc32(word.encode("utf-8"))
