"""What all tests share: a home of their own, the bundled vectors, and what must not be skipped."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from model_server import Server, serving

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


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than the cores: the tests with a browser or another process mostly wait for it."""
    return min(4, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first; the order is otherwise as it was."""
    items.sort(key=lambda item: not any(part in SLOW for part in item.path.parts))


@pytest.fixture(scope="session", autouse=True)
def nothing_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests, and the processes they start, off the user's cache and models, and off the network."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYGROUND_HOME", str(home))
        patch.setenv("GENSIM_DATA_DIR", str(home / "gensim-data"))
        patch.setenv("PLAYGROUND_MODELS_URL", "http://127.0.0.1:9")  # where nobody answers
        yield


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of small models on this machine, which is the one in use; nothing is on the disk yet."""
    with serving() as running:
        monkeypatch.setenv("PLAYGROUND_MODELS_URL", running.address)
        monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim-data"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of small files that such tools meet."""
    return Path(__file__).parent / "cases"


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
