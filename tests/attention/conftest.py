"""What the attention tests share."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

CASES = Path(__file__).resolve().parents[1] / "cases"


@pytest.fixture(scope="session")
def torch(skip_without: Callable[[str, str], None]) -> ModuleType:
    """PyTorch, the reference implementation."""
    try:
        import torch
    except ImportError:
        skip_without("torch", "PyTorch is not installed")
    return torch


@pytest.fixture
def case() -> Callable[[str], dict[str, np.ndarray]]:
    """Return a function that reads the arrays of one of the files of `tests/cases`."""
    return lambda name: dict(np.load(CASES / f"{name}.npz", allow_pickle=False))
