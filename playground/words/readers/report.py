"""What became of a file of vectors: what was read, what was left out and why."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from playground.errors import shorten

Reason = Literal["no word", "not numbers", "wrong number of values", "zero vector", "not finite", "duplicate"]

FIRST = 10  # how many rows left out, and words repaired, are named one by one


def printable(text: str) -> str:
    """Return `text` with line ends, direction marks and other invisible characters written out, as `\\n`.

    A name or word of a file is anyone's: it must neither break a message nor turn its letters round.
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


@dataclass(frozen=True)
class LeftOut:
    """A row that was left out.

    `place` is its line in a text file, from 1, and its row in any other; `word` is shortened; `detail` says
    more where there is more to say ("3 numbers, not 4").
    """

    place: int
    word: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True)
class LoadReport:
    """What `load` read from a file.

    `rows` words with a vector of `dimensions` numbers were kept. `left_out` counts what was not, by reason
    ("duplicate": the first of its name was kept); `first_left_out` and `first_repaired` name the first ten.
    `header` is what the file promised (words, dimensions), None without a header. `repaired` words were not
    UTF-8: their odd bytes are shown as `\\xe9`. `seconds` is the time taken, `memory` the bytes that the model
    holds; `limit` is what was asked for, `stopped` whether reading ended there, `from_cache` whether all this
    was read from the cache of an earlier load. `notes` are further sentences.
    """

    name: str
    format: str
    packing: str
    rows: int
    dimensions: int
    header: tuple[int, int] | None
    left_out: dict[Reason, int]
    first_left_out: tuple[LeftOut, ...]
    repaired: int
    first_repaired: tuple[tuple[int, str], ...]
    limit: int | None
    stopped: bool
    seconds: float
    memory: int
    from_cache: bool = False
    notes: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        """Be pickled as a plain dict: what gensim saves with it can be opened where there is no playground."""
        return dict, (asdict(self),)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def sentences(self) -> list[str]:
        """The report in words, the most important first."""
        place = "line" if "text" in self.format else "row"
        packed = f", {self.packing}-packed" if self.packing else ""
        said = [f"{self.name}: {_amount(self.rows, self.dimensions)} ({self.format}{packed})."]
        if self.stopped:
            said.append(f"Reading stopped at the limit of {self.limit:,} {'word' if self.limit == 1 else 'words'}.")
        total = sum(self.left_out.values())
        if total:
            said.append(f"Left out: {total:,} {'row' if total == 1 else 'rows'} ({in_words(self.left_out)}).")
        said += [f"  {place} {one.place:,}: {_why(one)}" for one in self.first_left_out]
        if total > len(self.first_left_out):
            said.append(f"  and {total - len(self.first_left_out):,} more.")
        if self.header is not None:
            promised, numbers = self.header
            if self.stopped and numbers != self.dimensions:  # how many rows there are is not known
                said.append(f"The header promises rows of {numbers:,} numbers; they have {self.dimensions:,}.")
            elif not self.stopped and (promised, numbers) != (self.rows + total, self.dimensions):
                found = _amount(self.rows + total, self.dimensions)
                said.append(f"The header promises {_amount(promised, numbers)}; the file has {found}.")
        if self.repaired:
            which = ", ".join(f"{place} {row:,} ({_shown(word, 30)})" for row, word in self.first_repaired[:3])
            words = "word is" if self.repaired == 1 else "words are"
            said.append(f"{self.repaired:,} {words} not UTF-8; the odd bytes are written out: {which}.")
        return said + list(self.notes)


def _amount(words: int, dimensions: int) -> str:
    return (
        f"{words:,} {'word' if words == 1 else 'words'} of {dimensions:,} {'number' if dimensions == 1 else 'numbers'}"
    )


_PLURAL: dict[Reason, str] = {
    "no word": "without a word",
    "not numbers": "not numbers",
    "wrong number of values": "with a wrong number of values",
    "zero vector": "without a direction",
    "not finite": "not finite or too large",
    "duplicate": "of a word that was there before",
}


def in_words(left_out: dict[Reason, int]) -> str:
    """Return how many rows were left out for which reasons: "2 without a word, 1 not numbers"."""
    return ", ".join(f"{count:,} {_PLURAL[reason]}" for reason, count in left_out.items())


def _why(one: LeftOut) -> str:
    if one.reason == "no word":
        return "no word before the numbers"
    return f"'{_shown(one.word, 40)}': {printable(one.detail) or _SINGULAR[one.reason]}"


def _shown(word: str, limit: int) -> str:
    return printable(shorten(word, limit))


_SINGULAR: dict[Reason, str] = {
    "no word": "no word",
    "not numbers": "not numbers",
    "wrong number of values": "a wrong number of values",
    "zero vector": "all its numbers are zero, so it has no direction",
    "not finite": "it holds a number that is not finite or too large for float32",
    "duplicate": "the word was there before; its first vector stays",
}


def counted(reasons: Counter[Reason]) -> dict[Reason, int]:
    """Return the counts that are not zero, in the order of the reasons."""
    return {reason: reasons[reason] for reason in _SINGULAR if reasons[reason]}
