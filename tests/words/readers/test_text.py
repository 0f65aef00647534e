"""Text files: equal to what gensim's own loader gives, and right where it fails."""

import contextlib
import itertools
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.errors import PlaygroundError
from playground.words.readers import read_vectors, text

Write = Callable[..., Path]
MEGABYTE = 1 << 20  # what the reader takes at a time

# Numbers that round twice or not at all, and the ends of float32's range.
NUMBERS = [
    "0.1",
    "-0.0",
    "1e-45",
    "1.4012984643248170e-45",
    "1.1754943508222875e-38",
    "1e18",
    "-3.3e18",
    "0.12345678901234567",
    "-0.99999999999999999",
    "1.00000017881393421514957253748434595763683319091796875",  # half-way between two float32, and a bit
    "1.0000001788139343",
    "16777217",
    "16777217.0000001",
    "+5",
    ".5",
    "7.",
    "1E-3",
    "-2e+2",
    "000.25",
    "9007199254740993",
]
WORDS = ["the", ",", "</s>", "<unk>", "2024", "7", "-1.5", "nan", "inf", "café", "cafe\u0301", "北京", "new\u00a0york"]
WORDS += [
    "\u00a0",
    "x\u2028y",
    "a\u0085b",
    "ü" * 50,
    "MZ",
    "[[",
    "{",
    '"',
    "'",
    "\\n",
    "=======",
    "<<<<<<<",
    "#",
    "½",
    "🙂",
]


def rows_of(words: list[str], matrix: np.ndarray) -> list[str]:
    return [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, matrix.tolist(), strict=True)]


def numbered(count: int, dimensions: int = 3) -> list[str]:
    """Return well-formed rows: word `w7` has the vector 7, 0.5, 0.5 …"""
    return [f"w{number} {number}" + " 0.5" * (dimensions - 1) for number in range(1, count + 1)]


def assert_as_gensim(path: Path, header: bool) -> None:
    ours, theirs = read_vectors(path), KeyedVectors.load_word2vec_format(str(path), no_header=not header)
    assert ours.index_to_key == theirs.index_to_key
    assert ours.vectors.dtype == theirs.vectors.dtype
    assert ours.vectors.tobytes() == theirs.vectors.tobytes()  # the sign of zero too
    assert ours.report.left_out == {}


# As gensim reads them


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 50, 300])
@pytest.mark.parametrize("seed", range(4))
def test_text_is_read_as_gensim_reads_it(write: Write, seed: int, dimensions: int, header: bool) -> None:
    random = np.random.default_rng(seed)
    words = [*random.permutation(WORDS), *(f"word{number}" for number in range(30))]
    numbers = random.standard_normal((len(words), dimensions)) * 10.0 ** random.integers(-8, 8)
    if seed % 2:
        numbers = numbers.astype(np.float32)
    first = [f"{len(words)} {dimensions}"] if header else []
    path = write("\n".join(first + rows_of(words, numbers)) + "\n")
    assert_as_gensim(path, header)


@pytest.mark.parametrize("name", ["any.txt", "any.data", "any.txt.gz"])
@pytest.mark.parametrize("header", [True, False])
def test_what_gensim_writes_is_read_as_gensim_reads_it(
    original: KeyedVectors, tmp_path: Path, name: str, header: bool
) -> None:
    path = tmp_path / name
    original.save_word2vec_format(str(path), write_header=header)
    assert_as_gensim(path, header)


@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_numbers_at_the_edges_of_float32_are_read_bit_for_bit(write: Write, end: str) -> None:
    rows = [f"w{row} {' '.join(NUMBERS[row:] + NUMBERS[:row])}" for row in range(len(NUMBERS))]
    assert_as_gensim(write(end.join(rows) + end), header=False)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(width=64, allow_nan=False, min_value=-1e18, max_value=1e18), min_size=1, max_size=20))
def test_any_number_in_17_digits_is_read_bit_for_bit(write: Write, numbers: list[float]) -> None:
    rows = [f"w{row} 1 {number!r}" for row, number in enumerate(numbers)]
    assert_as_gensim(write("\n".join(rows)), header=False)


@pytest.mark.parametrize(
    "word", ["<unk>", "<s>", "<a", "MZ", "%PDF", "[[", "{}", "<<<<<<<", "version", "PAR1", "[", "BZh"]
)
def test_a_first_word_that_other_files_begin_with_is_a_word(write: Write, word: str) -> None:
    for end in ("\n", "\n" * 3):
        assert_as_gensim(write(f"{word} 0.1 0.2{end}".rstrip("\n") + "\nthe 0.3 0.4\nof 0.5 -0.6\n"), header=False)


