"""The models in memory: shared by all sessions, the least recently used given up when there are too many."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.attention.memory import physical_memory

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

MOST_BYTES = 4_000_000_000
ALWAYS_KEPT = 2  # two models can be compared, however large they are


def memory_limit() -> int:
    """Return how many bytes of models are kept: 4 GB, or half of this computer's memory if that is less."""
    here = physical_memory()
    return MOST_BYTES if here is None else min(MOST_BYTES, here // 2)


@dataclass(frozen=True)
class Held:
    """A model in memory and the bytes that it takes."""

    name: str
    bytes: int


class Shelf:
    """Models by name, up to a number of bytes; the ones used last stay."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._models: OrderedDict[str, tuple[object, KeyedVectors]] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}

    def get(self, name: str, stamp: object, load: Callable[[], "KeyedVectors"]) -> "KeyedVectors":
        """Return the model `name`, loading it if it is not here or was loaded from other files (another `stamp`)."""
        with self._lock:
            one_at_a_time = self._loading.setdefault(name, threading.Lock())
        with one_at_a_time:
            with self._lock:
                kept = self._models.get(name)
                if kept is not None and kept[0] == stamp:
                    self._models.move_to_end(name)
                    return kept[1]
            vectors = load()
            with self._lock:
                self._models[name] = (stamp, vectors)
                self._models.move_to_end(name)
                self._give_up()
            return vectors

    def held(self) -> list[Held]:
        """Return what is in memory, the one used last first."""
        with self._lock:
            return [Held(name, size_of(vectors)) for name, (_, vectors) in reversed(self._models.items())]

    def _give_up(self) -> None:
        total = sum(size_of(vectors) for _, vectors in self._models.values())
        while total > self.limit and len(self._models) > ALWAYS_KEPT:
            _, (_, oldest) = self._models.popitem(last=False)
            total -= size_of(oldest)


def size_of(vectors: "KeyedVectors") -> int:
    """Return the bytes of memory that a model takes: its arrays and its words."""
    return int(vectors.report.memory)
