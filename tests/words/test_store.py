"""The bundled vectors: whole, read-only, and a fault in them named with its remedy."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import FastTextKeyedVectors

import playground as pg
from playground.bundled import data_folder, read_manifest
from playground.words.readers.rows import Subwords
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


def test_a_float32_matrix_is_used_as_it_is_also_on_the_disk(tmp_path: Path) -> None:
    np.save(tmp_path / "matrix.npy", np.float32([[3, 4], [0, 1]]))
    for matrix in (np.float32([[3, 4], [0, 1]]), np.load(tmp_path / "matrix.npy", mmap_mode="r")):
        vectors = keyed_vectors(["a", "b"], matrix)
        assert np.shares_memory(vectors.vectors, matrix)
        assert not vectors.vectors.flags.writeable


def test_the_callers_matrix_can_still_be_written_to() -> None:
    matrix = np.float32([[3, 4], [0, 1]])
    keyed_vectors(["a", "b"], matrix)
    matrix[0] = 1
    assert matrix[0, 0] == 1


def test_norms_are_those_of_gensim_in_a_matrix_of_several_pieces() -> None:
    matrix = np.random.default_rng(0).standard_normal((30_001, 70)).astype(np.float32)
    matrix[-1] = 3e38  # its length is beyond float32
    vectors = keyed_vectors([f"w{row}" for row in range(len(matrix))], matrix)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(vectors.norms, np.linalg.norm(matrix, axis=1))
    assert np.isinf(vectors.norms[-1])


def test_what_is_known_already_is_taken_as_given() -> None:
    index, norms = {"a": 0, "b": 1}, np.float32([5, 1])
    vectors = keyed_vectors(["a", "b"], np.float32([[3, 4], [0, 1]]), key_to_index=index, norms=norms)
    assert vectors.key_to_index is index
    assert np.shares_memory(vectors.norms, norms)


@pytest.fixture(scope="module")
def fasttext() -> FastTextKeyedVectors:
    """A fastText model as gensim trains it."""
    sentences = [["king", "queen", "castle"], ["apple", "pear", "plums"]] * 5
    return FastText(sentences, vector_size=8, min_count=1, bucket=500, epochs=1, workers=1, seed=1).wv


def test_unknown_words_have_the_vectors_that_gensim_builds_from_subwords(fasttext: FastTextKeyedVectors) -> None:
    subwords = Subwords(fasttext.vectors_ngrams, fasttext.min_n, fasttext.max_n, fasttext.bucket)
    vectors = keyed_vectors(fasttext.index_to_key, fasttext.vectors, subwords=subwords)
    for word in ("king", "kings", "castles", "苹果", "x"):
        np.testing.assert_array_equal(vectors.get_vector(word), fasttext.get_vector(word))
    assert pg.lookup(vectors, "kingz").how == "subwords"
    assert vectors.most_similar("applepear") == fasttext.most_similar("applepear")
    with pytest.raises(ValueError, match="read-only"):
        vectors.vectors_ngrams[0] = 0


def test_without_buckets_an_unknown_word_is_missing(fasttext: FastTextKeyedVectors) -> None:
    none = Subwords(np.zeros((0, 8), np.float32), 3, 6, 0)
    vectors = keyed_vectors(fasttext.index_to_key, fasttext.vectors, subwords=none)
    assert pg.lookup(vectors, "kingz").how == "missing"
