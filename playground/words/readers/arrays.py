"""Vectors that stand in one file and their words in another: NumPy's `.npy`, and the Embedding Projector's TSV pair."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.readers.beside import Words, content_of, encodable, lines_of, unpacked_name, words_beside
from playground.words.readers.report import printable
from playground.words.readers.rows import Rows, Table
from playground.words.readers.source import Source

BATCH = 1 << 22  # bytes of rows that are added at a time
LINE_LIMIT = 1_000_000  # bytes: a row of 4,096 numbers has some 50,000
SAMPLE = 200  # rows that decide on the number of dimensions

_NPY_HEADER = 10_000  # bytes
_DESCR = re.compile(rb"""["']descr["']\s*:\s*(.+?)\s*,\s*["'}]""")
_FORTRAN = re.compile(rb"""["']fortran_order["']\s*:\s*(True|False)""")
_SHAPE = re.compile(rb"""["']shape["']\s*:\s*\(([\d,\sL]{0,100})\)""")
_REAL = re.compile(rb"""["'][<>=]?f[248]["']""")
_VECTORS = ("vectors", "vecs", "tensors", "tensor", "embeddings", "embedding")
_WORD_COLUMNS = ("label", "word", "name", "token")


def is_npy(start: bytes) -> bool:
    """Tell whether a file that begins so is a NumPy array."""
    return start.startswith(b"\x93NUMPY")


def is_tsv(start: bytes) -> bool:
    """Tell whether a file begins with a line of two or more numbers with tabs between them, and most lines are such."""
    whole, _, _ = start.rpartition(b"\n")
    lines = [line for line in (whole or start).split(b"\n")[:20] if line.strip()]
    fields = [line.rstrip().split(b"\t") for line in lines]
    if not whole and len(fields) == 1 and len(fields[0]) > 2:
        del fields[0][-1]  # it may be cut in the middle
    are = [len(row) > 1 and all(map(_is_number, row)) for row in fields]
    return bool(are) and are[0] and 2 * sum(are) > len(are)


def read_npy(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return the vectors of a `.npy (n, d)` and their words, from a file beside it: one a line, or as JSON.

    Of the files whose names `vocabulary_names` lists it is the first with as many words as there are rows.
    Raises `PlaygroundError` if there is none, or the array is not one of real numbers in rows.
    """
    with source.on_disk() as path:
        return _add_words(source, open_npy(path, source.name), limit, normalize_keys)


def _add_words(source: Source, matrix: np.ndarray, limit: int | None, normalize_keys: bool) -> Table:
    count, dimensions = matrix.shape
    name, words = words_beside(
        source, vocabulary_names(source), count, lambda path: _vocabulary(path, count, dimensions)
    )
    rows = Rows(dimensions, limit, normalize_keys)
    add_in_batches(rows, words, lambda start, end: rows_of(matrix, start, end))
    return Table(rows, "NumPy .npy", notes=(f"The words come from {name}.",))


def add_in_batches(rows: Rows, words: Words, vectors: Callable[[int, int], np.ndarray]) -> None:
    """Add the words with `vectors(start, end)`, piece by piece, until they end or the limit is reached."""
    step = max(1, BATCH // (4 * rows.dimensions))
    for start in range(0, len(words), step):
        some = words[start : start + step]
        rows.add(some, vectors(start, start + len(some)), range(start + 1, start + len(some) + 1))
        if rows.stopped:
            break


def open_npy(path: Path, name: str) -> np.ndarray:
    """Return the array `(n, d)` of real numbers in a `.npy`, memory-mapped; pickled objects are never opened.

    `name` is how messages call the file. Raises `PlaygroundError` for any other array, and for a header that
    promises more than the file holds.
    """
    with path.open("rb") as file:
        start = file.read(12)
        long = start[6:7] > b"\x01"  # versions 2 and 3 of the format
        length = int.from_bytes(start[8:12] if long else start[8:10], "little")
        begins = (12 if long else 10) + length
        file.seek(begins - length)
        header = file.read(min(length, _NPY_HEADER))
    kind, shape, by_columns = _DESCR.search(header), _SHAPE.search(header), _FORTRAN.search(header)
    if not (is_npy(start) and kind and shape and by_columns):
        raise PlaygroundError(f"{name} is a NumPy array whose header makes no sense. Fetch it again.")
    sides = tuple(map(int, re.findall(rb"\d+", shape[1])))
    described = printable(shorten(kind[1].decode("latin-1"), 30))
    if b"O" in kind[1]:
        raise PlaygroundError(
            f"{name} holds pickled Python objects, which are never opened. Save it as an array of float32."
        )
    if not _REAL.fullmatch(kind[1]):
        raise PlaygroundError(f"{name} is an array of {described}: vectors are of float16, float32 or float64.")
    if len(sides) != 2 or 0 in sides:
        raise PlaygroundError(f"{name} is an array of shape {sides[:9]}: vectors have the shape (words, numbers).")
    dtype = np.dtype(described[1:-1])
    held = (path.stat().st_size - begins) // dtype.itemsize
    if sides[0] * sides[1] > held:
        raise PlaygroundError(
            f"{name} is cut short: its header promises {sides[0]:,} rows of {sides[1]:,} numbers, and it holds "
            f"{max(0, held):,} numbers. Fetch it again."
        )
    return np.memmap(path, dtype, mode="r", offset=begins, shape=sides, order="F" if by_columns[1] == b"True" else "C")


def rows_of(matrix: np.ndarray, start: int, end: int) -> np.ndarray:
    """Return some rows `(end - start, d)`; those of a file are read from it, so that it need not all be mapped."""
    if not isinstance(matrix, np.memmap) or not matrix.flags.c_contiguous or matrix.filename is None:
        return matrix[start:end]
    return read_rows(Path(matrix.filename), matrix.dtype, matrix.shape[1], matrix.offset, start, end)


def read_rows(path: Path, dtype: np.dtype, columns: int, offset: int, start: int, end: int) -> np.ndarray:
    """Return rows `(end - start, columns)` of the matrix that begins at byte `offset` of a file."""
    count = (end - start) * columns
    numbers = np.fromfile(path, dtype, count, offset=offset + start * columns * dtype.itemsize)
    if len(numbers) < count:
        raise PlaygroundError(f"{printable(path.name)} became shorter while it was read. Open it again.")
    return numbers.reshape(-1, columns)


def vocabulary_names(source: Source) -> list[str]:
    """Return the names under which the words of a `.npy` are looked for, beside it."""
    stem = re.sub(r"\.np[yz]$", "", unpacked_name(source))
    own = [".txt", ".vocab", ".words", "_words.txt", "_vocab.txt", ".words.txt", ".vocab.txt"]
    own += [".json", "_words.json", "_vocab.json", ".words.json", ".vocab.json"]
    shared = [name + suffix for suffix in (".txt", ".json") for name in ("words", "vocab", "vocabulary")]
    return [stem + ending for ending in own] + shared


def _vocabulary(path: Path, count: int, dimensions: int) -> Words | None:
    """Return the words in a file, or None if it is none of words."""
    content = content_of(path, count)
    if content is None:
        return None
    if path.suffix == ".json":
        return _json_words(content, count)
    lines = lines_of(content)
    fields = lines[0].split() if lines else []
    if len(fields) > dimensions and all(map(_is_number, fields[-dimensions:])):
        return None  # the same vectors as text
    return lines


def _json_words(content: bytes, count: int) -> Words | None:
    try:
        listed = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if isinstance(listed, list) and all(isinstance(word, str) for word in listed):
        return [encodable(word) for word in listed]
    if not isinstance(listed, dict) or not all(type(row) is int and 0 <= row < count for row in listed.values()):
        return None
    words: list[bytes | str] = [""] * count
    for word, row in listed.items():
        words[row] = encodable(word)
    return words


def read_tsv(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return vectors of numbers with tabs between them, one row a line, and their words from a file of metadata.

    Of the files whose names `metadata_names` lists it is the first with a word for each row. Metadata of one
    column have no header; of several they have one, and the word is in the column named label, word, name or
    token, or else in the first. Rows with a wrong number of values are left out and named. Raises
    `PlaygroundError`.
    """
    widths: Counter[int] = Counter()
    count = 0
    for _, line in _filled_lines(source):
        count += 1
        if count <= SAMPLE:
            widths[line.count(b"\t") + 1] += 1
    dimensions = widths.most_common(1)[0][0]
    name, words = words_beside(source, metadata_names(source), count, lambda path: _metadata(path, count))
    rows = Rows(dimensions, limit, normalize_keys)
    filled = zip(words, _filled_lines(source), strict=True)
    while not rows.stopped and (some := list(itertools.islice(filled, max(1, BATCH // (64 * dimensions))))):
        _add_lines(rows, some)
    return Table(rows, "tab-separated text", notes=(f"The words come from {name}.",))


def _filled_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, without the white space at their end, and their numbers."""
    with source.open() as stream:
        number = 0
        while line := stream.readline(LINE_LIMIT):
            number += 1
            if len(line) == LINE_LIMIT:
                raise PlaygroundError(
                    f"{source.name}: line {number:,} is longer than {LINE_LIMIT:,} bytes, so it is no row of vectors."
                )
            if line := line.rstrip():
                yield number, line


def _add_lines(rows: Rows, filled: list[tuple[bytes | str, tuple[int, bytes]]]) -> None:
    """Add words and their numbered lines; leave out and name those that are not of the right numbers."""
    words = [word for word, _ in filled]
    places = [place for _, (place, _) in filled]
    try:
        matrix = np.loadtxt([line for _, (_, line) in filled], delimiter="\t", comments=None, ndmin=2)
    except ValueError:
        matrix = np.empty((0, 0))
    if matrix.shape == (len(filled), rows.dimensions):
        rows.add(words, matrix, places)
        return
    for word, (place, line) in filled:
        fields = line.split(b"\t")
        shown = word if isinstance(word, str) else word.decode("utf-8", errors="backslashreplace")
        wrong = next((field for field in fields if not _is_number(field)), None)
        if len(fields) != rows.dimensions:
            rows.leave_out(place, shown, "wrong number of values", f"{len(fields):,} numbers, not {rows.dimensions:,}")
        elif wrong is not None:
            said = shorten(wrong.decode("utf-8", errors="backslashreplace"), 30)
            rows.leave_out(place, shown, "not numbers", f"{said!r} is not a number")
        else:
            rows.add([word], np.array([[float(field) for field in fields]]), [place])


def metadata_names(source: Source) -> list[str]:
    """Return the names under which the words of a TSV of vectors are looked for, beside it."""
    stem, dot, suffix = unpacked_name(source).rpartition(".")
    stem, ending = (stem, dot + suffix) if dot else (suffix, ".tsv")
    called = ("metadata", "meta", "labels")
    renamed = [stem.replace(part, other) + ending for part in _VECTORS if part in stem for other in called]
    own = [f"{stem}{joint}{other}{ending}" for other in called for joint in "_."]
    return list(dict.fromkeys([*renamed, *own, *(f"{other}.tsv" for other in called)]))


def _metadata(path: Path, count: int) -> Words | None:
    """Return the words of a file of metadata, or None if it is none."""
    content = content_of(path, count)
    if content is None:
        return None
    lines = lines_of(content)
    if not lines or b"\t" not in lines[0]:
        filled = [line for line in lines if line.strip()]
        return filled if len(lines) != count else lines
    columns = [column.strip().lower().decode("utf-8", errors="replace") for column in lines[0].split(b"\t")]
    chosen = next((columns.index(name) for name in _WORD_COLUMNS if name in columns), 0)
    rows = (line.split(b"\t") for line in lines[1:] if line.strip())
    return [row[chosen] if chosen < len(row) else b"" for row in rows]


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
