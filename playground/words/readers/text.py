"""Vectors as text: a word and its numbers on each line, with or without a header (word2vec, fastText, GloVe)."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from playground.errors import PlaygroundError
from playground.words.readers import looks
from playground.words.readers.lines import (
    BOM,
    GAP,
    Fault,
    dimensions_of,
    has_rows,
    header,
    numbers_at_end,
    read_row,
    shown,
)
from playground.words.readers.rows import MOST_DIMENSIONS, Rows, Table
from playground.words.readers.source import Source

BLOCK = 1 << 20  # bytes read at a time, and the longest line: a row of 4,096 numbers has some 50,000
SAMPLE = 200  # rows that decide on the number of dimensions
MOST_FAULTS = 100_000  # lines; with more of them than rows, it is another kind of file
MOST_COLUMNS = 4_000  # Arrow needs memory for each column, and rows as long as that are few in a block


@dataclass(frozen=True)
class _Shape:
    header: tuple[int, int] | None
    dimensions: int
    separator: bytes


def read(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return the vectors of a text file; rows that are none are left out and named.

    The number of dimensions is the one that fits most of the first rows; a header is only advice. The last so
    many fields of a line are its vector and the rest is the word, which may hold spaces. Only LF ends a line.
    Raises `PlaygroundError` for a file without rows, a line that is far too long, or marks of a merge.
    """
    with source.open() as stream:
        blocks = _blocks(stream, source.name)
        first = next(blocks, b"").removeprefix(BOM)
        if first.count(b"\n") < SAMPLE:  # perhaps a header alone, before rows that fill the next piece
            first += next(blocks, b"")
        shape = _shape(first, source)
        rows = Rows(shape.dimensions, limit, normalize_keys)
        place = 1
        if shape.header is not None:
            first = first.partition(b"\n")[2]
            place = 2
        for block in itertools.chain([first], blocks):
            _add_block(rows, block, place, shape.separator, source.name)
            if rows.stopped:
                break
            place += block.count(b"\n")
    kind = "word2vec text" if shape.header is not None else "GloVe text, no header"
    counts = "Each word has one number. If they are counts of words, this is a vocabulary and not a file of vectors."
    return Table(rows, kind, shape.header, notes=(counts,) if shape.dimensions == 1 else ())


