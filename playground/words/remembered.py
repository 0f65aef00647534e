"""Tables made from a model once, and remembered exactly as long as the model lives."""

import threading
import weakref
from collections.abc import Callable, Hashable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

Ts = TypeVarTuple("Ts")
R = TypeVar("R")

_MOST = 4  # tables of one kind for one model, such as its prepared spaces


class _Kept:
    """What is remembered for one model, the oldest first; `size` is that of the vocabulary it was made from."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.size = -1
        self.tables: dict[Hashable, Any] = {}


def remembered(make: "Callable[[KeyedVectors, *Ts], R]") -> "Callable[[KeyedVectors, *Ts], R]":
    """Return `make(vectors, ...)` with a memory: it goes when the model goes, and is renewed when words are added.

    The further arguments are hashable. What is made must not hold the model itself, which would then never
    be freed. Threads that ask for the same model wait for the first one to make its table.
    """
    models: weakref.WeakKeyDictionary[Any, _Kept] = weakref.WeakKeyDictionary()
    guard = threading.Lock()

    @wraps(make)
    def remember(vectors: "KeyedVectors", *args: *Ts) -> R:
        with guard:
            kept = models.setdefault(vectors, _Kept())
        with kept.lock:
            if kept.size != len(vectors):
                kept.tables.clear()
                kept.size = len(vectors)
            if args not in kept.tables:
                made = make(vectors, *args)
                if len(kept.tables) == _MOST:
                    del kept.tables[next(iter(kept.tables))]
                kept.tables[args] = made
            result: R = kept.tables[args]
            return result

    return remember
