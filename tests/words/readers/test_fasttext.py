"""fastText's `.bin` gives the vectors that gensim gives, and is refused by name where it cannot be read."""

import gzip
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import FastText
from gensim.models.fasttext import FastTextKeyedVectors, ft_ngram_hashes, load_facebook_vectors, save_facebook_model
from gensim.test.utils import datapath

from playground.errors import PlaygroundError
from playground.words.readers import fasttext
from playground.words.readers.rows import Table
from playground.words.readers.source import open_source

HEADER = 8 + 48 + 8 + 12 + 8  # bytes before the size of the pruned list
DIMENSIONS, BUCKET, MIN_N, MAX_N, ENTRIES = 8, 40, 44, 48, 64  # where these numbers stand


def read(path: Path, limit: int | None = None) -> Table:
    source = open_source(path)
    with source.open() as stream:
        assert fasttext.is_fasttext(stream.read(1 << 16))
    return fasttext.read(source, limit, False)


def trained(path: Path, **settings: int) -> FastTextKeyedVectors:
    """Write a model with words in several scripts, and return its vectors as gensim reads them."""
    sentences = [["plum", "moss", "a", "北京", "café", "x" * 300], ["kite", "plum", "подлодка", "</s>"]] * 5
    model = FastText(sentences, vector_size=10, min_count=1, epochs=1, seed=1, **{"bucket": 200} | settings)
    save_facebook_model(model, str(path))
    return load_facebook_vectors(str(path))


def assert_equal(table: Table, vectors: FastTextKeyedVectors) -> None:
    assert table.rows.words == vectors.index_to_key
    assert np.array_equal(table.rows.matrix(), vectors.vectors)


@pytest.mark.parametrize("settings", [{}, {"min_n": 1, "max_n": 2}, {"min_n": 5, "max_n": 20}, {"sg": 1, "hs": 1}])
def test_the_vectors_of_words_are_gensims_to_the_last_bit(settings: dict[str, int], tmp_path: Path) -> None:
    vectors = trained(tmp_path / "any.bin", **settings)
    table = read(tmp_path / "any.bin")
    assert_equal(table, vectors)
    assert table.header == (len(vectors), 10)


@pytest.mark.parametrize(
    "name",
    [
        "crime-and-punishment",
        "toy-model",
        "lee_fasttext_new",
        "non_ascii_fasttext",
        "cp852_fasttext",
    ],
)
def test_files_that_fasttext_itself_wrote_are_read_as_gensim_reads_them(name: str) -> None:
    path = datapath(f"{name}.bin")
    table, vectors = read(Path(path)), load_facebook_vectors(path)
    assert_equal(table, vectors)
    assert table.subwords is not None
    assert np.array_equal(table.subwords.ngrams, vectors.vectors_ngrams)


def test_a_file_of_before_2017_has_no_mark_and_is_read(cases: Path) -> None:
    path = Path(datapath("lee_fasttext.bin"))
    assert path.read_bytes()[:4] != (cases / "f01_small.bin").read_bytes()[:4]
    assert_equal(read(path), load_facebook_vectors(str(path)))


def test_subwords_give_gensims_vector_to_a_word_not_in_the_file(cases: Path) -> None:
    subwords = read(cases / "f01_small.bin").subwords
    assert subwords is not None
    assert (subwords.min_n, subwords.max_n, subwords.bucket) == (3, 4, 50)
    pieces = ft_ngram_hashes("mosses", subwords.min_n, subwords.max_n, subwords.bucket)
    vectors = load_facebook_vectors(str(cases / "f01_small.bin"))
    assert np.allclose(subwords.ngrams[pieces].mean(axis=0), vectors["mosses"], atol=1e-7)


def test_words_that_are_no_utf_8_stay_distinct_and_are_named(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "f01_small.bin").read_bytes()
    path = write(content.replace(b"plum\0", b"pl\xe9m\0").replace(b"kite\0", b"k\xe8te\0"), "any.bin")
    table = read(path)
    assert {r"pl\xe9m", r"k\xe8te"} < set(table.rows.words)
    assert table.rows.repaired == 2
    assert_equal(table, load_facebook_vectors(str(path)))


def test_a_limit_is_for_words_and_leaves_the_subwords_whole(cases: Path) -> None:
    whole, part = read(cases / "f01_small.bin"), read(cases / "f01_small.bin", limit=3)
    assert part.rows.words == whole.rows.words[:3]
    assert part.rows.stopped
    assert np.array_equal(part.rows.matrix(), whole.rows.matrix()[:3])
    assert part.subwords is not None
    assert len(part.subwords.ngrams) == 50


def test_a_packed_file_is_read(cases: Path, write: Callable[..., Path]) -> None:
    packed = write(gzip.compress((cases / "f01_small.bin").read_bytes()), "any.bin.gz")
    assert_equal(read(packed), load_facebook_vectors(str(cases / "f01_small.bin")))


def test_a_model_of_whole_words_has_no_subwords(tmp_path: Path) -> None:
    vectors = trained(tmp_path / "any.bin", bucket=0, max_n=0)
    table = read(tmp_path / "any.bin")
    assert_equal(table, vectors)
    assert table.subwords is None


