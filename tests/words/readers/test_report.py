"""What is said of a file that was read, and what is counted on the way."""

import copy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import playground as pg
from playground.errors import PlaygroundError
from playground.words.readers import read_vectors
from playground.words.readers.report import LeftOut, LoadReport, printable
from playground.words.readers.rows import Rows

Write = Callable[..., Path]


def report(**changed: object) -> LoadReport:
    """Return the report of a text file of 5 words of 4 numbers, without anything odd, but for what is changed."""
    plain: dict[str, object] = dict.fromkeys(("repaired", "memory"), 0) | dict.fromkeys(("header", "limit"))
    plain |= {"name": "any.txt", "format": "GloVe text, no header", "packing": "", "rows": 5, "dimensions": 4}
    plain |= {"left_out": {}, "first_left_out": (), "first_repaired": (), "stopped": False, "seconds": 0.1}
    return LoadReport(**(plain | changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "sentences"),
    [
        ({}, ["any.txt: 5 words of 4 numbers (GloVe text, no header)."]),
        ({"rows": 1, "dimensions": 1}, ["any.txt: 1 word of 1 number (GloVe text, no header)."]),
        (
            {"rows": 400_000, "packing": "xz"},
            ["any.txt: 400,000 words of 4 numbers (GloVe text, no header, xz-packed)."],
        ),
        ({"header": (5, 4)}, []),
        ({"header": (6, 4)}, ["The header promises 6 words of 4 numbers; the file has 5 words of 4 numbers."]),
        ({"header": (5, 1)}, ["The header promises 5 words of 1 number; the file has 5 words of 4 numbers."]),
        ({"header": (9, 4), "stopped": True, "limit": 5}, ["Reading stopped at the limit of 5 words."]),
        (
            {"header": (9, 3), "stopped": True, "limit": 5},
            ["Reading stopped at the limit of 5 words.", "The header promises rows of 3 numbers; they have 4."],
        ),
        ({"rows": 1, "stopped": True, "limit": 1}, ["Reading stopped at the limit of 1 word."]),
        (
            {"header": (6, 4), "left_out": {"duplicate": 1}, "first_left_out": (LeftOut(3, "plum", "duplicate"),)},
            [
                "Left out: 1 row (1 of a word that was there before).",
                "  line 3: 'plum': the word was there before; its first vector stays",
            ],
        ),
        (
            {
                "format": "word2vec binary",
                "left_out": {"not finite": 1_500, "no word": 1},
                "first_left_out": (LeftOut(1_000, "a\u202eb", "not finite"), LeftOut(1_001, "", "no word")),
            },
            [
                "Left out: 1,501 rows (1,500 not finite or too large, 1 without a word).",
                r"  row 1,000: 'a\u202eb': it holds a number that is not finite or too large for float32",
                "  row 1,001: no word before the numbers",
                "  and 1,499 more.",
            ],
        ),
        (
            {"repaired": 1, "first_repaired": ((7, r"caf\xe9"),)},
            [r"1 word is not UTF-8; the odd bytes are written out: line 7 (caf\xe9)."],
        ),
        (
            {"repaired": 20, "first_repaired": tuple((row, f"w{row}\r") for row in range(1, 11))},
            [r"20 words are not UTF-8; the odd bytes are written out: line 1 (w1\r), line 2 (w2\r), line 3 (w3\r)."],
        ),
        ({"notes": ("Its numbers are float64.",)}, ["Its numbers are float64."]),
    ],
)
def test_a_report_says_what_is_odd_and_nothing_else(changed: dict[str, object], sentences: list[str]) -> None:
    found = report(**changed).sentences
    assert found[0].startswith("any.txt: ")
    assert (found if sentences[:1] == found[:1] else found[1:]) == sentences


def test_invisible_characters_are_written_out_and_all_others_stay() -> None:
    assert printable("a\nb\r\t\x00\u200f\u2028\x85\xa0é\ue000\udc80") == (
        r"a\nb\r\t\x00\u200f\u2028\x85\xa0é\ue000\udc80"
    )
    assert printable("New York café 北京 🙂 \\n '\"") == "New York café 北京 🙂 \\n '\""


def test_the_report_of_a_file_holds_its_size_in_memory_and_the_time(write: Write) -> None:
    rows = [f"w{number} {number} 0.5 0.5" for number in range(1, 10_001)]
    found = read_vectors(write("\n".join(rows)))
    assert found.vectors.nbytes + found.norms.nbytes < found.report.memory < 2_000_000
    assert 0 < found.report.seconds < 60
    assert not found.report.from_cache


def test_a_file_without_one_usable_row_is_refused_with_the_reasons(write: Write) -> None:
    with pytest.raises(PlaygroundError) as raised:
        read_vectors(write("plum 0 0\nmoss nan 1\n 1 2\nlamp 0 0\n", "zeros.txt"))
    assert str(raised.value) == (
        "zeros.txt holds no usable word vector: its rows are left out "
        "(1 without a word, 2 without a direction, 1 not finite or too large)."
    )


def test_the_first_ten_rows_left_out_are_named_in_the_order_of_the_file() -> None:
    rows = Rows(2)
    for place in (30, 12, 5, 12, 7, 29, 1, 40, 3, 18, 2, 50, 4, 6):
        rows.leave_out(place, f"w{place}", "not numbers")
    assert [one.place for one in rows.first_left_out] == [1, 2, 3, 4, 5, 6, 7, 12, 12, 18]
    assert rows.left_out == {"not numbers": 14}


def test_rows_are_kept_without_a_copy_and_say_how_far_the_limit_let_them_be_seen() -> None:
    rows = Rows(2, limit=3)
    assert rows.add(["a", "zero"], np.array([[1, 2], [0, 0]]), [1, 2]) == 2
    assert (rows.full, rows.stopped) == (False, False)
    assert rows.add(["b", "a", "c", "d", "zero"], np.array([[3, 4], [5, 6], [7, 8], [9, 9], [0, 0]]), range(3, 8)) == 3
    assert (rows.full, rows.stopped) == (True, True)
    np.testing.assert_array_equal(rows.matrix(), [[1, 2], [3, 4], [7, 8]])
    assert rows.matrix().base is not None
    assert rows.left_out == {"zero vector": 1, "duplicate": 1}


def test_what_gensim_saves_with_a_report_opens_without_the_playground(tmp_path: Path, cases: Path) -> None:
    vectors = pg.load(cases / "t16_short_row.txt")
    assert copy.deepcopy(vectors.report) is vectors.report
    path = tmp_path / "saved.kv"
    vectors.save(str(path))
    code = f"""
import sys
sys.modules["playground"] = None  # as where it is not installed
from gensim.models import KeyedVectors
vectors = KeyedVectors.load({str(path)!r})
print(vectors.most_similar("plum", topn=1)[0][0], vectors.report["left_out"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "harbor {'wrong number of values': 1}\n", done.stderr
    assert pg.load(path).index_to_key == vectors.index_to_key