# Where the reader's two ways part and meet: well-formed pieces go through Arrow, others line by line

FIELDS = st.one_of(
    st.sampled_from(NUMBERS),
    st.sampled_from(
        ["nan", "-nan", "NaN", "inf", "-Infinity", "nan(1)", "1e999", "1e39", "0x10", "1_000", "1e", "-", "x"]
    ),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["", "0,5", "1\x0b", "\x0c1", "1\x00", "\u0661", "1\u00a0", '"1"', "1\t"]),
)
TOKENS = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\n\r"), max_size=5),
)
LINES = st.builds(
    lambda token, fields, gap, end: token + gap + gap.join(fields) + end,
    TOKENS,
    st.lists(FIELDS, min_size=2, max_size=4),
    st.sampled_from([" ", " ", " ", " ", "  ", "\t", " \t"]),
    st.sampled_from(["", "", "", " ", "  ", "\t"]),
)
CLEAN = st.builds(lambda token, row: f"{token} {row} 0.5 -2", TOKENS, st.integers(1, 9))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(CLEAN, CLEAN, LINES), min_size=1, max_size=6), st.sampled_from([None, 1, 3, 5]))
def test_a_line_is_read_the_same_whatever_lines_are_around_it(
    write: Write, lines: list[str], limit: int | None
) -> None:
    """A bare CR in one word sends all lines of its piece the slow way."""
    content = [*numbered(20), *lines, ""]
    try:
        quick = read_vectors(write("\n".join(content)), limit)
    except PlaygroundError as error:
        assert "merge" in str(error)
        return
    slow = read_vectors(write("\n".join(["w\r1 1 0.5 0.5", *content[1:]])), limit)
    assert quick.index_to_key[1:] == slow.index_to_key[1:]
    assert quick.vectors.tobytes() == slow.vectors.tobytes()
    same = ("left_out", "first_left_out", "repaired", "stopped", "dimensions", "header")
    assert [getattr(quick.report, name) for name in same] == [getattr(slow.report, name) for name in same]


@pytest.mark.parametrize("separator", [b" ", b"\t"])
def test_well_formed_lines_go_the_fast_way(separator: bytes) -> None:
    block = b"\n".join(line.encode().replace(b" ", separator) for line in numbered(50)) + b"\n"
    found = text._regular(block, 50, 3, separator)
    assert found is not None
    words, matrix = found
    assert words == [f"w{number}" for number in range(1, 51)]
    np.testing.assert_array_equal(matrix[:, 0], range(1, 51))


# Pieces of a megabyte: what stands at their borders


@pytest.fixture(scope="module")
def border_rows() -> list[bytes]:
    """Rows of some three megabytes, with characters of two to four bytes in their words."""
    letters = itertools.cycle("aé北🙂")
    return [f"{next(letters) * (number % 7 * 20 + 9)}{number} {number} 0.5 -1".encode() for number in range(1, 16_000)]


@pytest.mark.parametrize("shift", range(0, 12, 2))
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" \n"])
def test_a_row_that_straddles_two_pieces_is_whole(
    write: Write, border_rows: list[bytes], shift: int, end: bytes
) -> None:
    """A first word of another length moves the border through a row: its word, its numbers, its line end."""
    rows = [b"x" * (shift + 1) + b" 1 2 3", *border_rows[:8_000]]
    content = end.join(rows) + end
    assert len(content) > MEGABYTE
    vectors = read_vectors(write(content))
    assert vectors.index_to_key == [row.split(b" ")[0].decode() for row in rows]
    np.testing.assert_array_equal(vectors.vectors[1:, 0], np.arange(1, len(rows), dtype=np.float32))
    assert vectors.report.left_out == {}


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("last", [b"", b"\n\n", b" \r\n"])
def test_a_faulty_line_has_its_true_number_in_any_piece(
    write: Write, border_rows: list[bytes], last: bytes, header: bool
) -> None:
    faulty = {10: b"short 1 2", 5_000: b"", 7_001: b"wrong 1 x 3", 13_000: b"zero 0 0 0", 15_990: b"many 0.1 1 2 3"}
    rows = list(border_rows)
    for line, content in faulty.items():
        rows[line - 1 - header] = content
    if header:
        rows.insert(0, b"15999 3")
    report = read_vectors(write(b"\n".join(rows) + last)).report
    assert [(one.place, one.word) for one in report.first_left_out] == [
        (line, content.split()[0].decode()) for line, content in faulty.items() if content
    ]
    assert report.rows == len(border_rows) - len(faulty)


@pytest.mark.parametrize("limit", [1, 2, 3_000, 6_000, 12_000, 15_998, 15_999])
def test_a_limit_ends_the_reading_in_any_piece(write: Write, border_rows: list[bytes], limit: int) -> None:
    vectors = read_vectors(write(b"\n".join(border_rows)), limit)
    assert len(vectors) == len(vectors.vectors) == limit
    assert vectors.index_to_key[-1] == border_rows[limit - 1].split()[0].decode()
    assert vectors.report.stopped == (limit < len(border_rows))


@pytest.mark.parametrize("odd", [b"x", b"a 1 2", b"\xff 1 2 3", b"<<<<<<< HEAD", b"y" * 3 * MEGABYTE])
def test_a_limit_reads_no_further_than_it_must(write: Write, border_rows: list[bytes], odd: bytes) -> None:
    """What stands after the limit is neither said nor refused."""
    for limit in (1_000, 9_000):
        rows = [*border_rows[:9_000], odd, *border_rows[9_000:]] if len(odd) < MEGABYTE else [*border_rows, odd]
        report = read_vectors(write(b"\n".join(rows)), limit).report
        assert (report.rows, report.stopped, report.left_out, report.repaired) == (limit, True, {}, 0)


def test_a_header_alone_before_a_row_that_fills_the_first_piece_is_a_header(write: Write) -> None:
    row = " ".join(["1.2345678901234567"] * 50_000)
    vectors = read_vectors(write(f"2 50000\nplum {row}\nmoss {row} \n"))
    assert vectors.index_to_key == ["plum", "moss"]
    assert vectors.vector_size == 50_000


# Words


def test_a_word_may_hold_spaces_and_numbers(write: Write) -> None:
    words = [". . .", "at name@example.test", "in 2017", "New York 5 0", "a  b", "x\ty", "1", "2 3"]
    vectors = read_vectors(write("\n".join(f"{word} 0.{row}1 0.5 -0.25" for row, word in enumerate(words, 1))))
    assert vectors.index_to_key == words
    np.testing.assert_allclose(vectors["2 3"], [0.81, 0.5, -0.25])
    assert vectors.report.sentences == ["any.vec: 8 words of 3 numbers (GloVe text, no header)."]


@pytest.mark.parametrize("count", [1, 2, 5, 300])
def test_a_header_decides_where_every_word_ends_in_a_number(write: Write, count: int) -> None:
    rows = [f"apollo {number} 0.{number} -0.5 0.25" for number in range(1, count + 1)]
    vectors = read_vectors(write("\n".join([f"{count} 3", *rows])))
    assert vectors.index_to_key == [f"apollo {number}" for number in range(1, count + 1)]


def test_only_a_line_feed_ends_a_line(write: Write) -> None:
    marks = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"]
    words = [before + mark + after for mark in marks for before in ("", "x") for after in ("", "y")]
    for ending in ("\n", "\r\n"):
        path = write(ending.join(f"{word} 1 2" for word in words) + ending)
        assert read_vectors(path).index_to_key == words
        assert_as_gensim(path, header=False)


@pytest.mark.parametrize("count", [2, 3, 1_000])
def test_lines_that_end_in_cr_alone_are_not_one_word(write: Write, count: int) -> None:
    rows = [f"w{number} 0.{number} 0.5" for number in range(count)]
    for content in ("\r".join(rows), "\r".join([*rows, ""]), "\r".join([f"{count} 2", *rows])):
        with pytest.raises(PlaygroundError, match="ends its lines with CR alone"):
            read_vectors(write(content))


def test_words_of_odd_bytes_stay_distinct_and_are_named(write: Write) -> None:
    words = [
        b"caf\xe9",
        b"caf\xe8",
        b"caf",
        b"zo\xc3",
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\xf5\x80\x80\x80",
        "café".encode(),
    ]
    vectors = read_vectors(write(b"8 2\n" + b"".join(word + b" 1 2\n" for word in words)))
    assert vectors.index_to_key[0] == r"caf\xe9"
    assert len(set(vectors.index_to_key)) == len(words)
    assert vectors.report.repaired == 6
    assert vectors.report.first_repaired[0] == (2, r"caf\xe9")
    assert all(word.encode() for word in vectors.index_to_key)  # none holds half a character


