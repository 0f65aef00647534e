"""Files of word vectors: well-formed ones as gensim reads them, others refused in one sentence."""

import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg


@pytest.fixture(scope="module")
def original() -> KeyedVectors:
    """Forty words of seven numbers, with some that a careless reader stumbles over."""
    words = ["the", ",", "</s>", "2024", "7", "-1.5", "nan", "café", "北京", "new\u00a0york", "x\u2028y", "ü" * 50]
    vectors = KeyedVectors(7)
    words += [f"word{number}" for number in range(40 - len(words))]
    vectors.add_vectors(words, np.random.default_rng(0).standard_normal((40, 7)).astype(np.float32))
    return vectors


def write(vectors: KeyedVectors, path: Path, binary: bool = False, header: bool = True) -> Path:
    vectors.save_word2vec_format(str(path), binary=binary, write_header=header)
    return path


@pytest.mark.parametrize("name", ["any.txt", "any.vec", "any.data", "any.txt.gz"])
@pytest.mark.parametrize("header", [True, False])
def test_text_is_read_as_gensim_reads_it(original: KeyedVectors, tmp_path: Path, name: str, header: bool) -> None:
    path = write(original, tmp_path / name, header=header)
    theirs = KeyedVectors.load_word2vec_format(str(path), no_header=not header)
    ours = pg.load(path)
    assert ours.index_to_key == theirs.index_to_key == original.index_to_key
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)


@pytest.mark.parametrize("name", ["any.bin", "any.vec", "any.bin.gz"])
def test_binary_is_read_as_gensim_reads_it(original: KeyedVectors, tmp_path: Path, name: str) -> None:
    ours = pg.load(write(original, tmp_path / name, binary=True))
    assert ours.index_to_key == original.index_to_key
    np.testing.assert_array_equal(ours.vectors, original.vectors)


def test_binary_is_read_with_and_without_line_ends(cases: Path) -> None:
    with_ends, without = (pg.load(cases / name) for name in ("b01_newlines.bin", "b01b_no_newlines.bin"))
    assert with_ends.index_to_key == without.index_to_key == ["plum", "moss", "kite", "lamp", "harbor"]
    np.testing.assert_allclose(with_ends["plum"], [0.9, 0.1, 0.2, 0])
    np.testing.assert_array_equal(with_ends.vectors, without.vectors)


@pytest.mark.parametrize("seed", range(30))
def test_binary_of_few_numbers_is_not_taken_for_text(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = KeyedVectors(int(random.integers(2, 6)))
    numbers = random.standard_normal((3, vectors.vector_size)).astype(np.float32)
    vectors.add_vectors(["plum", "moss", "kite"], numbers)
    found = pg.load(write(vectors, tmp_path / "few.bin", binary=True))
    np.testing.assert_array_equal(found.vectors, numbers)


@pytest.mark.parametrize("name", ["plain.vec", "plain_glove.txt", "g05_ok.txt.gz"])
def test_the_small_files_hold_five_words(cases: Path, name: str) -> None:
    found = pg.load(cases / name)
    assert found.index_to_key == ["plum", "moss", "kite", "lamp", "harbor"]
    np.testing.assert_allclose(found["lamp"], [-0.4, 0.6, 0.1, 0.9])


def test_a_limit_keeps_the_first_words(original: KeyedVectors, tmp_path: Path) -> None:
    for number, (binary, header) in enumerate([(False, True), (False, False), (True, True)]):
        path = write(original, tmp_path / f"{number}.vec", binary, header)
        assert pg.load(path, limit=3).index_to_key == ["the", ",", "</s>"]
        assert len(pg.load(path, limit=1000)) == 40


def test_what_is_loaded_is_read_only(cases: Path) -> None:
    vectors = pg.load(cases / "plain.vec")
    for array in (vectors.vectors, vectors.norms):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["q_zero_and_nan.txt", "t18_nan_inf.txt", "t20_missing_token.txt"])
def test_rows_without_a_direction_or_a_word_are_left_out(cases: Path, name: str) -> None:
    found = pg.load(cases / name)
    assert found.index_to_key == ["plum", "moss", "kite", "lamp", "harbor"]
    assert np.isfinite(found.norms).all()
    assert len(pg.neighbors(found, "plum", topn=100)) == 4


def test_a_file_without_one_usable_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "zeros.txt"
    path.write_text("plum 0 0\nmoss nan 1\n")
    with pytest.raises(pg.PlaygroundError, match=r"zeros\.txt holds no usable word vector"):
        pg.load(path)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("t23b_empty.txt", "is empty"),
        ("t23_html_instead.txt", "is not a file of word vectors"),
        ("t23c_lfs_pointer.txt", "is not a file of word vectors"),
        ("t22c_zero_count.txt", "promises 0 words"),
        ("t21_huge_header.txt", "promises 4,000,000,000 words of 300 numbers, more than its 28 bytes can hold"),
        ("t21b_quiet_big_header.txt", "promises 60,000,000 words"),
        ("t17_comma_decimal.txt", "could not convert string to float: '0,9'"),
        ("f01_small.bin", "is not a file of word vectors"),
    ],
)
def test_what_is_no_vector_file_is_named_in_one_sentence(cases: Path, name: str, told: str) -> None:
    with pytest.raises(pg.PlaygroundError) as raised:
        pg.load(cases / name)
    message = str(raised.value)
    assert message.startswith(name)
    assert told in message
    assert message.endswith(".")
    assert "\n" not in message


def test_damaged_files_are_named(original: KeyedVectors, tmp_path: Path) -> None:
    whole = write(original, tmp_path / "whole.bin", binary=True).read_bytes()
    packed = gzip.compress(whole)
    damaged = {
        "cut.bin": whole[:-10],
        "cut.txt.gz": packed[: len(packed) // 2],
        "torn.txt.gz": packed[:40] + b"\0" * 40 + packed[80:],
        "not_packed.gz": whole,
        "digits.txt": b"9" * 5000 + b" 4\nplum 1 2 3 4\n",
    }
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(pg.PlaygroundError, match=name):
            pg.load(tmp_path / name)


def test_no_memory_is_taken_for_what_a_header_promises(cases: Path) -> None:
    tracemalloc.start()
    try:
        for name in ("t21_huge_header.txt", "t21b_quiet_big_header.txt"):
            with pytest.raises(pg.PlaygroundError):
                pg.load(cases / name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # the smaller of the two promises 960 MB
