"""Tables to take away: CSV for spreadsheets and programs, TSV for the TensorFlow Embedding Projector."""

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np

from playground.errors import PlaygroundError

# A spreadsheet runs a cell that begins so as a formula, even where it is quoted; the wide ones too.
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def coordinates_csv(words: Sequence[str], points: np.ndarray, axes: Sequence[str], *, guard: bool = True) -> str:
    """Return a CSV of `points (n, dims)`: a line a word, headed "word" and the names of the `axes`.

    Numbers are written in full. With `guard`, a word that a spreadsheet would run as a formula (`=1+1`,
    `-x`, `@home`) has an apostrophe before it; without, words stand as they are, for programs. For Excel,
    encode the text as "utf-8-sig". Raises `PlaygroundError` if words, points and axes do not fit.
    """
    points = _matrix(points, len(words), len(axes))
    rows = ([word, *numbers] for word, numbers in zip(words, points.tolist(), strict=True))
    return _csv([["word", *axes], *rows], guard)


def similarity_csv(words: Sequence[str], matrix: np.ndarray, *, guard: bool = True) -> str:
    """Return a CSV of a similarity `matrix (n, n)`, with the words above and before it.

    `guard` and errors as in `coordinates_csv`.
    """
    matrix = _matrix(matrix, len(words), len(words))
    rows = ([word, *numbers] for word, numbers in zip(words, matrix.tolist(), strict=True))
    return _csv([["word", *words], *rows], guard)


def projector_vectors(matrix: np.ndarray) -> str:
    """Return vectors.tsv for the Embedding Projector: a line a word of `matrix (n, d)`, tabs between.

    There is no header. Raises `PlaygroundError` for a number that is not finite and for d = 1, which the
    projector does not take.
    """
    matrix = _matrix(matrix, len(matrix), None)
    if matrix.shape[1] < 2:
        raise PlaygroundError("The Embedding Projector takes vectors of at least two numbers.")
    return "".join("\t".join(map(str, row)) + "\n" for row in matrix)


def projector_metadata(words: Sequence[str]) -> str:
    r"""Return metadata.tsv for the Embedding Projector: a word a line, in the order of the vectors.

    One column has no header there. A tab or line end inside a word is written as \t, \n, \r; a word of
    blanks only as its code points, since the projector would skip the line and shift all labels.
    """
    return "".join(_label(word) + "\n" for word in words)


def _label(word: str) -> str:
    if not word.replace("\ufeff", "").strip():
        return "".join(f"U+{ord(character):04X}" for character in word) or "(empty)"
    return word.translate(_ESCAPES)


def _matrix(numbers: np.ndarray, rows: int, columns: int | None) -> np.ndarray:
    matrix = np.asarray(numbers)
    if matrix.ndim != 2 or len(matrix) != rows or columns not in (None, matrix.shape[1]):
        wanted = f"({rows}, {'d' if columns is None else columns})"
        raise PlaygroundError(f"The table should have shape {wanted}, and has {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise PlaygroundError("The table holds a number that is not finite, which other programs cannot read.")
    return matrix


def _csv(rows: Iterable[Sequence[str | float]], guard: bool) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)  # words in quotes, so that "2008" stays a word
    writer.writerows([_guarded(cell) if guard else cell for cell in row] for row in rows)
    return out.getvalue()


def _guarded(cell: str | float) -> str | float:
    return "'" + cell if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell
