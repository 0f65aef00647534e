"""word2vec's binary files: equal to what gensim's own loader gives, and right where it fails."""

import re
import struct
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from playground.errors import PlaygroundError
from playground.words.readers import read_vectors

Write = Callable[..., Path]
SHORT = ["the", ",", "</s>", "2024", "7", "-1.5", "nan", "café", "北京", "new\u00a0york", "x\u2028y", "in_2017"]
WORDS = [*SHORT, "ü" * 50]


def binary(words: Sequence[str | bytes], matrix: np.ndarray, end: bytes = b"", header: str = "") -> bytes:
    """Return a file; `end` stands after each row."""
    rows = (
        (word if isinstance(word, bytes) else word.encode()) + b" " + row.tobytes() + end
        for word, row in zip(words, matrix, strict=True)
    )
    return (header or f"{len(words)} {matrix.shape[1]}").encode() + b"\n" + b"".join(rows)


def matrix_of(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)


def numbered(count: int) -> list[str]:
    return [f"w{number}" for number in range(1, count + 1)]


def assert_as_gensim(path: Path) -> None:
    ours, theirs = read_vectors(path), KeyedVectors.load_word2vec_format(str(path), binary=True)
    assert ours.index_to_key == theirs.index_to_key
    assert ours.vectors.tobytes() == theirs.vectors.tobytes()
    assert (ours.report.format, ours.report.left_out) == ("word2vec binary", {})
    assert ours.report.notes == ()


# As gensim reads them


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 50, 300])
@pytest.mark.parametrize("seed", range(4))
def test_binary_is_read_as_gensim_reads_it(write: Write, seed: int, dimensions: int, end: bytes) -> None:
    words = [*np.random.default_rng(seed).permutation(WORDS), *numbered(300)]
    assert_as_gensim(
        write(binary(words, matrix_of(len(words), dimensions, seed) * np.float32(10.0 ** (1 - seed)), end))
    )