@pytest.mark.parametrize("word", ["a\x00b", "\u202edrow", "\u200f", "\x1b[31m", "\x07"])
def test_invisible_characters_stay_in_words_and_not_in_sentences(write: Write, word: str) -> None:
    vectors = read_vectors(write(f"{word} 1 2\nplum 3 4\nmoss 5 6\n{word} 7 8\n{word}! 0 0\n"))
    assert vectors.index_to_key == [word, "plum", "moss"]
    assert all(sentence.isprintable() for sentence in vectors.report.sentences)


def test_normalized_keys_are_of_one_form(write: Write) -> None:
    path = write("cafe\u0301 1 2\ncafé 3 4\nplum 5 6\n")
    assert read_vectors(path).index_to_key == ["cafe\u0301", "café", "plum"]
    composed = read_vectors(path, normalize_keys=True)
    assert composed.index_to_key == ["café", "plum"]
    np.testing.assert_array_equal(composed["café"], [1, 2])
    assert composed.report.left_out == {"duplicate": 1}


def test_of_equal_words_the_first_is_kept(write: Write) -> None:
    vectors = read_vectors(write("plum 1 2\nmoss 3 4\nplum 5 6\nplum 7 8\n"))
    np.testing.assert_array_equal(vectors.vectors, [[1, 2], [3, 4]])
    assert vectors.report.left_out == {"duplicate": 2}
    assert "  line 3: 'plum': the word was there before; its first vector stays" in vectors.report.sentences


def test_a_word_of_a_megabyte_is_a_line_too_long(write: Write) -> None:
    long = "x" * 900_000
    assert read_vectors(write(f"{long} 1 2\nplum 3 4")).index_to_key == [long, "plum"]
    with pytest.raises(PlaygroundError, match=r"line 3 is longer than 1,048,576 bytes"):
        read_vectors(write(f"a 1 2\nb 3 4\n{'x' * MEGABYTE} 1 2\nplum 3 4"))


# Numbers


@pytest.mark.parametrize("field", ["0x10", "1e", "--1", "1f", "x", "\u0661", "1\x00", "nan(1)", "1.2.3", "½", "−1"])
@pytest.mark.parametrize("size", [4, 2_000])
def test_what_is_no_number_is_named(write: Write, field: str, size: int) -> None:
    rows = numbered(size)
    rows[2] = f"odd 1 {field} 2"
    report = read_vectors(write("\n".join(rows))).report
    (left_out,) = report.first_left_out
    assert (left_out.place, left_out.word, left_out.reason) == (3, "odd", "not numbers")
    assert left_out.detail == f"'{field}' is not a number"


@pytest.mark.parametrize("field", ["1_000", "+1", "1\x0b", "\x0c1"])
def test_numbers_are_what_gensim_takes_for_numbers(write: Write, field: str) -> None:
    assert_as_gensim(write("\n".join([*numbered(3), f"odd 1 {field} 2"]) + "\n"), header=False)


