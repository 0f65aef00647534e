"""Vectors in one file and words in another: NumPy's `.npy` with a vocabulary, and the projector's pair of TSV files."""

import gzip
import io
import json
import pickle
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playground.errors import PlaygroundError
from playground.words.readers import arrays
from playground.words.readers.rows import Table
from playground.words.readers.source import open_source

WORDS = ["plum", "new york", "北京", "\u2028", "x\ry"]
NUMBERS = np.array([[1, 2, 3], [4, 5, 6.5], [-1, 0, 0.25], [1e-3, 1e3, 0], [7, 8, 9]])
LINES = "\n".join(WORDS) + "\n"


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def read_npy(path: Path, limit: int | None = None, normalize_keys: bool = False) -> Table:
    source = open_source(path)
    with source.open() as stream:
        assert arrays.is_npy(stream.read(1 << 16))
    return arrays.read_npy(source, limit, normalize_keys)


def read_tsv(path: Path, limit: int | None = None) -> Table:
    source = open_source(path)
    with source.open() as stream:
        assert arrays.is_tsv(stream.read(1 << 16))
    return arrays.read_tsv(source, limit, False)


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", ">f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_of_any_real_numbers_is_read(dtype: str, order: Any, write: Callable[..., Path]) -> None:
    write(LINES, "words.txt")
    table = read_npy(write(npy(np.array(NUMBERS, dtype=dtype, order=order)), "any.npy"))
    assert table.rows.words == WORDS
    assert np.array_equal(table.rows.matrix(), NUMBERS.astype(dtype).astype(np.float32))
    assert table.notes == ("The words come from words.txt.",)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_the_format_is_read(version: tuple[int, int], write: Callable[..., Path]) -> None:
    file = io.BytesIO()
    np.lib.format.write_array(file, NUMBERS, version=version)
    write(LINES, "words.txt")
    assert read_npy(write(file.getvalue(), "any.npy")).rows.words == WORDS


@pytest.mark.parametrize(
    "name",
    ["any.txt", "any.vocab", "any.words", "any_words.txt", "any.vocab.txt", "words.txt", "vocab.txt", "vocabulary.txt"],
)
def test_words_are_found_under_the_usual_names(name: str, write: Callable[..., Path]) -> None:
    write(LINES, name)
    assert read_npy(write(npy(NUMBERS), "any.npy")).rows.words == WORDS


@pytest.mark.parametrize("name", ["any.json", "any_vocab.json", "words.json", "vocab.json"])
def test_words_may_be_a_json_list_or_a_dict_of_rows(name: str, write: Callable[..., Path]) -> None:
    path = write(npy(NUMBERS), "any.npy")
    write(json.dumps(WORDS), name)
    assert read_npy(path).rows.words == WORDS
    write(json.dumps({word: row for row, word in reversed(list(enumerate(WORDS)))}), name)
    assert read_npy(path).rows.words == WORDS


def test_the_first_list_with_as_many_words_as_rows_is_taken(write: Callable[..., Path]) -> None:
    write("one\ntwo\n", "any.txt")
    write("[]", "any.json")
    write(gzip.compress(LINES.encode())[:-9], "words.txt")  # damaged
    write(LINES, "vocab.txt")
    assert read_npy(write(npy(NUMBERS), "any.npy")).notes == ("The words come from vocab.txt.",)


def test_the_same_vectors_as_text_are_not_taken_for_words(write: Callable[..., Path]) -> None:
    write("".join(f"{word} 1 2 3\n" for word in "abcde"), "any.txt")
    write(LINES, "words.txt")
    assert read_npy(write(npy(NUMBERS), "any.npy")).rows.words == WORDS


def test_without_words_it_is_said_what_was_looked_for_and_found(write: Callable[..., Path]) -> None:
    write("one\ntwo\n", "any.txt")
    write('{"one": 17}', "vocab.json")
    with pytest.raises(PlaygroundError) as refused:
        read_npy(write(npy(NUMBERS), "any.npy"))
    for part in (
        "any.npy has 5 rows of numbers",
        "any.txt has 2 words",
        "vocab.json is no list of words",
        "Looked for: any.txt, any.vocab",
    ):
        assert part in str(refused.value)


def test_a_list_of_words_may_end_its_lines_in_crlf_and_begin_with_a_mark(write: Callable[..., Path]) -> None:
    write(b"\xef\xbb\xbf" + "\r\n".join(WORDS).encode(), "words.txt")
    assert read_npy(write(npy(NUMBERS), "any.npy")).rows.words == WORDS


