"""fastText's own `.bin`: the vectors of words and of the pieces they are made of (Bojanowski et al. 2017).

What stands where is told by fastText's `FastText::saveModel`, `Dictionary::save` and `DenseMatrix::save`. Read
here and not by gensim, whose reader never ends on some files that are cut short; the vectors are the same.
"""

import io
import itertools
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from playground.errors import PlaygroundError
from playground.words.readers.arrays import add_in_batches, read_rows
from playground.words.readers.rows import Rows, Subwords, Table
from playground.words.readers.source import Source

LONGEST_WORD = 10_000  # bytes
LONGEST_PIECE = 30  # letters; fastText's own default is 6
BLOCK = 1 << 20

_FLOAT = np.dtype("<f4")
_MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
_ARGUMENTS = struct.Struct("<12i")
_COUNTS = struct.Struct("<d3iq")  # the sampling threshold, entries, words, labels, tokens
_AFTER_WORD = 9  # bytes: how often the word was seen, and whether it is a label


class _Header(NamedTuple):
    old: bool  # before 2017 there was no mark of the format, no pruning and no quantisation
    dimensions: int
    entries: int
    words: int
    labels: int
    supervised: bool
    bucket: int
    min_n: int
    max_n: int


def is_fasttext(start: bytes) -> bool:
    """Tell whether a file that begins so is a fastText `.bin`, of today or of before 2017."""
    return start.startswith(_MAGIC) or _old_header(start) is not None


def read(source: Source, limit: int | None, normalize_keys: bool) -> Table:
    """Return the word vectors of a fastText `.bin`, as gensim composes them, and the vectors of subwords.

    `limit` is for the words; the subwords are kept whole, as any word may need them. Raises `PlaygroundError`
    for a model with labels, a quantised one, one whose pieces are pruned, and a file that is cut short.
    """
    with source.on_disk() as path, path.open("rb") as file:
        header = _header(file, source.name)
        if header.labels or header.supervised:
            raise PlaygroundError(_labelled(file, header, source.name))
        words = _dictionary(file, header, source.name)
        start = _matrix_start(file, header, path.stat().st_size, source.name)
        return _table(path, start, header, words, limit, normalize_keys)


def compose(words: Sequence[bytes | str], vectors: np.ndarray, subwords: Subwords) -> np.ndarray:
    """Return the vectors `(n, d)` of words: the mean of their own, `vectors (n, d)`, and those of their pieces.

    The sums are made in gensim's order, so that they are the same to the last bit.
    """
    from gensim.models.fasttext import ft_ngram_hashes

    pieces = [ft_ngram_hashes(_text(word), subwords.min_n, subwords.max_n, subwords.bucket) for word in words]
    counts = np.array([len(numbers) for numbers in pieces])
    falling = np.argsort(-counts, kind="stable")
    numbers = np.fromiter(itertools.chain.from_iterable(pieces), np.int64, counts.sum())
    firsts = (np.cumsum(counts) - counts)[falling]
    sums = np.asarray(vectors, dtype=np.float32)[falling]
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is left out later
        for place in range(counts.max()):  # the first piece of every word that has one, then the second
            having = np.count_nonzero(counts > place)
            sums[:having] += subwords.ngrams[numbers[firsts[:having] + place]]
    composed = np.empty_like(sums)
    composed[falling] = sums / (counts[falling] + 1).astype(np.float32)[:, None]
    return composed


def _text(word: bytes | str) -> str:
    return word if isinstance(word, str) else word.decode("utf-8", errors="backslashreplace")


def _header(file: IO[bytes], name: str) -> _Header:
    start = file.read(BLOCK)
    header = _old_header(start)
    if start.startswith(_MAGIC):
        version = int.from_bytes(start[4:8], "little")
        if version not in _VERSIONS:
            raise PlaygroundError(f"{name} is a fastText .bin of version {version:,}: versions 11 and 12 can be read.")
        header = _counts(start, 8)
    if header is None:
        raise PlaygroundError(f"{name} is a fastText .bin, cut short in its header. Fetch it again.")
    if header.dimensions < 1 or header.words < 1 or header.labels < 0 or header.bucket < 0:
        raise PlaygroundError(
            f"{name} is a fastText .bin with {header.words:,} words of {header.dimensions:,} numbers: its header is "
            "damaged. Fetch it again."
        )
    if header.max_n > LONGEST_PIECE or header.min_n < 0:
        raise PlaygroundError(
            f"{name} is a fastText .bin with pieces of {header.min_n:,} to {header.max_n:,} letters: at most "
            f"{LONGEST_PIECE} can be read."
        )
    file.seek(0 if header.old else 8)
    file.seek(_ARGUMENTS.size + _COUNTS.size, io.SEEK_CUR)
    return header


def _counts(start: bytes, offset: int) -> _Header | None:
    if len(start) < offset + _ARGUMENTS.size + _COUNTS.size:
        return None
    dimensions, *_, model, bucket, min_n, max_n, _ = _ARGUMENTS.unpack_from(start, offset)
    _, entries, words, labels, _ = _COUNTS.unpack_from(start, offset + _ARGUMENTS.size)
    supervised = model == _SUPERVISED
    return _Header(offset == 0, dimensions, entries, words, labels, supervised, bucket, min_n, max_n)