@pytest.mark.parametrize(
    ("numbers", "reason", "detail"),
    [
        ("nan 1 2", "not finite", ""),
        ("1 -inf 2", "not finite", ""),
        ("1e39 0 0", "not finite", ""),
        ("1e999 0 0", "not finite", ""),
        ("3e38 1 1", "not finite", "squares overflow"),
        ("0 0 0", "zero vector", ""),
        ("-0.0 0 1e-999", "zero vector", ""),
        ("1e-30 1e-45 0", "zero vector", "squares are zero"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_row_without_a_usable_length_is_left_out(write: Write, numbers: str, reason: str, detail: str) -> None:
    for rows in (numbered(3), ["w\r 1 2 3", *numbered(2)]):
        vectors = read_vectors(write("\n".join([*rows, f"odd {numbers}"])))
        assert vectors.report.left_out == {reason: 1}
        (left_out,) = vectors.report.first_left_out
        assert left_out.place == 4
        assert detail in left_out.detail
        assert bool(detail) == bool(left_out.detail)
        assert np.isfinite(vectors.norms).all()
        assert (vectors.norms > 0).all()


def test_a_row_with_a_wrong_number_of_values_is_never_filled_up(write: Write) -> None:
    path = write("plum 0.1 0.2 0.3\nshort 0.1 0.2\nlonger 0.1 0.2 0.3 0.4\none 0.5\nnone\nmoss 0.4 0.5 0.6\n")
    vectors = read_vectors(path)
    assert vectors.index_to_key == ["plum", "moss"]
    assert vectors.report.sentences[1:] == [
        "Left out: 4 rows (4 with a wrong number of values).",
        "  line 2: 'short': 2 numbers, not 3",
        "  line 3: 'longer': 4 numbers, not 3",
        "  line 4: 'one': 1 number, not 3",
        "  line 5: 'none': 0 numbers, not 3",
    ]


@pytest.mark.parametrize("place", [0, 1, 2, 9])
def test_the_number_of_dimensions_is_that_of_most_rows(write: Write, place: int) -> None:
    rows = numbered(9, dimensions=5)
    for odd in ("short 0.1 0.2", "long 0.1 0.2 0.3 0.4 0.5 0.6 0.7", "in 2017 1 2 3.5 4 5"):
        vectors = read_vectors(write("\n".join([*rows[:place], odd, *rows[place:]])))
        assert vectors.vector_size == 5
        assert len(vectors) == 9 + odd.startswith("in")


def test_ten_rows_left_out_are_named_and_all_are_counted(write: Write) -> None:
    rows = [*numbered(30), *(f"short{number} 1" for number in range(25)), *numbered(2)]
    report = read_vectors(write("\n".join(rows))).report
    assert report.left_out == {"wrong number of values": 25, "duplicate": 2}
    assert [one.place for one in report.first_left_out] == list(range(31, 41))
    assert report.sentences[-1] == "  and 17 more."


def test_a_file_most_of_whose_lines_are_no_rows_is_refused(write: Write) -> None:
    path = write("\n".join(numbered(300)) + "\n" + "plum of\n" * 101_000)
    with pytest.raises(PlaygroundError, match=r"101,000 of its first 101,300 lines are not a word and 3 numbers"):
        read_vectors(path)


# The header is advice


@pytest.mark.parametrize("promised", [-1, 0, 1, 4, 5, 6, 10**18])
def test_any_count_in_the_header_gives_the_rows_that_are_there(write: Write, promised: int) -> None:
    path = write("\n".join([f"{promised} 3", *numbered(5)]))
    vectors = read_vectors(path)
    assert len(vectors) == 5
    assert vectors.report.header == (promised, 3)
    promises = [sentence for sentence in vectors.report.sentences if "header promises" in sentence]
    assert len(promises) == (promised != 5)


@pytest.mark.parametrize("dimensions", [-3, 0, 1, 2, 4, 300, 10**18])
@pytest.mark.parametrize("count", [2, 5, 1_000])
def test_any_dimensions_in_the_header_give_those_that_are_there(write: Write, count: int, dimensions: int) -> None:
    rows = [f"w{number} 0.{number} 0.5 0.5" for number in range(1, count + 1)]
    vectors = read_vectors(write("\n".join([f"{count} {dimensions}", *rows])))
    assert (len(vectors), vectors.vector_size) == (count, 3)
    assert any(f"{count:,} words of {dimensions:,} number" in sentence for sentence in vectors.report.sentences)


@pytest.mark.parametrize("header", ["5 3", "5\t3", " 5  3 ", "5 3\r", "\ufeff5 3", "+5 3"])
def test_a_header_may_be_written_in_many_ways(write: Write, header: str) -> None:
    report = read_vectors(write("\n".join([header, *numbered(5)]))).report
    assert (report.header, report.rows, report.left_out) == ((5, 3), 5, {})


def test_a_byte_order_mark_is_no_part_of_the_first_word(write: Write) -> None:
    for rows in (numbered(3), ["3 3", *numbered(3)]):
        assert read_vectors(write("\ufeff" + "\n".join(rows))).index_to_key == ["w1", "w2", "w3"]


@pytest.mark.parametrize("count", [1, 2, 50])
def test_one_number_a_word_is_read_where_the_first_line_is_clear(write: Write, count: int) -> None:
    rows = [f"w{number} 0.{number}" for number in range(1, count + 1)]
    for first in ([], [f"{count} 1"]):
        vectors = read_vectors(write("\n".join(first + rows)))
        assert (len(vectors), vectors.vector_size) == (count, 1)
    with pytest.raises(PlaygroundError, match="can be a header or the word"):
        read_vectors(write("\n".join([f"{count + 7} 1", *rows])))


def test_no_memory_is_taken_for_what_a_header_promises(cases: Path) -> None:
    read_vectors(cases / "plain.vec")  # what is imported on the way is not counted
    tracemalloc.start()
    try:
        for name in ("t21_huge_header.txt", "t21b_quiet_big_header.txt"):
            with contextlib.suppress(PlaygroundError):
                read_vectors(cases / name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # the smaller of the two promises 960 MB


# Lines


@pytest.mark.parametrize("ending", ["\n", "\r\n", " \n", "  \n", "\t\n", " \r\n", "\n\n", "\n \n"])
@pytest.mark.parametrize("separator", [" ", "  ", "\t", " \t "])
def test_line_ends_blank_lines_and_wide_gaps_are_accepted(write: Write, ending: str, separator: str) -> None:
    rows = [row.replace(" ", separator) for row in numbered(300)]
    vectors = read_vectors(write(ending.join(rows) + ending))
    assert vectors.index_to_key == [f"w{number}" for number in range(1, 301)]
    np.testing.assert_array_equal(vectors.vectors[:, 0], range(1, 301))
    assert vectors.report.left_out == {}


def test_words_with_spaces_between_tabs_are_whole(write: Write) -> None:
    path = write("New York\t1\t2\nplum\t3\t4\nSan José\t5\t6\n")
    assert read_vectors(path).index_to_key == ["New York", "plum", "San José"]


def test_a_line_without_a_word_is_named(write: Write) -> None:
    report = read_vectors(write("plum 1 2 3\n 1 2 3\nmoss 4 5 6\n")).report
    assert report.left_out == {"no word": 1}
    assert "  line 2: no word before the numbers" in report.sentences


@pytest.mark.parametrize("place", [0, 1, 150, 5_000])
@pytest.mark.parametrize("mark", ["<<<<<<< HEAD", "<<<<<<< Updated upstream"])
def test_marks_of_a_merge_are_found_anywhere(write: Write, place: int, mark: str) -> None:
    rows = numbered(6_000)
    rows[place:place] = [mark, "plum 1 2 3", "=======", "plum 3 2 1", ">>>>>>> other"]
    with pytest.raises(PlaygroundError, match=rf"unfinished Git merge \(line {place + 1:,}\)"):
        read_vectors(write("\n".join(rows)))


# What is no file of vectors


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("\n \n\t\n", "is empty"),
        ("\ufeff", "is empty"),
        ("5 4\n", "holds no rows, or a header alone"),
        ("5 4\n\n\n", "holds no rows, or a header alone"),
        ("plum\nmoss\nkite\n", "a list of words without numbers"),
        ("plum,0.1,0.2\nmoss,0.3,0.4\n", "a table separated by commas"),
        ("plum;0,1;0,2\nmoss;0,3;0,4\n", "a table separated by commas"),
        ("plum, 0.1, 0.2\nmoss, 0.3, 0.4\n", "sets commas between its numbers (0.1,)"),
        ("plum [0.1, 0.2]\nmoss [0.3, 0.4]\n", "sets commas between its numbers ([0.1,)"),
        ("plum 0,1 0,2\nmoss 0,3 0,4\n", "decimal comma (0,1)"),
        ("2 2\nplum 0,123456789 0,2\nmoss 0,3 0,4\n", "decimal comma (0,123456789)"),
        ("plum 0:0.5 7:1\nmoss 3:0.1\n", "sparse vectors (0:0.5"),
        ("0.25 0.5 1.5\n0.1 2e-3 -1\n-1.5 0.1 0\n", "numbers without words"),
        ("  1.000000e-01 2.0e+00\n  -1.0e-01 2.0e+00\n", "numbers without words"),
        ("Once upon a time\nthere was a plum.\n", "text whose lines are not a word and numbers"),
    ],
)
def test_text_of_another_kind_is_named(write: Write, content: str, said: str) -> None:
    for ending in ("\n", "\r\n"):
        with pytest.raises(PlaygroundError) as raised:
            read_vectors(write(content.replace("\n", ending)))
        assert said in str(raised.value)
        assert str(raised.value).endswith(".")


def test_a_hundred_megabytes_of_blank_lines_are_no_work(tmp_path: Path) -> None:
    path = tmp_path / "blank.txt"
    with path.open("wb") as file:
        file.write(b"plum 1 2\n")
        for _ in range(100):
            file.write(b"\n" * 1_000_000)
        file.write(b"moss 3 4\nshort 1\n")
    vectors = read_vectors(path)
    assert vectors.index_to_key == ["plum", "moss"]
    assert vectors.report.first_left_out[0].place == 100_000_003


def test_more_numbers_in_a_row_than_vectors_have_are_refused(write: Write) -> None:
    with pytest.raises(PlaygroundError, match=r"rows of 150,000 numbers"):
        read_vectors(write(("w" + " 0" * 150_000 + "\n") * 2))
