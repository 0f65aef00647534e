"""Vectors as word2vec writes them in binary: a header, then each word, a space and its numbers as bytes."""

import re
from array import array
from dataclasses import dataclass
from typing import IO

import numpy as np

from playground.errors import PlaygroundError
from playground.words.readers.lines import header
from playground.words.readers.rows import MOST_DIMENSIONS, Rows, Table
from playground.words.readers.source import Source

LONGEST_HEADER = 1 << 16  # bytes
SENSIBLE = 0.8  # the share of usual numbers in the rows of vectors that people have
LONGEST_WORD = 2_000  # bytes; word2vec's own tools write at most 50, or 2,000 for phrases
MOST_SPACES = 8  # in a word
BLOCK = 1 << 20
BATCH = 1 << 22  # bytes of rows that are handed on together
WORD = 100  # bytes of memory that a word needs

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
_LINE_ENDS = re.compile(rb"\r\n|\n+")


@dataclass(frozen=True)
class _Layout:
    """How the numbers are written. `usual` are the values of the byte at `top`, with the sign and most of the
    exponent, that nearly all numbers of vectors have.
    """

    dtype: np.dtype
    note: str
    top: int
    usual: bytes

    def usual_share(self, data: bytes, begin: int, dimensions: int) -> float:
        """Return how many of some numbers are neither tiny nor huge, from 0 to 1; 0 also if the first is not."""
        size = self.dtype.itemsize
        if not data[begin + self.top : begin + dimensions * size : size].translate(None, self.usual):
            return 1.0
        with np.errstate(invalid="ignore"):
            values = np.abs(np.frombuffer(data, self.dtype, dimensions, begin).astype(np.float64))
        usual = (values == 0) | ((values > 1e-9) & (values < 1e9))
        return float(usual.mean()) if usual[0] else 0.0


def _with_signs(tops: range) -> bytes:
    return bytes([*tops, *(top + 128 for top in tops)])


# The usual one first.
_LAYOUTS = (
    _Layout(np.dtype("<f4"), "", 3, _with_signs(range(0x31, 0x4E))),
    _Layout(np.dtype(">f4"), "Its numbers are big-endian.", 0, _with_signs(range(0x31, 0x4E))),
    _Layout(np.dtype("<f8"), "Its numbers are float64.", 7, _with_signs(range(0x3E, 0x42))),
    _Layout(np.dtype(">f8"), "Its numbers are big-endian float64.", 0, _with_signs(range(0x3E, 0x42))),
)


@dataclass
class _Buffer:
    """The part of the stream that is being looked at. `position` counts from the start of `data`."""

    stream: IO[bytes]
    data: bytes = b""
    position: int = 0
    ended: bool = False

    def fill(self, size: int, keep: int) -> int:
        """Have at least `size` bytes from the position on, if there are so many.

        Bytes before `keep` may be forgotten: return how many are, as all positions become smaller by it.
        """
        have = len(self.data) - self.position
        if self.ended or have >= size:
            return 0
        pieces = [self.data[keep:]]
        while have < size and not self.ended:
            piece = self.stream.read(max(BLOCK, size - have))
            self.ended = not piece
            pieces.append(piece)
            have += len(piece)
        self.data = b"".join(pieces)
        self.position -= keep
        return keep


