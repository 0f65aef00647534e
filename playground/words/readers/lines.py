"""A line of text as a row of vectors: its word, its numbers, or what is wrong with it."""

import re
from collections import Counter
from typing import NamedTuple

from playground.errors import shorten
from playground.words.readers.looks import is_number
from playground.words.readers.report import Reason

BOM = b"\xef\xbb\xbf"
GAP = re.compile(rb"[ \t]+")
_WHOLE = re.compile(rb"[+-]?\d{1,19}")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_NUMERIC = re.compile(rb"\[?[+-]?[\d.][\d.,:;eE_+-]*\]?|[+-]?(?:nan|inf)", re.IGNORECASE)


class Fault(NamedTuple):
    reason: Reason
    detail: str


def header(line: bytes) -> tuple[int, int] | None:
    """Return the two whole numbers that make a line a header (words, dimensions), or None."""
    fields = GAP.split(line.removeprefix(BOM).lstrip(b" \t").rstrip())
    if len(fields) == 2 and all(_WHOLE.fullmatch(field) for field in fields):
        return int(fields[0]), int(fields[1])
    return None


def has_rows(start: bytes) -> bool:
    """Tell whether most of the first lines end in a number, or what was meant for one; a header does not count.

    Lines of a binary file seldom do, although bytes that look like a number come up in any large one.
    """
    first, *rest = start.removeprefix(BOM).split(b"\n")
    lines = rest if header(first) else [first, *rest]
    if len(lines) > 1:
        del lines[-1]  # it is empty, or may be cut anywhere
    elif len(start) > 1_000:  # a long row, perhaps cut in the middle of a number
        lines = [line.rpartition(b" ")[0] for line in lines]
    filled = [fields for line in lines[:100] if (fields := line.split())]
    return 2 * sum(len(fields) > 1 and _NUMERIC.fullmatch(fields[-1]) is not None for fields in filled) > len(filled)


def is_printable(start: bytes) -> bool:
    """Tell whether there are no control characters, which binary numbers nearly always have."""
    return not _CONTROL.search(start)


def numbers_at_end(line: bytes) -> int:
    """Return how many of the last fields are numbers; the first field is a word unless the line begins with a space."""
    fields = GAP.split(line.rstrip())
    count = 0
    while count < len(fields) - 1 and is_number(fields[-1 - count]):
        count += 1
    return count


def dimensions_of(rows: list[bytes], promised: int) -> tuple[int, int]:
    """Return the number of dimensions that most rows have, and how many rows fit it.

    A word such as "in 2017" seems to add a number to its row. So what the header promises is right if it fits
    more rows than have another number; and of numbers equally frequent it is the one that fits more rows.
    """
    counts = Counter(filter(None, map(numbers_at_end, rows)))
    likely = {count for count, _ in counts.most_common(3)}
    if promised > 0:
        likely.add(promised)
    fitting = {count: sum(not isinstance(read_row(line, count), Fault) for line in rows) for count in likely}

    def rank(count: int) -> tuple[int, bool, int, int]:
        is_promised = count == promised
        return fitting[count] if is_promised else counts[count], is_promised, fitting[count], count

    best = max(fitting, key=rank, default=0)
    return (best, fitting[best]) if fitting.get(best) else (0, 0)


def read_row(line: bytes, dimensions: int) -> tuple[bytes, list[float]] | Fault:
    """Return the word and the numbers of a line, or what is wrong with it."""
    line = line.rstrip()
    parts = GAP.split(line)
    if len(parts) <= dimensions:
        return _wrong_number(numbers_at_end(line), dimensions)
    fields, surplus = parts[-dimensions:], parts[1:-dimensions]
    try:
        values = [float(field) for field in fields]
    except ValueError:
        if surplus:
            return _wrong_number(numbers_at_end(line), dimensions)
        wrong = next(field for field in fields if not is_number(field))
        return Fault("not numbers", f"'{shown(wrong)}' is not a number")
    if not surplus:
        return parts[0], values
    # ". . 0.1 0.2": a word of two dots; "plum 0.3 0.1 0.2": a number too many, unless the file's are whole
    if all(map(is_number, surplus)) and _like_values(surplus, fields):
        return _wrong_number(len(surplus) + dimensions, dimensions)
    ends = [gap.start() for gap in GAP.finditer(line)]
    return line[: ends[-dimensions]], values


def _wrong_number(found: int, dimensions: int) -> Fault:
    return Fault("wrong number of values", f"{found:,} {'number' if found == 1 else 'numbers'}, not {dimensions:,}")


def _like_values(surplus: list[bytes], fields: list[bytes]) -> bool:
    """Tell whether the fields before the vector are written as its numbers are: with a point, or all whole."""
    if all(_WHOLE.fullmatch(field) for field in fields):
        return True
    return not all(_WHOLE.fullmatch(field) for field in surplus)


def shown(field: bytes) -> str:
    return shorten(field[:200].decode("utf-8", errors="backslashreplace"), 30)
