"""What all tests share: the bundled vectors, and what must not be skipped."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if "PYTEST_XDIST_WORKER" in os.environ:
    # the workers share the cores: each computes on one
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(variable, "1")

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

# Set by the build server: what is named here must be there, so that its tests cannot be skipped in silence.
REQUIRED = {name.strip() for name in os.environ.get("PLAYGROUND_REQUIRE", "").split(",") if name.strip()}


# Minutes of real browsers, environments and wheels: begun last, they would keep one core waiting at the end.
SLOW = ("browser", "scripts", "test_wheel.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first; the order is otherwise as it was."""
    items.sort(key=lambda item: not any(part in SLOW for part in item.path.parts))


@pytest.fixture(scope="session")
def glove() -> "KeyedVectors":
    """The bundled English vectors; read-only, so that one object serves all tests."""
    import playground as pg

    return pg.load()


@pytest.fixture(scope="session")
def zh() -> "KeyedVectors":
    """The bundled Chinese vectors."""
    import playground as pg

    return pg.load("zh")


@pytest.fixture(scope="session")
def skip_without() -> Callable[[str, str], None]:
    """Return a function that skips a test for want of `name` ("torch", "browser"), or fails where it is required."""

    def skip(name: str, reason: str) -> None:
        if name in REQUIRED:
            pytest.fail(f"{name} is required here: {reason}")
        pytest.skip(reason)

    return skip