def test_numbers_that_are_not_finite_leave_out_the_words_that_they_reach(
    cases: Path, write: Callable[..., Path]
) -> None:
    content = bytearray((cases / "f01_small.bin").read_bytes())
    first = matrix_start(content)
    content[first : first + 4] = struct.pack("<f", float("inf"))  # in the row of the first word
    table = read(write(bytes(content), "any.bin"))
    assert table.rows.left_out == {"not finite": 1}
    assert "the" not in table.rows.words


def test_a_model_with_labels_is_refused_as_one(cases: Path) -> None:
    for path in (cases / "f04_with_labels.bin", Path(datapath("pang_lee_polarity_fasttext.bin"))):
        with pytest.raises(PlaygroundError, match=rf"^{path.name} is a fastText \.bin with labels"):
            read(path)


def matrix_start(content: bytes | bytearray) -> int:
    return content.index(struct.pack("<2q", 65, 4)) + 16


def quantised(content: bytes) -> bytes:
    """Return a model with the mark before its matrix that says that it is quantised."""
    mark = matrix_start(content) - 17
    return content[:mark] + b"\x01" + content[mark + 1 :]


def test_a_quantised_model_is_refused_as_one(cases: Path, write: Callable[..., Path]) -> None:
    with pytest.raises(PlaygroundError, match=r"is a quantised fastText model \(\.ftz\): its vectors"):
        read(write(quantised((cases / "f01_small.bin").read_bytes()), "any.ftz"))
    with pytest.raises(PlaygroundError, match=r"is a quantised fastText model \(\.ftz\) with labels"):
        read(write(quantised((cases / "f04_with_labels.bin").read_bytes()), "any.ftz"))


def test_a_model_with_pruned_subwords_is_refused_as_one(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "f01_small.bin").read_bytes()
    pruned = content[:HEADER] + struct.pack("<q", 7) + content[HEADER + 8 :]
    with pytest.raises(PlaygroundError, match=r"whose subwords are pruned to 7"):
        read(write(pruned, "any.bin"))


def test_a_file_cut_short_is_refused_with_the_place(cases: Path, write: Callable[..., Path]) -> None:
    with pytest.raises(PlaygroundError, match=r"cut short in its matrix, at row 31 of 65"):
        read(cases / "f03_truncated_in_matrix.bin")
    content = (cases / "f01_small.bin").read_bytes()
    with pytest.raises(PlaygroundError, match=r"cut short in its dictionary, at word 2 of 15"):
        read(write(content[: content.index(b"slow") + 2], "any.bin"))
    with pytest.raises(PlaygroundError, match=r"cut short in its header"):
        read(write(content[:50], "any.bin"))


def test_every_file_that_ends_before_its_matrix_does_is_refused(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "f01_small.bin").read_bytes()
    end = matrix_start(content) + 65 * 4 * 4
    assert read(write(content[:end], "any.bin")).rows.words  # what follows is only needed to train on
    for length in range(8, end, 5):
        with pytest.raises(PlaygroundError, match="cut short"):
            read(write(content[:length], "any.bin"))


@pytest.mark.parametrize(
    ("place", "number"),
    [
        (DIMENSIONS, 2**31 - 1),
        (DIMENSIONS, -1),
        (DIMENSIONS, 0),
        (BUCKET, 2**31 - 1),
        (BUCKET, -5),
        (MAX_N, 2**31 - 1),
        (MIN_N, -2),
        (ENTRIES, 2**31 - 1),
    ],
)
def test_a_header_never_decides_on_memory(place: int, number: int, cases: Path, write: Callable[..., Path]) -> None:
    content = bytearray((cases / "f01_small.bin").read_bytes())
    content[place : place + 4] = struct.pack("<i", number)
    path = write(bytes(content), "any.bin")
    tracemalloc.start()
    try:
        with pytest.raises(PlaygroundError, match=r"^any\.bin is a .*fastText \.bin"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_a_word_without_an_end_is_refused(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "f01_small.bin").read_bytes()
    begins = content.index(b"slow\0")
    with pytest.raises(PlaygroundError, match=r"word 2 has more than 10,000 bytes"):
        read(write(content[:begins] + b"x" * 3_000_000 + content[begins:], "any.bin"))


def test_another_version_is_refused_by_its_number(cases: Path, write: Callable[..., Path]) -> None:
    content = (cases / "f01_small.bin").read_bytes()
    with pytest.raises(PlaygroundError, match=r"is a fastText \.bin of version 99"):
        read(write(content[:4] + struct.pack("<i", 99) + content[8:], "any.bin"))


@pytest.mark.parametrize(
    "name", ["plain.vec", "plain_glove.txt", "b01_newlines.bin", "k01_native.kv", "q_one_word.txt"]
)
def test_other_files_are_not_taken_for_fasttexts(name: str, cases: Path) -> None:
    assert not fasttext.is_fasttext((cases / name).read_bytes())
