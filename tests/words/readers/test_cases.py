"""The table of small files, each of a kind that people have reported in public, and what becomes of it.

The kinds themselves, in other sizes and places, are in the tests of each format beside this file.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from playground.errors import PlaygroundError
from playground.words.readers import read_vectors

FIVE = {
    "plum": [0.9, 0.1, 0.2, 0],
    "moss": [0.1, 0.8, -0.3, 0.2],
    "kite": [0.3, -0.2, 0.7, 0.5],
    "lamp": [-0.4, 0.6, 0.1, 0.9],
    "harbor": [0.5, 0.5, -0.5, 0.1],
}
BESIDE = {"k05b_sidecar.kv.gz.vectors.npz"}  # opened through the file that it belongs to


@dataclass(frozen=True)
class Model:
    """What a file is read as: its words in order, and what the report says beyond its first sentence."""

    words: list[str]
    format: str
    says: tuple[str, ...] = ()
    vector: tuple[str, list[float]] | None = None  # of a word that is not one of the five
    packing: str = ""


@dataclass(frozen=True)
class Refused:
    """What the sentence must hold that refuses a file."""

    says: tuple[str, ...]


def five(kind: str, *says: str, before: str = "", after: str = "", packing: str = "") -> Model:
    """Return the outcome of a file of the five words, and perhaps others before or after them."""
    words = [*before.split("|"), *FIVE, *after.split("|")]
    return Model([word for word in words if word], kind, says, packing=packing)


TEXT, GLOVE, BINARY = "word2vec text", "GloVe text, no header", "word2vec binary"
KV = "gensim KeyedVectors"

CASES: dict[str, Model | Refused] = {
    # Text: tokens
    "t01_spaces_in_token.txt": five(GLOVE, after=". . .|at nobody@example.test"),
    "t01b_space_token_first.txt": five(GLOVE, before=". ."),
    "r01_saved_by_gensim_with_space.txt": Model(["hello", "my word", "end"], TEXT, vector=("my word", [3, 4])),
    "t06_nbsp_token.txt": five(TEXT, after="hors\xa0piste"),
    "t06b_only_nbsp_token.vec": five(TEXT, before="\xa0"),
    "t07_nel_ls_cr_in_token.txt": five(TEXT, after="up\x85|wa\u2028ve|c\rr|v\x0bt"),
    "t07b_token_ends_in_cr_glove.txt": five(GLOVE, after="\r"),
    "t08_bad_utf8.txt": five(
        TEXT, r"1 word is not UTF-8; the odd bytes are written out: line 7 (caf\xe9).", after=r"caf\xe9"
    ),
    "t08b_cut_multibyte.txt": five(
        TEXT,
        r"2 words are not UTF-8; the odd bytes are written out: line 7 (zo\xc3), line 8 (zo\xe2\x82).",
        after=r"zo\xc3|zo\xe2\x82",
    ),
    "t20_missing_token.txt": five(TEXT, "1 row (1 without a word)", "line 7: no word before the numbers"),
    "t25_eos_first.vec": Model(["</s>", "plum", "moss"], TEXT, vector=("</s>", [0.5, 0.1])),
    # Text: the header
    "plain.vec": five(TEXT),
    "plain_w2v.txt": five(TEXT),
    "plain_glove.txt": five(GLOVE),
    "t03_no_header.txt": five(GLOVE),
    "t04_header_count_low.txt": five(TEXT, "promises 3 words of 4 numbers; the file has 5 words of 4 numbers"),
    "t04b_header_count_high.txt": five(TEXT, "promises 9 words of 4 numbers; the file has 5 words of 4 numbers"),
    "t05_header_read_as_data.vec": five(TEXT),
    "t05b_one_dim_header_as_data.txt": Model(
        ["plum", "moss", "kite"], TEXT, ("Each word has one number.",), vector=("moss", [0.25])
    ),
    "t05c_first_word_is_number_1d.txt": Refused(("line 1 (7 1) can be a header or the word 7 with one number",)),
    "t09_bom_header.vec": five(TEXT),
    "t09b_bom_glove.txt": five(GLOVE),
    "t16b_header_dim_wrong.txt": five(TEXT, "promises 5 words of 3 numbers; the file has 5 words of 4 numbers"),
    "t21_huge_header.txt": Refused(("promises rows of 300 numbers, and its first row has 2", "cut short")),
    "t21b_quiet_big_header.txt": five(TEXT, "promises 60,000,000 words of 4 numbers; the file has 5 words"),
    "t22_negative_header.txt": five(TEXT, "promises -5 words of 4 numbers; the file has 5 words"),
    "t22b_zero_dim.txt": five(TEXT, "promises 5 words of 0 numbers; the file has 5 words of 4 numbers"),
    "t22c_zero_count.txt": five(TEXT, "promises 0 words of 4 numbers; the file has 5 words"),
    # Text: lines
    "t10_crlf.txt": five(TEXT),
    "t10b_crlf_glove.txt": five(GLOVE),
    "t11_trailing_spaces.vec": five(TEXT),
    "t12_blank_last_line_glove.txt": five(GLOVE),
    "t12b_blank_middle.txt": five(TEXT, "promises 6 words of 4 numbers; the file has 5 words"),
    "t14_double_space.txt": five(TEXT),
    # Text: numbers
    "t16_short_row.txt": five(TEXT, "1 row (1 with a wrong number of values)", "line 7: 'short': 3 numbers, not 4"),
    "t17_comma_decimal.txt": Refused(("decimal comma (0,9)", "with a point")),
    "t18_nan_inf.txt": five(
        TEXT,
        "3 rows (3 not finite or too large)",
        "line 7: 'broken': it holds a number that is not finite",
        "line 8: 'huge'",
        "line 9: 'big'",
    ),
    "t19_zero_vector.txt": five(
        TEXT, "1 row (1 without a direction)", "line 7: 'void': all its numbers are zero, so it has no direction"
    ),
    "q_zero_and_nan.txt": five(
        TEXT,
        "3 rows (1 without a direction, 2 not finite or too large)",
        "line 7: 'void': all its numbers are zero",
        "line 8: 'broken': it holds a number that is not finite",
        "line 9: 'bigv': its numbers are too large: their squares overflow float32",
    ),
    # What is no file of vectors
    "t23_html_instead.txt": Refused(("is not a file of word vectors", "an HTML page")),
    "t23b_empty.txt": Refused(("is empty",)),
    "t23c_lfs_pointer.txt": Refused(("a Git LFS pointer", "git lfs pull")),
    "t24_sparse_ppmi.txt": Refused(("sparse vectors (0:0.5", "cannot be read here")),
    "t26_conflict_marks.txt": Refused(("marks of an unfinished Git merge (line 1)",)),
    # Binary
    "b01_newlines.bin": five(BINARY),
    "b01b_no_newlines.bin": five(BINARY),
    "b02_truncated.bin": Refused(("word2vec binary file cut short at row 4 of 5", "limit=3")),
    "b03_space_in_token.bin": five(BINARY, before="wind mill"),
    "b04_bad_utf8.bin": five(BINARY, r"1 word is not UTF-8", r"row 6 (caf\xe9)", after=r"caf\xe9"),
    "b05_header_count_low.bin": five(BINARY, "promises 3 words of 4 numbers; the file has 5 words of 4 numbers"),
    "b06_crlf_between.bin": five(BINARY),
    "b07_float64.bin": five(BINARY, "Its numbers are float64."),
    "b08_big_endian.bin": five(BINARY, "Its numbers are big-endian."),
    "r01b_saved_by_gensim_with_space.bin": Model(["hello", "my word", "end"], BINARY, vector=("my word", [3, 4])),
    # Packed
    "g01_named_gz_but_plain.txt.gz": five(TEXT),
    "g02_gz_without_suffix.txt": five(TEXT, packing="gzip"),
    "g03_truncated.txt.gz": Refused(("is damaged or cut short", "gzip")),
    "g04_bomb_long_line.txt.gz": Refused(("line 2 is longer than 1,048,576 bytes",)),
    "g05_ok.txt.gz": five(TEXT, packing="gzip"),
    # gensim's own
    "k01_native.kv": five(KV),
    "k02_sidecar.kv": five(KV),
    "k02_sidecar.kv.vectors.npy": Refused(("5 rows of numbers", "their words")),
    "k04_runs_code.kv": Refused(("is refused", "io.open")),
    "k05_native.kv.gz": five(KV, packing="gzip"),
    "k05b_sidecar.kv.gz": five(KV, packing="gzip"),
    "k06_plain_dict.kv": Refused(("a pickled dict", "not a .kv or .model of gensim")),
    "k07_old_deprecated_module.kv": five(KV),
    "k08_old_3x_layout.kv": five("gensim Word2VecKeyedVectors"),
    # fastText
    "f01_small.bin": Model(
        [
            *("the", "slow", "grow", "trees", "plum", "harbor", "lights", "lamp", "flies", "kite"),
            *("red", "a", "grows", "moss", "green"),
        ],
        "fastText .bin",
        vector=("the", [0.05518845, 0.00439893, 0.01103389, -0.0118361]),
    ),
    "f03_truncated_in_matrix.bin": Refused(("fastText .bin cut short in its matrix, at row 31 of 65",)),
    "f04_with_labels.bin": Refused(("fastText .bin with labels",)),
    # Questions are asked of these
    "q_one_word.txt": Model(["only"], TEXT, vector=("only", [1, 2, 3, 4])),
    "q_words.txt": five(TEXT, after="king|man|woman|queen|King|KING|New_York|café|2024|straße"),
    "q_near_one.txt": Model(["u", "v"], TEXT),
    "q_over_one.txt": Model(["u"], TEXT),
}
READ = {name: outcome for name, outcome in CASES.items() if isinstance(outcome, Model)}
REFUSED = {name: outcome for name, outcome in CASES.items() if isinstance(outcome, Refused)}


def test_the_table_names_every_file(cases: Path) -> None:
    of_attention_and_plots = {path.name for path in cases.glob("[ap]0*.npz")}
    assert {path.name for path in cases.iterdir()} - of_attention_and_plots - BESIDE == set(CASES)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", READ)
def test_a_file_of_vectors_is_read_and_what_is_odd_is_said(cases: Path, name: str) -> None:
    expected = READ[name]
    found = read_vectors(cases / name)
    assert found.index_to_key == expected.words
    for word in set(FIVE) & set(expected.words) if expected.vector is None else ():
        np.testing.assert_array_equal(found[word], np.float32(FIVE[word]))
    if expected.vector is not None:
        word, numbers = expected.vector
        np.testing.assert_allclose(found[word], numbers, rtol=1e-6)
    report = found.report
    assert (report.format, report.packing, report.rows) == (expected.format, expected.packing, len(expected.words))
    summary, *others = report.sentences
    assert summary.startswith(f"{name}: {len(expected.words)} word")
    said = "\n".join(others)
    assert all(part in said for part in expected.says)
    assert bool(said) == bool(expected.says)  # of a file without oddities nothing else is said


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", REFUSED)
def test_another_file_is_refused_in_one_sentence(
    cases: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlaygroundError) as raised:
        read_vectors(cases / name)
    message = str(raised.value)
    assert message.startswith(name)
    assert all(part in message for part in REFUSED[name].says)
    assert message.endswith(".")
    assert "\n" not in message
    assert not list(tmp_path.iterdir())  # what k04_runs_code.kv would make


def test_subwords_of_fasttext_give_vectors_to_words_that_are_not_listed(cases: Path) -> None:
    vectors = read_vectors(cases / "f01_small.bin")
    assert "mosses" not in vectors.key_to_index
    assert np.linalg.norm(vectors.get_vector("mosses")) > 0