def _old_header(start: bytes) -> _Header | None:
    """Return the header of a file of before 2017, or None if the numbers are not like those of one."""
    header = _counts(start, 0)
    if header is None:
        return None
    _, window, epochs, least, negative, _, loss, model, *_ = _ARGUMENTS.unpack_from(start)
    plausible = (
        0 < header.dimensions <= 10_000
        and 0 < window <= 1_000
        and 0 < epochs <= 100_000
        and least >= 0
        and negative >= 0
        and loss in (1, 2, 3)
        and model in (1, 2, 3)
        and 0 <= header.min_n <= LONGEST_PIECE
        and 0 <= header.max_n <= LONGEST_PIECE
        and 0 < header.words <= header.entries == header.words + header.labels
    )
    return header if plausible else None


def _labelled(file: IO[bytes], header: _Header, name: str) -> str:
    try:
        _dictionary(file, header, name)
        quantised = not header.old and file.read(1) == b"\x01"
    except PlaygroundError:
        quantised = False
    kind = "a quantised fastText model (.ftz) with labels" if quantised else "a fastText .bin with labels"
    return (
        f"{name} is {kind}: it sorts texts into classes, and its vectors serve only that. "
        "Take a model trained by skipgram or cbow."
    )


def _dictionary(file: IO[bytes], header: _Header, name: str) -> list[bytes]:
    """Return the words, of which each ends in NUL; then `file` is at the matrix."""
    pruned = -1 if header.old else int.from_bytes(file.read(8), "little", signed=True)
    if header.entries != header.words + header.labels:
        raise PlaygroundError(
            f"{name} is a fastText .bin with {header.entries:,} entries, of which {header.words:,} are words: its "
            "header is damaged. Fetch it again."
        )
    words: list[bytes] = []
    rest = b""
    while len(words) < header.entries:
        piece = file.read(BLOCK)
        if not piece:
            raise PlaygroundError(
                f"{name} is a fastText .bin cut short in its dictionary, at word {len(words) + 1:,} of "
                f"{header.entries:,}. Fetch it again."
            )
        rest += piece
        start = 0
        while len(words) < header.entries:
            end = rest.find(b"\x00", start, start + LONGEST_WORD + 1)
            if end < 0 and len(rest) - start > LONGEST_WORD:
                raise PlaygroundError(
                    f"{name} is a damaged fastText .bin: word {len(words) + 1:,} has more than {LONGEST_WORD:,} bytes. "
                    "Fetch it again."
                )
            if end < 0 or end + _AFTER_WORD >= len(rest):
                break
            words.append(rest[start:end])
            start = end + 1 + _AFTER_WORD
        rest = rest[start:]
    file.seek(-len(rest), io.SEEK_CUR)
    if pruned >= 0:
        raise PlaygroundError(
            f"{name} is a fastText model whose subwords are pruned to {pruned:,}, as for a quantised .ftz: "
            "that cannot be read. Take the .bin it was made of."
        )
    return words


def _matrix_start(file: IO[bytes], header: _Header, size: int, name: str) -> int:
    """Return where the numbers begin, after all checks of their size."""
    quantised = b"\x00" if header.old else file.read(1)
    rows, columns = header.words + header.bucket, header.dimensions
    shape = file.read(16)
    if quantised not in (b"\x00", b""):
        raise PlaygroundError(
            f"{name} is a quantised fastText model (.ftz): its vectors are rounded to a few bits, and cannot be read. "
            "Take the .bin it was made of."
        )
    start = file.tell()
    whole_rows = (size - start) // (4 * columns)
    if len(shape) < 16 or whole_rows < min(rows, struct.unpack("<2q", shape)[0]):
        raise PlaygroundError(
            f"{name} is a fastText .bin cut short in its matrix, at row {max(whole_rows, 0) + 1:,} of {rows:,}. "
            "Fetch it again."
        )
    if struct.unpack("<2q", shape) != (rows, columns):
        raise PlaygroundError(
            f"{name} is a damaged fastText .bin: its matrix has the shape {struct.unpack('<2q', shape)}, and "
            f"{header.words:,} words and {header.bucket:,} subwords of {columns:,} numbers need {(rows, columns)}."
        )
    return start


def _table(
    path: Path, start: int, header: _Header, words: list[bytes], limit: int | None, normalize_keys: bool
) -> Table:
    columns = header.dimensions
    subwords = None
    if header.bucket and header.max_n > 0:
        ngrams = read_rows(path, _FLOAT, columns, start, header.words, header.words + header.bucket)
        subwords = Subwords(ngrams, header.min_n, header.max_n, header.bucket)

    def vectors(first: int, end: int) -> np.ndarray:
        own = read_rows(path, _FLOAT, columns, start, first, end)
        return own if subwords is None else compose(words[first:end], own, subwords)

    rows = Rows(columns, limit, normalize_keys)
    add_in_batches(rows, words, vectors)
    return Table(rows, "fastText .bin", (header.words, columns), subwords)