def _blocks(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """Yield the content in pieces of whole lines; raises `PlaygroundError` at a line longer than `BLOCK`."""
    begun, lines = b"", 1
    while piece := stream.read(BLOCK):
        first_end = piece.find(b"\n")
        if len(begun) + (first_end if first_end >= 0 else len(piece)) > BLOCK:
            raise PlaygroundError(
                f"{name}: line {lines:,} is longer than {BLOCK:,} bytes, so it is no row of vectors. "
                "Check that this is the right file."
            )
        end = piece.rfind(b"\n") + 1
        if end:
            yield begun + piece[:end]
            lines += piece.count(b"\n")
            begun = b""
        begun += piece[end:]
    if begun:
        yield begun


def _shape(first: bytes, source: Source) -> _Shape:
    """Decide from the first rows what the file's rows are like."""
    lines = first.split(b"\n")
    if len(lines) == 1 and has_rows(first.replace(b"\r", b"\n")) and b"\r" in first.rstrip():
        raise PlaygroundError(f"{source.name} ends its lines with CR alone, as old Macs did: save it with LF.")
    for number, line in enumerate(lines[:SAMPLE], 1):
        if looks.conflict(line):
            raise PlaygroundError(f"{source.name} {looks.CONFLICT.format(line=f'line {number}')}.")
    promised = header(lines[0])
    rows = [line for line in lines[1 if promised else 0 :] if line.strip()][:SAMPLE]
    if not rows:
        raise PlaygroundError(f"{source.name} holds no rows, or a header alone: fetch it again.")
    if odd := looks.odd_rows(rows):
        raise PlaygroundError(f"{source.name} {odd}.")
    dimensions, fitting = dimensions_of(rows, promised[1] if promised else 0)
    if 4 * fitting <= len(rows):
        raise PlaygroundError(f"{source.name} is not a file of word vectors: it looks like {looks.no_rows(rows)}.")
    if dimensions > MOST_DIMENSIONS:
        raise PlaygroundError(
            f"{source.name} has rows of {dimensions:,} numbers: word vectors have at most {MOST_DIMENSIONS:,}."
        )
    if promised and promised[1] != dimensions and fitting < 2:
        raise PlaygroundError(
            f"{source.name} promises rows of {promised[1]:,} numbers, and its first row has "
            f"{numbers_at_end(rows[0]):,}: it seems cut short. Fetch it again."
        )
    if promised and dimensions == 1 and not _counts_its_lines(source, promised[0]):
        raise PlaygroundError(
            f"{source.name}: line 1 ({promised[0]} {promised[1]}) can be a header or the word {promised[0]} with one "
            "number. Delete it if it is a header, or write the true number of words if it is one."
        )
    tabs = sum(line.count(b"\t") >= dimensions for line in rows)
    return _Shape(promised, dimensions, b"\t" if 2 * tabs > len(rows) else b" ")


def _counts_its_lines(source: Source, promised: int) -> bool:
    """Tell whether so many rows follow the first line."""
    with source.open() as stream:
        filled = 0
        for block in _blocks(stream, source.name):
            filled += sum(bool(line.strip()) for line in block.split(b"\n"))
    return filled - 1 == promised


def _add_block(rows: Rows, block: bytes, place: int, separator: bytes, name: str) -> None:
    """Add the rows of some whole lines, the first of which is line `place`."""
    if block.isspace():
        return
    if block.count(b"\r") == block.count(b"\r\n"):
        block = block.replace(b"\r\n", b"\n")
    block = block.replace(b" \n", b"\n")  # fastText ends each row with a space
    lines = block.count(b"\n") + (not block.endswith(b"\n"))
    if (quick := _regular(block, lines, rows.dimensions, separator)) is not None:
        words, matrix = quick
        rows.add(words, matrix, range(place, place + lines))
    else:
        _add_lines(rows, block, place, name)


def _regular(block: bytes, lines: int, dimensions: int, separator: bytes) -> tuple[list[str], np.ndarray] | None:
    """Return words and numbers of lines that are all well-formed, by Arrow's fast reader; None if one is not.

    Arrow would take a CR for the end of a line, drop blank lines and a byte order mark, leave white space of
    the other kind at a word, and read "nan(x)" as a number: such lines are read one by one. Its numbers are
    read as float64 and then made float32, as gensim does.
    """
    mixed_gap = b" \t" if separator == b"\t" else b"\t "
    if b"\r" in block or mixed_gap in block or block.startswith(BOM) or dimensions > MOST_COLUMNS:
        return None
    import pyarrow as pa
    from pyarrow import csv

    columns = [str(number) for number in range(dimensions)]
    types = {"word": pa.string()} | dict.fromkeys(columns, pa.float64())
    try:
        table = csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=["word", *columns]),
            parse_options=csv.ParseOptions(delimiter=separator.decode(), quote_char=False, escape_char=False),
            convert_options=csv.ConvertOptions(column_types=types, null_values=[]),
        )
    except (pa.ArrowInvalid, pa.ArrowCapacityError):
        return None
    if table.num_rows != lines:
        return None
    (batch,) = table.to_batches()
    matrix = np.empty((lines, dimensions), dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        for number in range(dimensions):
            # the column's own bytes: its to_numpy() would import pandas
            matrix[:, number] = np.frombuffer(batch.column(number + 1).buffers()[1], dtype=np.float64)[:lines]
    if b"(" in block and np.isnan(matrix).any():
        return None
    return table.column(0).to_pylist(), matrix


def _add_lines(rows: Rows, block: bytes, place: int, name: str) -> None:
    """Add lines one by one, so that each fault is found and named."""
    words: list[bytes] = []
    numbers: list[list[float]] = []
    places: list[int] = []
    faults: list[tuple[int, bytes, Fault]] = []
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), place):
        if not line.strip():
            continue
        row = read_row(line, rows.dimensions)
        if isinstance(row, Fault):
            faults.append((number, line, row))
        else:
            words.append(row[0])
            numbers.append(row[1])
            places.append(number)
    seen = 0
    if words:
        with np.errstate(over="ignore"):
            seen = rows.add(words, np.array(numbers, dtype=np.float64).astype(np.float32), places)
    last = places[seen - 1] if seen else place - 1
    for number, line, fault in faults:
        if rows.full and number > last:
            rows.stopped = True
            break
        if looks.conflict(line):
            raise PlaygroundError(f"{name} {looks.CONFLICT.format(line=f'line {number:,}')}.")
        rows.leave_out(number, shown(GAP.split(line.strip(), maxsplit=1)[0]), *fault)
    wrong = rows.left_out["not numbers"] + rows.left_out["wrong number of values"]
    if wrong > MOST_FAULTS and wrong > len(rows.words):
        raise PlaygroundError(
            f"{name}: {wrong:,} of its first {number:,} lines are not a word and {rows.dimensions:,} numbers, as its "
            "first ones are. Check that this is the right file."
        )
