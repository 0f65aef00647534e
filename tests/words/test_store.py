"""The bundled vectors: whole, read-only, and a fault in them named with its remedy."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg
from playground.bundled import data_folder, read_manifest
from playground.words.store import keyed_vectors, load_bundled

REMEDY = r"Remake it with `python scripts/build_vectors\.py`, or install the playground again\."


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the Chinese vectors that may be damaged."""
    shutil.copytree(data_folder() / "zh", tmp_path / "zh")
    shutil.copy(data_folder() / "manifest.json", tmp_path)
    return tmp_path


def test_vectors_are_those_of_the_files(glove: KeyedVectors) -> None:
    words = (data_folder() / "glove" / "words.txt").read_text(encoding="utf-8").split("\n")
    assert glove.index_to_key == words[:-1]
    assert glove.key_to_index["king"] == words.index("king")
    stored = np.load(data_folder() / "glove" / "vectors.npy", mmap_mode="r")
    assert glove.vectors.dtype == np.float32
    np.testing.assert_array_equal(glove.vectors[::1000], stored[::1000].astype(np.float32))
    np.testing.assert_allclose(glove.norms[:5], np.linalg.norm(stored[:5].astype(float), axis=1), rtol=1e-6)


def test_vectors_cannot_be_changed(glove: KeyedVectors, zh: KeyedVectors) -> None:
    for vectors in (glove, zh, pg.load("zh", limit=10)):
        for array in (vectors.vectors, vectors.norms):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


def test_a_whole_copy_loads(copy: Path, zh: KeyedVectors) -> None:
    np.testing.assert_array_equal(load_bundled("zh", copy).vectors, zh.vectors)


@pytest.mark.parametrize("name", ["words.txt", "vectors.npy"])
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda path: path.unlink(), "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "is damaged"),
        (lambda path: path.write_bytes(b""), "is damaged"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"\x39", b"\x3a", 1)), "is damaged"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read"),
    ],
    ids=["missing", "cut", "empty", "one byte changed", "a folder"],
)
def test_a_damaged_file_is_named_with_the_remedy(
    copy: Path, name: str, damage: Callable[[Path], object], told: str
) -> None:
    path = copy / "zh" / name
    damage(path)
    with pytest.raises(pg.PlaygroundError, match=rf"The bundled file .*{path.name} {told}.*{REMEDY}"):
        load_bundled("zh", copy)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[1]", b"\xff\xfe"])
def test_a_damaged_manifest_is_named_with_the_remedy(copy: Path, content: bytes | None) -> None:
    path = copy / "manifest.json"
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(pg.PlaygroundError, match=rf"The bundled file .*manifest\.json .*{REMEDY}"):
        load_bundled("zh", copy)


def test_a_set_that_the_manifest_lacks_is_named(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    (copy / "manifest.json").write_text(json.dumps({"glove": manifest["glove"]}), encoding="utf-8")
    with pytest.raises(pg.PlaygroundError, match=rf"has no set 'zh'.*{REMEDY}"):
        load_bundled("zh", copy)


def test_the_manifest_tells_source_and_licence() -> None:
    for name in ("glove", "zh"):
        facts = read_manifest()[name]
        assert facts["licence"] in ("PDDL-1.0", "MIT")
        assert facts["sources"]


def test_float16_rows_become_float32() -> None:
    vectors = keyed_vectors(["a", "b"], np.float16([[3, 4], [0, 1]]))
    assert vectors.vectors.dtype == np.float32
    np.testing.assert_array_equal(vectors.norms, [5, 1])
    assert vectors.most_similar("a", topn=1)[0] == ("b", pytest.approx(0.8))
