"""Models in memory: shared, counted, and let go when they are too many."""

import threading
from pathlib import Path

import numpy as np
import pytest

from playground.app.shelf import Shelf, size_of
from playground.words.catalog import load


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Four files of vectors of the same size."""
    numbers = np.random.default_rng(0).standard_normal((50, 20)).round(3)
    paths = [tmp_path / f"{name}.vec" for name in "abcd"]
    for path in paths:
        path.write_text("".join(f"w{row:02} {' '.join(map(str, line))}\n" for row, line in enumerate(numbers)))
    return paths


def names(shelf: Shelf) -> list[str]:
    return [one.name for one in shelf.held()]


def fill(shelf: Shelf, paths: list[Path]) -> None:
    for path in paths:
        shelf.get(path.stem, 1, lambda path=path: load(path))


def test_a_model_is_loaded_once_and_again_when_its_files_change(files):
    shelf = Shelf(limit=10**9)
    loads = []

    def read():
        loads.append(1)
        return load(files[0])

    first = shelf.get("a", 1, read)
    assert shelf.get("a", 1, read) is first
    assert shelf.get("a", 2, read) is not first
    assert len(loads) == 2 and names(shelf) == ["a"]


def test_the_least_recently_used_goes_when_the_limit_is_passed(files):
    size = size_of(load(files[0]))
    shelf = Shelf(limit=3 * size)
    fill(shelf, files[:3])
    assert names(shelf) == ["c", "b", "a"]
    fill(shelf, files[:1])  # used again: now b is the one not used for longest
    fill(shelf, files[3:])
    assert names(shelf) == ["d", "a", "c"]


def test_two_models_stay_for_a_comparison_however_large_they_are(files):
    shelf = Shelf(limit=1)
    fill(shelf, files)
    assert names(shelf) == ["d", "c"]


def test_many_readers_at_once_load_a_model_once(files):
    shelf = Shelf(limit=10**9)
    loads, found = [], []
    together = threading.Barrier(8)

    def read():
        loads.append(1)
        return load(files[0])

    def ask():
        together.wait()
        found.append(shelf.get("a", 1, read))

    readers = [threading.Thread(target=ask) for _ in range(8)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert len(loads) == 1 and len({id(one) for one in found}) == 1


def test_the_memory_of_a_model_covers_its_matrix_and_its_words(files):
    vectors = load(files[0])
    assert size_of(vectors) > 50 * 20 * 4 + 50 * 50
