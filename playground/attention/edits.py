"""Cells of a layer's matrices that were changed by hand: as data, as a line of text, as a file.

A matrix goes by its name: "X" `(n, d_model)`, "W_Q", "W_K", "W_V" `(h, d_model, d)`, "W_O" `(h · d_v, d_model)`
and "mask" `(n, n)`, which is 1 where the row's word may look at the column's and 0 where it may not.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from playground.errors import PlaygroundError, shorten

AXES = {"X": 2, "W_Q": 3, "W_K": 3, "W_V": 3, "W_O": 2, "mask": 2}
MOST_IN_TEXT = 100  # more edits make a link that programs cut off; a file has no such limit

_EDIT = re.compile(r"\s*(\w+)\s*\[\s*(\d{1,6}(?:\s*,\s*\d{1,6})*)\s*\]\s*=\s*(\S+)\s*")
_EXAMPLE = "Write, for example, X[1,3]=0.5 or W_Q[1,2,4]=-1 (head, row, column) or mask[1,2]=0."


@dataclass(frozen=True)
class Edit:
    """One changed cell: the matrix, the place counted from 0, and its new value.

    A place is (row, column), or (head, row, column) for W_Q, W_K and W_V.
    """

    matrix: str
    place: tuple[int, ...]
    value: float

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Tell whether a matrix of this shape has the cell."""
        return len(shape) == len(self.place) and all(
            place < size for place, size in zip(self.place, shape, strict=True)
        )


@dataclass(frozen=True)
class History:
    """The edits in force, in order, and those taken back; the last one taken back is the next to be redone."""

    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()

    def add(self, *edits: Edit) -> "History":
        """Return the history after new edits; what had been taken back is forgotten."""
        return History(self.done + edits)

    def undo(self) -> "History":
        """Return the history without its last edit."""
        return History(self.done[:-1], self.undone + self.done[-1:])

    def redo(self) -> "History":
        """Return the history with the last edit that was taken back."""
        return History(self.done + self.undone[-1:], self.undone[:-1])

    def reset(self) -> "History":
        """Return the history with all edits taken back; each can still be redone."""
        return History((), self.undone + self.done[::-1])


def apply_edits(matrices: Mapping[str, np.ndarray], edits: Iterable[Edit]) -> dict[str, np.ndarray]:
    """Return the matrices with the edits made: a later edit of a cell wins, one beyond its matrix waits.

    Arrays that no edit touches are the same objects; the given ones are never changed.
    """
    result = dict(matrices)
    for edit in edits:
        matrix = result.get(edit.matrix)
        if matrix is None or not edit.fits(matrix.shape):
            continue
        if matrix is matrices[edit.matrix]:
            result[edit.matrix] = matrix = matrix.copy()
        matrix[edit.place] = edit.value
    return result


def waiting(matrices: Mapping[str, np.ndarray], edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits whose cell does not exist in these matrices, as when the sentence became shorter."""
    return tuple(edit for edit in edits if edit.matrix not in matrices or not edit.fits(matrices[edit.matrix].shape))


def differences(before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]) -> tuple[Edit, ...]:
    """Return the edits that turn the matrices `before` into those of the same name and shape `after`."""
    return tuple(
        Edit(name, tuple(map(int, place)), float(matrix[tuple(place)]))
        for name, matrix in after.items()
        for place in np.argwhere(matrix != before[name])
    )


def format_edits(edits: Iterable[Edit]) -> str:
    """Return the edits as one line, "X[1,3]=0.5; W_Q[1,2,4]=-1"; places are counted from 1."""
    return "; ".join(
        f"{edit.matrix}[{','.join(str(place + 1) for place in edit.place)}]={edit.value:.6g}" for edit in edits
    )


def parse_edits(text: str) -> tuple[Edit, ...]:
    """Return the edits of such a line; raises `PlaygroundError` that names the part it cannot read."""
    parts = [part for part in re.split(r"[;\n]", text) if part.strip()]
    if len(parts) > MOST_IN_TEXT:
        raise PlaygroundError(
            f"These are {len(parts)} edits; a line takes at most {MOST_IN_TEXT}. Put more into a file of matrices."
        )
    return tuple(_parse(part) for part in parts)


def _parse(part: str) -> Edit:
    match = _EDIT.fullmatch(part)
    if match is None:
        raise PlaygroundError(f"I cannot read the edit {shorten(part.strip())!r}. {_EXAMPLE}")
    name = next((known for known in AXES if known.lower() == match[1].lower()), None)
    if name is None:
        raise PlaygroundError(f"There is no matrix {shorten(match[1])!r}. The matrices are {', '.join(AXES)}.")
    place = tuple(int(number) - 1 for number in match[2].split(","))
    if len(place) != AXES[name] or min(place) < 0:
        raise PlaygroundError(f"The place in {shorten(part.strip())!r} does not fit {name}. {_EXAMPLE}")
    try:
        value = float(match[3].replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PlaygroundError(f"{shorten(match[3])!r} is not a finite number. {_EXAMPLE}")
    if name == "mask" and value not in (0, 1):
        raise PlaygroundError(f"A cell of the mask is 1 (may look) or 0 (may not), not {match[3]}.")
    return Edit(name, place, value)


def matrices_to_json(matrices: Mapping[str, np.ndarray]) -> str:
    """Return the matrices as JSON, name → nested lists; `matrices_from_json` gives back the same numbers."""
    return json.dumps({name: matrix.tolist() for name, matrix in matrices.items()})


def matrices_from_json(content: bytes | str, expected: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the matrices of a JSON file, any of the `expected` ones and in their shapes.

    Raises `PlaygroundError` that names the matrix and both shapes where they differ.
    """
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        raise PlaygroundError(
            "The file is not JSON: take the one that this page gives, and change its numbers."
        ) from None
    if not isinstance(given, dict) or not given:
        raise PlaygroundError(f'The file must hold matrices by name, {{"X": [[…]]}}: {", ".join(AXES)}.')
    result = {}
    for name, numbers in given.items():
        if name not in expected:
            raise PlaygroundError(f"The file has a matrix {shorten(name)!r}. The matrices are {', '.join(expected)}.")
        try:
            matrix = np.array(numbers, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise PlaygroundError(f"{name} in the file is not a matrix of numbers.") from None
        if matrix.shape != expected[name].shape:
            raise PlaygroundError(
                f"{name} in the file has shape {matrix.shape}; with this sentence and these heads it is "
                f"{expected[name].shape}."
            )
        if not np.isfinite(matrix).all():
            raise PlaygroundError(f"{name} in the file holds a number that is not finite.")
        if name == "mask" and not np.isin(matrix, (0, 1)).all():
            raise PlaygroundError("A cell of the mask is 1 (may look) or 0 (may not); the file holds another number.")
        result[name] = matrix
    return result