def test_a_blank_line_among_the_words_is_a_row_without_a_word(write: Callable[..., Path]) -> None:
    write("plum\n\nmoss\nkite\nlamp\n", "words.txt")
    rows = read_npy(write(npy(NUMBERS), "any.npy")).rows
    assert rows.words == ["plum", "moss", "kite", "lamp"]
    assert rows.first_left_out[0].place == 2
    assert np.array_equal(rows.matrix()[1], NUMBERS[2])


def test_limit_stops_and_normal_form_is_made(write: Callable[..., Path]) -> None:
    write("cafe\u0301\nplum\nmoss\nkite\nlamp\n", "words.txt")
    rows = read_npy(write(npy(NUMBERS), "any.npy"), limit=2, normalize_keys=True).rows
    assert rows.words == ["café", "plum"]
    assert rows.stopped


def test_many_rows_are_read_in_their_order(write: Callable[..., Path]) -> None:
    numbers = np.random.default_rng(0).standard_normal((30_000, 50)).astype(np.float32)
    write("\n".join(map(str, range(30_000))), "words.txt")
    for order in ("C", "F"):
        path = write(npy(np.array(numbers, order=order)), "any.npy")
        assert np.array_equal(read_npy(path).rows.matrix(), numbers)


def test_packed_arrays_and_the_npz_of_one_array_are_read(write: Callable[..., Path], tmp_path: Path) -> None:
    write(LINES, "any.txt")
    np.savez_compressed(tmp_path / "any.npz", vectors=NUMBERS)
    for path in (write(gzip.compress(npy(NUMBERS)), "any.npy.gz"), tmp_path / "any.npz"):
        assert read_npy(path).notes == ("The words come from any.txt.",)


@pytest.mark.parametrize(
    ("array", "says"),
    [
        (np.array([["a"]], dtype=object), "holds pickled Python objects"),
        (np.ones((2, 2), dtype=np.int64), "is an array of '<i8'"),
        (np.ones((2, 2), dtype=np.complex64), "is an array of '<c8'"),
        (np.array([["a", "b"]]), "is an array of '<U1'"),
        (np.zeros((2, 2), dtype=[("a", "<f4"), ("b", "<f4")]), "whose header makes no sense|is an array of"),
        (np.ones(3), r"is an array of shape \(3,\)"),
        (np.ones((2, 2, 2)), r"is an array of shape \(2, 2, 2\)"),
        (np.ones((0, 3)), r"is an array of shape \(0, 3\)"),
        (np.float64(3), r"is an array of shape \(\)"),
    ],
)
def test_another_array_is_refused_by_what_it_is(array: np.ndarray, says: str, write: Callable[..., Path]) -> None:
    with pytest.raises(PlaygroundError, match=rf"^any\.npy {says}"):
        read_npy(write(npy(array), "any.npy"))