@pytest.mark.parametrize("name", ["any.bin", "any.vec", "any.bin.gz"])
def test_what_gensim_writes_is_read_as_gensim_reads_it(original: KeyedVectors, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    original.save_word2vec_format(str(path), binary=True)
    assert_as_gensim(path)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("count", [1, 3])
def test_binary_of_few_numbers_is_not_taken_for_text(write: Write, seed: int, count: int) -> None:
    dimensions = seed % 4 + 2
    assert_as_gensim(write(binary(["plum", "moss", "kite"][:count], matrix_of(count, dimensions, seed))))


@pytest.mark.parametrize("seed", range(30))
def test_bytes_that_look_like_lines_of_numbers_do_not_make_it_text(write: Write, seed: int) -> None:
    """Random bytes hold many LF, and now and then a digit between white space before one."""
    matrix = matrix_of(300, 50, seed)
    matrix.view(np.uint8)[::7, 20:25] = np.frombuffer(b"\n 12\n", np.uint8)
    matrix.view(np.uint8)[::5, 0:4] = np.frombuffer(b" 5\n?", np.uint8)
    assert_as_gensim(write(binary(numbered(300), matrix)))


def test_extreme_numbers_are_read_bit_for_bit(write: Write) -> None:
    extremes = np.array([1e-45, -0.0, 1.17549435e-38, 1e18, -1e-12, 0, 1e-30, 12345.678], dtype=np.float32)
    matrix = np.array([np.roll(extremes, shift) for shift in range(8)])
    for end in (b"", b"\n"):
        path = write(binary(WORDS[:8], matrix, end))
        ours, theirs = read_vectors(path), KeyedVectors.load_word2vec_format(str(path), binary=True)
        assert ours.index_to_key == theirs.index_to_key == WORDS[:8]
        assert ours.vectors.tobytes() == theirs.vectors.tobytes()


# What stands between rows, and how numbers are written


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n"])
@pytest.mark.parametrize("layout", ["<f4", ">f4", "<f8", ">f8"])
@pytest.mark.parametrize("dimensions", [4, 25, 300])
@pytest.mark.parametrize("count", [2, 40, 2_000])
def test_line_ends_and_number_types_are_told_from_the_rows(
    write: Write, count: int, dimensions: int, layout: str, end: bytes
) -> None:
    matrix = matrix_of(count, dimensions)
    vectors = read_vectors(write(binary(numbered(count), matrix.astype(layout), end)))
    assert vectors.index_to_key == numbered(count)
    np.testing.assert_array_equal(vectors.vectors, matrix)
    notes = {"<f4": (), ">f4": ("Its numbers are big-endian.",), "<f8": ("Its numbers are float64.",)}
    assert vectors.report.notes == notes.get(layout, ("Its numbers are big-endian float64.",))


@pytest.mark.parametrize("values", [[0.5, 0.25, -1, 2], [1, 1, 1, 1], [0, 0, 1, 0], [1e-5, -1e-5, 1e-5, 2e-5]])
@pytest.mark.parametrize("layout", ["<f4", ">f4", "<f8"])
def test_round_numbers_are_told_from_those_of_another_type(write: Write, values: list[float], layout: str) -> None:
    matrix = np.array([values] * 6, dtype=layout)
    np.testing.assert_array_equal(read_vectors(write(binary(numbered(6), matrix))).vectors, np.float32(matrix))


@pytest.mark.parametrize("header", ["5 4", "5\t4", "5   4  ", "5 4\r", " 5 4", "5" + " " * 500 + "4", "\ufeff5 4"])
def test_a_header_may_be_written_in_many_ways(write: Write, header: str) -> None:
    report = read_vectors(write(binary(numbered(5), matrix_of(5, 4), header=header))).report
    assert (report.header, report.rows) == ((5, 4), 5)


# Words


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("dimensions", [5, 50, 300])
@pytest.mark.parametrize("seed", range(3))
def test_words_may_hold_spaces(write: Write, seed: int, dimensions: int, end: bytes) -> None:
    random = np.random.default_rng(seed)
    words = [
        " ".join([f"{random.choice(WORDS)}{row}", *random.choice(SHORT, random.integers(0, 4))]) for row in range(400)
    ]
    matrix = matrix_of(len(words), dimensions, seed)
    vectors = read_vectors(write(binary(words, matrix, end)))
    assert vectors.index_to_key == words
    np.testing.assert_array_equal(vectors.vectors, matrix)


@pytest.mark.parametrize("word", ["wind mill", "a b c d e f", "   ", "x ", " x"])
@pytest.mark.parametrize("place", [0, 1, 49])
def test_one_word_with_spaces_may_stand_anywhere(write: Write, word: str, place: int) -> None:
    words = numbered(50)
    words[place] = word
    assert read_vectors(write(binary(words, matrix_of(50, 20)))).index_to_key == words


@pytest.mark.parametrize("place", [0, 1, 25, 48, 49])
@pytest.mark.parametrize("raw", [b"caf\xe9", b"\xff\xfe", b"zo\xe2\x82", b"\x80"])
def test_words_of_odd_bytes_are_written_out_and_named(write: Write, raw: bytes, place: int) -> None:
    words: list[str | bytes] = [*numbered(50)]
    words[place] = raw
    vectors = read_vectors(write(binary(words, matrix_of(50, 20))))
    assert vectors.index_to_key[place] == raw.decode("utf-8", "backslashreplace")
    assert vectors.report.first_repaired == ((place + 1, vectors.index_to_key[place]),)


def test_control_characters_in_words_are_read_as_gensim_reads_them(write: Write) -> None:
    words = [*numbered(20), "a\tb", "plum", "\x07", "moss", "x\x00y"]
    assert_as_gensim(write(binary(words, matrix_of(25, 30))))


def test_rows_without_a_word_or_a_direction_and_duplicates_are_named_by_row(write: Write) -> None:
    matrix = matrix_of(9, 10)
    matrix[2], matrix[4, 3], matrix[5, 0] = 0, np.nan, 3e38
    words = ["a", "b", "zero", "", "nan", "big", "a", "c", "b"]
    report = read_vectors(write(binary(words, matrix))).report
    assert [(one.place, one.reason) for one in report.first_left_out] == [
        (3, "zero vector"),
        (4, "no word"),
        (5, "not finite"),
        (6, "not finite"),
        (7, "duplicate"),
        (9, "duplicate"),
    ]
    assert "  row 4: no word before the numbers" in report.sentences


# The header is advice, and the end of the file is looked at


@pytest.mark.parametrize("promised", [-1, 0, 1, 49, 51, 10**18])
def test_any_count_in_the_header_gives_the_rows_that_are_there(write: Write, promised: int) -> None:
    report = read_vectors(write(binary(numbered(50), matrix_of(50, 20), header=f"{promised} 20"))).report
    assert report.rows == 50
    assert any(f"promises {promised:,} word" in sentence for sentence in report.sentences)


@pytest.mark.parametrize("dimensions", [1, 19, 21, 40, 99_999])
def test_wrong_dimensions_in_the_header_are_never_read_as_if_right(write: Write, dimensions: int) -> None:
    path = write(binary(numbered(50), matrix_of(50, 20), header=f"50 {dimensions}"))
    with pytest.raises(PlaygroundError, match=r"row \d"):
        read_vectors(path)


@pytest.mark.parametrize("dimensions", [-4, 0, 100_001, 10**18])
def test_impossible_dimensions_are_refused(write: Write, dimensions: int) -> None:
    with pytest.raises(PlaygroundError, match=f"promises rows of {dimensions:,} numbers"):
        read_vectors(write(binary(numbered(50), matrix_of(50, 20), header=f"50 {dimensions}")))


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_cut_file_is_refused_with_the_row_and_read_up_to_it(write: Write, end: bytes) -> None:
    content = binary(numbered(30), matrix_of(30, 10), end)
    starts = [content.index(f"w{row} ".encode()) for row in range(1, 31)]
    for cut in range(starts[3], starts[5]):
        path = write(content[:cut])
        row = sum(start < cut for start in starts)
        finished = starts[row] if row < 30 else len(content)
        if cut >= finished - len(end):
            assert len(read_vectors(path)) == row
            continue
        with pytest.raises(PlaygroundError, match=rf"cut short at row {row} of 30: .* limit={row - 1}\.$"):
            read_vectors(path)
        rest = read_vectors(path, limit=row - 1)
        assert rest.index_to_key == numbered(row - 1)
        assert rest.report.stopped


def test_a_file_cut_in_a_later_piece_names_its_row(write: Write) -> None:
    content = binary(numbered(5_000), matrix_of(5_000, 100))
    with pytest.raises(PlaygroundError, match=r"cut short at row 4,997 of 5,000"):
        read_vectors(write(content[: content.index(b"w4997 ") + 200]))


@pytest.mark.parametrize("place", [1, 2_000, 4_998])
@pytest.mark.parametrize("change", [-3, -1, 1, 3])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_row_of_another_length_is_said(write: Write, place: int, change: int, end: bytes) -> None:
    """Bytes were lost or added: the numbers after them are others, and the next word may begin too early or late."""
    content = binary(numbered(5_000), matrix_of(5_000, 50), end)
    at = content.index(f"w{place} ".encode()) + 40
    content = content[:at] + (content[at - change :] if change < 0 else b"\x17" * change + content[at:])
    try:
        (said,) = read_vectors(write(content)).report.notes
    except PlaygroundError as error:
        said = str(error)
    assert re.search(rf"row ({place:,}|{place + 1:,})\b", said)


@pytest.mark.parametrize("rest", [b"\x00" * 7, b"\xff" * 5_000, b"end of file", b"\x01 " * 3_000_000])
def test_bytes_after_the_promised_rows_are_said(write: Write, rest: bytes) -> None:
    report = read_vectors(write(binary(numbered(50), matrix_of(50, 20)) + rest)).report
    assert report.rows == 50
    assert report.notes == ("After row 50 the file goes on with bytes that are no row.",)


# Pieces of a megabyte, limits, memory


@pytest.mark.parametrize("shift", range(0, 1_020, 102))
@pytest.mark.parametrize("end", [b"", b"\r\n"])
def test_a_row_that_straddles_two_pieces_is_whole(write: Write, shift: int, end: bytes) -> None:
    words = ["x" * (shift + 1), *(f"北{number} é" if number % 3 else f"w{number}" for number in range(1_199))]
    matrix = matrix_of(1_200, 250)
    vectors = read_vectors(write(binary(words, matrix, end)))
    assert vectors.index_to_key == words
    np.testing.assert_array_equal(vectors.vectors, matrix)


@pytest.mark.parametrize("limit", [1, 2, 4_999, 5_000, 9_999, 10_000, 20_000])
def test_a_limit_keeps_the_first_words(write: Write, limit: int) -> None:
    vectors = read_vectors(write(binary(numbered(10_000), matrix_of(10_000, 150))), limit)
    assert vectors.index_to_key == numbered(min(limit, 10_000))
    assert vectors.report.stopped == (limit < 10_000)


@pytest.mark.parametrize("count", [1, 4_000_000_000])
@pytest.mark.parametrize("dimensions", [300, 100_000])
def test_no_memory_is_taken_for_what_a_header_promises(write: Write, count: int, dimensions: int) -> None:
    path = write(f"{count} {dimensions}\nplum ".encode() + struct.pack("<20f", *range(1, 21)))
    tracemalloc.start()
    try:
        with pytest.raises(PlaygroundError, match="cut short at row 1"):
            read_vectors(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_fifty_megabytes_of_line_ends_are_no_work(tmp_path: Path) -> None:
    path = tmp_path / "blank.bin"
    plum, moss = (word + b" " + struct.pack("<3f", 1, 2, 3) for word in (b"plum", b"moss"))
    with path.open("wb") as file:
        file.write(b"2 3\n" + plum)
        for _ in range(50):
            file.write(b"\n" * 1_000_000)
        file.write(moss)
    assert read_vectors(path).index_to_key == ["plum", "moss"]
