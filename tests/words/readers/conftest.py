"""What the tests of readers share: vectors to write, and writers of files."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes bytes, or text as UTF-8, to a file and gives its path."""

    def write(content: bytes | str, name: str = "any.vec") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


@pytest.fixture(scope="session")
def original() -> KeyedVectors:
    """Forty words of seven numbers, with some that a careless reader stumbles over."""
    words = ["the", ",", "</s>", "2024", "7", "-1.5", "nan", "café", "北京", "new\u00a0york", "x\u2028y", "ü" * 50]
    words += [f"word{number}" for number in range(40 - len(words))]
    vectors = KeyedVectors(7)
    vectors.add_vectors(words, np.random.default_rng(0).standard_normal((40, 7)).astype(np.float32))
    return vectors
