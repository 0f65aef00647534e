"""A file of word vectors → `KeyedVectors`, through gensim's own readers."""

import zlib
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from playground.errors import PlaygroundError
from playground.words.store import keyed_vectors

LINE_LIMIT = 1_000_000  # bytes: a row of 4,096 numbers has some 50,000; a longer line is no row of vectors


def read_vectors(path: Path, limit: int | None = None) -> KeyedVectors:
    """Return the vectors of a word2vec text or binary file, or a GloVe text file (also gzip-packed).

    Whether the file has a header and whether it is text is told by its first line, not by its name.
    Rows that are zero, not finite, or too long for float32 have no direction and are left out, as are rows
    without a word. Raises `PlaygroundError`.
    """
    first, second = _first_lines(path)
    header = _header(first)
    binary = header is not None and not _is_row(second, header[1]) and not _is_text(second)
    no_header = header is None or (not binary and len(second.split()) == 2)
    if header is None and not _is_row(first, None):
        raise PlaygroundError(
            f"{path.name} is not a file of word vectors: its first line is neither a header "
            "('number of words, number of dimensions') nor a word followed by numbers."
        )
    if header is not None and not no_header:
        _check_promise(path, header)
    try:
        with np.errstate(over="ignore"):
            vectors = KeyedVectors.load_word2vec_format(
                str(path), binary=binary, no_header=no_header, limit=limit, unicode_errors="strict"
            )
    except (ValueError, TypeError, EOFError, OSError, MemoryError, zlib.error) as error:
        raise PlaygroundError(f"{path.name} cannot be read as word vectors: {error}.") from None
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(vectors.vectors, axis=1)  # in float32, as all later cosines
    good = np.isfinite(norms) & (norms > 0) & np.array([word != "" for word in vectors.index_to_key])
    if not good.any():
        raise PlaygroundError(f"{path.name} holds no usable word vector.")
    words = [word for word, usable in zip(vectors.index_to_key, good, strict=True) if usable]
    return keyed_vectors(words, vectors.vectors[good])


def _first_lines(path: Path) -> tuple[bytes, bytes]:
    from gensim import utils

    try:
        with utils.open(str(path), "rb") as file:
            first, second = file.readline(LINE_LIMIT), file.readline(LINE_LIMIT)
    except (OSError, EOFError, zlib.error) as error:
        raise PlaygroundError(f"{path.name} cannot be opened: {error}.") from None
    if not first.strip():
        raise PlaygroundError(f"{path.name} is empty: it holds no word vectors.")
    return first, second


def _header(line: bytes) -> tuple[int, int] | None:
    fields = line.split()
    if len(fields) == 2 and all(field.isdigit() and len(field) < 20 for field in fields):
        return int(fields[0]), int(fields[1])
    return None


def _is_row(line: bytes, dimensions: int | None) -> bool:
    fields = line.rstrip().split(b" ")
    numbers = fields[1:] if dimensions is None else fields[-dimensions:]
    try:
        [float(field) for field in numbers]
    except ValueError:
        return False
    return len(fields) > 1


def _is_text(line: bytes) -> bool:
    """Tell a row of text that has a fault from a row of binary numbers."""
    try:
        return all(character.isprintable() or character.isspace() for character in line.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _check_promise(path: Path, header: tuple[int, int]) -> None:
    """Refuse a header that promises more numbers than a file of this size can hold.

    gensim allocates what the header says before it reads a row, so a small file could fill the memory.
    """
    count, dimensions = header
    if count < 1 or dimensions < 1:
        raise PlaygroundError(f"{path.name} promises {count} words of {dimensions} numbers: it is empty.")
    most_numbers = path.stat().st_size * 1000  # gzip packs text at most about thousandfold
    if path.suffix != ".gz":
        most_numbers = path.stat().st_size
    if count * dimensions > most_numbers:
        raise PlaygroundError(
            f"{path.name} promises {count:,} words of {dimensions:,} numbers, "
            f"more than its {path.stat().st_size:,} bytes can hold."
        )