def read(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return the vectors of a word2vec binary file; line ends between the rows may be there, as CRLF too.

    The rows go on to the end of the file, whatever the header counts. Raises `PlaygroundError` with the row
    where the file is cut short or rows and words no longer fit.
    """
    with source.open() as stream:
        promised = header(stream.readline(LONGEST_HEADER))
        if promised is None:  # although it was there when the format was told
            raise PlaygroundError(f"{source.name} became shorter while it was read. Open it again.")
        count, dimensions = promised
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            raise PlaygroundError(
                f"{source.name} promises rows of {dimensions:,} numbers: that is no file of word vectors."
            )
        buffer = _Buffer(stream)
        buffer.fill(10 * (LONGEST_WORD + 8 * dimensions), 0)
        fitting = (one for one in _LAYOUTS if _first_rows_fit(buffer.data, one, dimensions, buffer.ended))
        layout = next(fitting, _LAYOUTS[0])
        rows = Rows(dimensions, limit, normalize_keys)
        notes = [layout.note] if layout.note else []
        notes += _read_rows(buffer, rows, layout, count, source.name)
    return Table(rows, "word2vec binary", promised, notes=tuple(notes))


def plausible(start: bytes) -> bool:
    """Tell whether a file that begins with a header goes on with words and binary numbers."""
    first, _, rest = start.partition(b"\n")
    promised = header(first)
    if promised is None or not 1 <= promised[1] <= MOST_DIMENSIONS:
        return False
    return any(_first_rows_fit(rest, layout, promised[1], False) for layout in _LAYOUTS)


def _first_rows_fit(data: bytes, layout: _Layout, dimensions: int, whole: bool) -> bool:
    """Tell whether `data` begins with rows of this layout; if it is the `whole` file, they must end where it ends."""
    position = 0
    for row in range(5):
        start = _after_line_ends(data, position)
        begin = _begin(data, start)
        if begin == 0 or begin + dimensions * layout.dtype.itemsize > len(data):
            return row > 0 and (start == len(data) or not whole)
        if not _is_word(data[start : begin - 1]):
            return False
        if layout.usual_share(data, begin, dimensions) <= SENSIBLE:
            begin = _next_begin(data, start, begin, layout, dimensions)
            if begin == 0:
                return False
        position = begin + dimensions * layout.dtype.itemsize
    return True


def _read_rows(buffer: _Buffer, rows: Rows, layout: _Layout, count: int, name: str) -> list[str]:
    """Read to the end, or to the limit; return notes on what is odd."""
    dimensions = rows.dimensions
    size = dimensions * layout.dtype.itemsize
    words: list[bytes] = []
    values: list[bytes] = []
    odd = array("q")  # rows of numbers that vectors seldom have
    row = 0  # how many there are so far
    last_start = last_begin = 0  # where the word and the numbers of the last one begin

    def hand_on(keep: int) -> None:
        """Add all rows but the last `keep`, which may still turn out to be otherwise."""
        ready = len(words) - keep
        if ready > 0:
            matrix = np.frombuffer(b"".join(values[:ready]), layout.dtype).reshape(-1, dimensions)
            rows.add(words[:ready], matrix, range(row - len(words) + 1, row - keep + 1))
            del words[:ready], values[:ready]

    while not rows.stopped:
        forgotten = buffer.fill(10 * (LONGEST_WORD + size), last_start)
        last_start, last_begin = last_start - forgotten, last_begin - forgotten
        data = buffer.data
        start = buffer.position = _after_line_ends(data, buffer.position)
        if start == len(data):
            if buffer.ended:
                break
            continue
        begin = _begin(data, start)
        end = begin + size
        complete = begin > 0 and end <= len(data)
        is_word = complete and _is_word(data[start : begin - 1])
        share = layout.usual_share(data, begin, dimensions) if is_word else 0.0
        if share < 1:
            # A word with spaces in it, of this row or of the one before, or else an unusual number, or the end.
            if words and not is_word and (other := _next_begin(data, last_start, last_begin, layout, dimensions)):
                words[-1], values[-1] = data[last_start : other - 1], data[other : other + size]
                last_begin, buffer.position = other, other + size
                continue
            if other := _next_begin(data, start, begin, layout, dimensions):
                begin, end = other, other + size
            elif is_word and (row < count or count < 1):
                if share <= SENSIBLE:
                    odd.append(row + 1)
            elif not _fit(data, begin, layout, dimensions):
                hand_on(0)
                if rows.full:
                    rows.stopped = True
                    break
                if row >= count > 0:
                    return [*_notes(odd), f"After row {row:,} the file goes on with bytes that are no row."]
                raise PlaygroundError(_broken_off(name, row, rows, count, complete or len(data) - start > LONGEST_WORD))
        words.append(data[start : begin - 1])
        values.append(data[begin:end])
        row += 1
        last_start, last_begin, buffer.position = start, begin, end
        if len(words) * (size + WORD) > BATCH:
            hand_on(1)
    hand_on(0)
    return _notes(odd)


def _notes(odd: "array[int]") -> list[str]:
    if not odd:
        return []
    rows = "1 row has" if len(odd) == 1 else f"{len(odd):,} rows have"
    return [f"{rows} tiny or huge numbers, the first is row {odd[0]:,}: the file may be damaged there."]


def _broken_off(name: str, row: int, rows: Rows, count: int, damaged: bool) -> str:
    if damaged:
        return (
            f"{name} is a word2vec binary file whose row {row + 1:,} does not begin with a word: the file is "
            f"damaged, or its rows do not have the {rows.dimensions:,} numbers that its header promises."
        )
    limit = f", or read the rows before with limit={len(rows.words)}" if rows.words else ""
    of = f" of {count:,}" if count > row else ""
    return f"{name} is a word2vec binary file cut short at row {row + 1:,}{of}: fetch it again{limit}."


def _begin(data: bytes, start: int) -> int:
    """Return where numbers begin if the word from `start` ends at the first space, or 0."""
    return data.find(b" ", start, start + LONGEST_WORD) + 1


def _next_begin(data: bytes, start: int, begin: int, layout: _Layout, dimensions: int) -> int:
    """Return where the numbers of the row at `start` best begin instead, after a later space, or 0."""
    best, best_share = 0, 0.0
    for _ in range(MOST_SPACES if begin else 0):
        begin = data.find(b" ", begin, start + LONGEST_WORD) + 1
        if begin == 0:
            break
        if _is_word(data[start : begin - 1]) and (share := _fit(data, begin, layout, dimensions)) > best_share:
            best, best_share = begin, share
    return best


def _fit(data: bytes, begin: int, layout: _Layout, dimensions: int) -> float:
    """Return the share of usual numbers at `begin`; 0 if they are too few, or no word or end comes after them."""
    end = begin + dimensions * layout.dtype.itemsize
    if begin == 0 or end > len(data):
        return 0.0
    following = _after_line_ends(data, end)
    if following < len(data):
        space = data.find(b" ", following, following + LONGEST_WORD)
        if space <= following or _CONTROL.search(data, following, space):
            return 0.0
    share = layout.usual_share(data, begin, dimensions)
    return share if share > SENSIBLE else 0.0


def _after_line_ends(data: bytes, position: int) -> int:
    """Return where the next word begins: after CR LF, or any number of LF, which gensim too takes away."""
    ends = _LINE_ENDS.match(data, position)
    return ends.end() if ends else position


def _is_word(raw: bytes) -> bool:
    if _CONTROL.search(raw):
        return False
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
