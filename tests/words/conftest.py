"""What the tests of words share: small files, and the vectors of one with capitals, phrases and numbers."""

from pathlib import Path

import pytest
from gensim.models import KeyedVectors

import playground as pg


@pytest.fixture(scope="session")
def cased(cases: Path) -> KeyedVectors:
    """Fifteen words of four numbers: king, King and KING, New_York, café, straße, 2024 and others."""
    return pg.load(cases / "q_words.txt")
