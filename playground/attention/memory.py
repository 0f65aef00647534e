"""What a computation needs, said before it is begun: an n × n table outgrows any computer."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from playground.amounts import size
from playground.errors import PlaygroundError


@contextmanager
def enough_memory(needed: int, what: str, remedy: str) -> Iterator[None]:
    """Run the block if `needed` bytes can be had; otherwise raise `PlaygroundError` with that number.

    The check comes first: some systems promise memory that they do not have, and stop the program when it
    is used. Where their size is unknown, the block's own `MemoryError` becomes the same message.
    """
    here = physical_memory()
    message = f"{what} needs {size(needed)} of memory"
    if here is not None and needed > here:
        raise PlaygroundError(f"{message}, and this computer has {size(here)}: {remedy}.")
    try:
        yield
    except MemoryError:
        raise PlaygroundError(f"{message}, more than is free here: {remedy}.") from None


@lru_cache(maxsize=1)
def physical_memory() -> int | None:
    """Return the bytes of memory that this computer has, or None if it does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None