def test_objects_in_an_array_are_never_unpickled(
    write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content = npy(np.array([[None]], dtype=object))
    path = write(content.removesuffix(pickle.dumps(None)) + b"cos\nsystem\n(S'touch RAN'\ntR.", "any.npy")
    with pytest.raises(PlaygroundError, match="never opened"):
        read_npy(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("shape", ["(4000000000, 300)", "(5, 40)", "(4294967296, 4294967296)", f"({'9' * 40}, 3)"])
def test_a_header_that_promises_more_than_the_file_holds_is_refused(shape: str, write: Callable[..., Path]) -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + NUMBERS.tobytes()
    path = write(content, "any.npy")
    tracemalloc.start()
    try:
        with pytest.raises(PlaygroundError, match=r"any\.npy is cut short: its header promises .* holds 15 numbers"):
            read_npy(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_an_array_cut_short_anywhere_is_refused(write: Callable[..., Path]) -> None:
    content = npy(NUMBERS)
    write(LINES, "words.txt")
    for length in range(6, len(content)):
        with pytest.raises(PlaygroundError, match=r"is cut short|header makes no sense"):
            read_npy(write(content[:length], "any.npy"))


@pytest.mark.parametrize("header", [b"", b"{", b"\xff" * 50, b"(" * 5_000, b"{'descr': '<f8', 'shape': (2, 2)}"])
def test_a_header_that_makes_no_sense_is_refused(header: bytes, write: Callable[..., Path]) -> None:
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + NUMBERS.tobytes()
    with pytest.raises(PlaygroundError, match="whose header makes no sense"):
        read_npy(write(content, "any.npy"))


TSV = "0.1\t0.2\t1e-3\n0.4\t-0.5\t0.6\n7\t8\t9\n"
VALUES = np.array([[0.1, 0.2, 1e-3], [0.4, -0.5, 0.6], [7, 8, 9]], dtype=np.float32)


@pytest.mark.parametrize(
    ("vectors", "metadata"),
    [
        ("vectors.tsv", "metadata.tsv"),
        ("vecs.tsv", "meta.tsv"),
        ("tensors.tsv", "metadata.tsv"),
        ("any_tensor.tsv", "any_metadata.tsv"),
        ("any.tsv", "any_metadata.tsv"),
        ("any.tsv", "any.metadata.tsv"),
        ("vectors_10.txt", "metadata_10.txt"),
        ("vectors.tsv", "labels.tsv"),
    ],
)
def test_the_pair_of_the_projector_is_read(vectors: str, metadata: str, write: Callable[..., Path]) -> None:
    write("plum\nnew york\n北京\n", metadata)
    table = read_tsv(write(TSV, vectors))
    assert table.rows.words == ["plum", "new york", "北京"]
    assert np.array_equal(table.rows.matrix(), VALUES)
    assert table.notes == (f"The words come from {metadata}.",)


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ("count\tword\n5\tplum\n6\tmoss\n7\tkite\n", ["plum", "moss", "kite"]),
        ("Label\tcount\nplum\t5\nmoss\t6\nkite\t7\n", ["plum", "moss", "kite"]),
        ("one\tother\nplum\t5\nmoss\t6\nkite\t7\n", ["plum", "moss", "kite"]),
        ("count\ttoken\r\n5\tplum\r\n6\tmoss\r\n7\tkite\r\n", ["plum", "moss", "kite"]),
        ("word\nmoss\nkite\n", ["word", "moss", "kite"]),
        ("plum\n\nmoss\n\nkite\n\n", ["plum", "moss", "kite"]),
    ],
)
def test_metadata_of_several_columns_have_a_header_and_of_one_have_none(
    metadata: str, words: list[str], write: Callable[..., Path]
) -> None:
    write(metadata, "metadata.tsv")
    assert read_tsv(write(TSV, "vectors.tsv")).rows.words == words


def test_faulty_rows_are_named_with_their_line_and_words_stay_with_their_rows(write: Callable[..., Path]) -> None:
    write("plum\nmoss\nkite\nlamp\nharbor\n", "metadata.tsv")
    table = read_tsv(write("1\t2\t3\n\n4\t5\n6\tx\t8\n0\t0\t0\n9\t10\t11\r\n", "vectors.tsv"))
    assert table.rows.words == ["plum", "harbor"]
    assert table.rows.matrix().tolist() == [[1, 2, 3], [9, 10, 11]]
    assert [(one.place, one.word, one.reason, one.detail) for one in table.rows.first_left_out] == [
        (3, "moss", "wrong number of values", "2 numbers, not 3"),
        (4, "kite", "not numbers", "'x' is not a number"),
        (5, "lamp", "zero vector", ""),
    ]


def test_a_pair_of_unequal_length_is_refused(write: Callable[..., Path]) -> None:
    write("plum\nmoss\n", "metadata.tsv")
    with pytest.raises(PlaygroundError, match=r"vectors\.tsv has 3 rows .*; metadata\.tsv has 2 words"):
        read_tsv(write(TSV, "vectors.tsv"))


def test_a_packed_tsv_and_a_limit(write: Callable[..., Path]) -> None:
    write("plum\nmoss\nkite\n", "metadata.tsv")
    rows = read_tsv(write(gzip.compress(TSV.encode()), "vectors.tsv.gz"), limit=2).rows
    assert rows.words == ["plum", "moss"]
    assert rows.stopped


def test_many_lines_are_read_as_float_reads_them(write: Callable[..., Path]) -> None:
    numbers = np.random.default_rng(0).standard_normal((9_000, 12)) * 10.0 ** np.arange(-6, 6)
    write("\n".join(f"word{row}" for row in range(9_000)), "metadata.tsv")
    text = "\n".join("\t".join(map(repr, row)) for row in numbers.tolist())
    assert np.array_equal(read_tsv(write(text, "vectors.tsv")).rows.matrix(), numbers.astype(np.float32))


def test_a_line_without_an_end_is_refused(write: Callable[..., Path]) -> None:
    with pytest.raises(PlaygroundError, match=r"line 2 is longer than 1,000,000 bytes"):
        read_tsv(write("1\t2\n" + "1\t" * 600_000, "vectors.tsv"))


@pytest.mark.parametrize(
    "start",
    [b"plum\t1\t2\n", b"1 2 3\n4 5 6\n", b"1\n2\n", b"", b"\t\t\n", b"1\t2\nplum\t3\t4\n", b"word\tcount\nplum\t5\n"],
)
def test_other_text_is_not_taken_for_a_tsv_of_vectors(start: bytes) -> None:
    assert not arrays.is_tsv(start)
