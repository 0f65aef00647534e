"""NumPy arrays that a pickle describes → arrays, made here from their bytes after all checks."""

import codecs
import math

import numpy as np

from playground.errors import PlaygroundError
from playground.words.readers.inert import Name, Record, names

PIECE = 1 << 20  # bytes of a long text that are read at a time

_DTYPE: Name = ("numpy", "dtype")
_ENCODE: Name = ("_codecs", "encode")
_BYTEARRAY = names("bytearray", "builtins", "__builtin__")
_RECONSTRUCT = names("_reconstruct", "numpy.core.multiarray", "numpy._core.multiarray")
_FROM_BUFFER = names("_frombuffer", "numpy.core.numeric", "numpy._core.numeric")
_NUMBERS = ("f2", "f4", "f8")

# What pickles of arrays name, from NumPy 1.7 to 2.4.
ALLOWED = _RECONSTRUCT | _FROM_BUFFER | _BYTEARRAY | {_DTYPE, _ENCODE, ("numpy", "ndarray")}


def is_array(record: Record) -> bool:
    """Tell whether a record is of an array."""
    return record.maker in _RECONSTRUCT | _FROM_BUFFER


def array(record: Record, name: str, file: str) -> np.ndarray:
    """Return the array `(n, d)` of real numbers that is described, as a view of its bytes.

    Raises `PlaygroundError` for an array of any other kind, or one whose size is not that of its bytes; it
    calls it `name`, in `file`.
    """
    try:
        described, kind, shape, by_columns = _parts(record)
        numbers = _number_type(kind)
        content = _bytes(described)
        if not isinstance(shape, tuple) or len(shape) != 2 or not all(type(side) is int and side > 0 for side in shape):
            raise _NoArrayError("its shape is not (words, numbers)")
        if math.prod(shape) * numbers.itemsize != len(content):
            raise _NoArrayError(f"it has the shape {shape} and {len(content):,} bytes")
    except _NoArrayError as reason:
        raise PlaygroundError(f"{file}: the array {name!r} cannot be read: {reason}.") from None
    except (ValueError, TypeError):
        raise PlaygroundError(f"{file}: the array {name!r} cannot be read: its description makes no sense.") from None
    return np.frombuffer(content, numbers).reshape(shape, order="F" if by_columns else "C")


class _NoArrayError(Exception):
    pass


def _parts(record: Record) -> tuple[object, object, object, bool]:
    """Return the bytes, the type of number and the shape, and whether the array is written column by column."""
    if record.maker in _RECONSTRUCT and isinstance(record.state, tuple):
        _, shape, kind, by_columns, content = record.state
        return content, kind, shape, by_columns is True
    if record.maker in _FROM_BUFFER:
        content, kind, shape, order = record.args
        return content, kind, shape, order == "F"
    raise _NoArrayError(f"it is a {record.maker[1]}")


def _number_type(kind: object) -> "np.dtype[np.floating]":
    """Return the type of real number that is described; no other is made."""
    if not isinstance(kind, Record) or kind.maker != _DTYPE or not kind.args:
        raise _NoArrayError("its type of number is not told")
    code, state = kind.args[0], kind.state
    order = state[1] if isinstance(state, tuple) and len(state) > 1 else "="
    if code not in _NUMBERS or order not in ("<", ">", "="):
        said = repr(code) if isinstance(code, str) and len(code) < 10 else "another type"
        raise _NoArrayError(f"it is of {said}, and vectors are of float16, float32 or float64")
    return np.dtype(f"{order}{code}")


def _bytes(content: object) -> bytes | bytearray | memoryview:
    """Return the bytes of an array, which early protocols write as a text."""
    if isinstance(content, Record) and content.args and content.maker == _ENCODE:
        return _latin(content.args[0])
    if isinstance(content, Record) and content.args and content.maker in _BYTEARRAY:
        content = content.args[0]
    if isinstance(content, str):
        return content.encode("latin-1")
    if isinstance(content, bytes | memoryview):
        return content
    raise _NoArrayError(f"its numbers are a {type(content).__name__}")


def _latin(text: object) -> bytes | bytearray:
    """Return a text in Latin-1; a long one, given in UTF-8, is worked on piece by piece."""
    if isinstance(text, str):
        return text.encode("latin-1")
    if not isinstance(text, memoryview):
        raise _NoArrayError(f"its numbers are a {type(text).__name__}")
    encoded = bytearray()
    pieces = (bytes(text[start : start + PIECE]) for start in range(0, len(text), PIECE))
    for piece in codecs.iterdecode(pieces, "utf-8"):
        encoded += piece.encode("latin-1")
    return encoded
