"""Cosines and neighbours: gensim's own numbers, and what has no direction left out."""

from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg


@pytest.fixture
def with_gaps(cases: Path) -> KeyedVectors:
    """Vectors as gensim loads them: five words, then a zero, a NaN and one too long for float32."""
    return KeyedVectors.load_word2vec_format(str(cases / "q_zero_and_nan.txt"))


@pytest.mark.parametrize("word", ["king", "apple", "the", "bitcoin", "u.s."])
def test_neighbours_are_those_of_gensim(glove: KeyedVectors, word: str) -> None:
    ours, theirs = pg.neighbors(glove, word, topn=50), glove.most_similar(word, topn=50)
    assert [one.word for one in ours] == [word for word, _ in theirs]
    np.testing.assert_allclose([one.similarity for one in ours], [cosine for _, cosine in theirs], atol=1e-6)


def test_neighbours_of_a_vector_are_those_of_gensim(glove: KeyedVectors) -> None:
    vector = glove["king"] + glove["queen"]
    ours, theirs = pg.neighbors(glove, vector, topn=5), glove.similar_by_vector(vector, topn=5)
    assert [one.word for one in ours] == [word for word, _ in theirs]
    assert {"king", "queen"} <= {one.word for one in ours}  # a vector has no word of its own to leave out


def test_only_the_frequent_words_are_ranked_on_demand(glove: KeyedVectors) -> None:
    ours = pg.neighbors(glove, "bitcoin", topn=5, restrict_vocab=3000)
    theirs = glove.most_similar("bitcoin", topn=5, restrict_vocab=3000)
    assert [one.word for one in ours] == [word for word, _ in theirs]
    assert all(glove.key_to_index[one.word] < 3000 for one in ours)
    with pytest.raises(pg.PlaygroundError, match="restrict_vocab must be a whole number of at least 1, not 0"):
        pg.neighbors(glove, "king", restrict_vocab=0)


def test_cosines_by_hand(cased: KeyedVectors) -> None:
    # plum (.9 .1 .2 0) and moss (.1 .8 -.3 .2): product .11, lengths √.86 and √.78
    assert pg.similarity(cased, "plum", "moss") == pytest.approx(0.11 / np.sqrt(0.86 * 0.78), abs=1e-6)
    assert pg.similarity(cased, "plum", -3 * cased["plum"]) == -1


def test_the_matrix_holds_the_cosine_of_each_pair(glove: KeyedVectors) -> None:
    words = ["king", "queen", "apple", "King"]
    matrix = pg.similarity_matrix(glove, words)
    expected = [[glove.similarity(a.lower(), b.lower()) for b in words] for a in words]
    np.testing.assert_allclose(matrix, expected, atol=1e-6)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(np.diagonal(matrix), 1)


@pytest.mark.parametrize(
    ("words", "told"),
    [([], "no words"), (["king", "qqqq"], "I do not know 'qqqq'"), ("king", "takes a list of words")],
)
def test_a_matrix_of_nothing_and_of_unknown_words_is_refused(glove: KeyedVectors, words: list[str], told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.similarity_matrix(glove, words)


def test_a_cosine_never_leaves_its_range(glove: KeyedVectors, cases: Path) -> None:
    rows = glove.vectors[:300]
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert (units @ units.T).max() > 1  # what plain float32 arithmetic makes of a word and itself
    assert pg.similarity_matrix(glove, glove.index_to_key[:300]).max() == 1
    for row in rows[:40]:
        assert pg.neighbors(glove, row, topn=1)[0].similarity <= 1
    over_one = pg.load(cases / "q_over_one.txt")
    assert pg.similarity(over_one, "u", "u") == 1
    assert pg.similarity(over_one, "u", -over_one["u"]) == -1
    assert [one.similarity for one in pg.neighbors(over_one, over_one["u"])] == [1]


@pytest.mark.parametrize("topn", [0, -3, True, False, None, "3", 2.0])
def test_how_many_must_be_a_whole_number_of_at_least_one(cased: KeyedVectors, topn: object) -> None:
    with pytest.raises(pg.PlaygroundError, match="topn must be a whole number of at least 1"):
        pg.neighbors(cased, "plum", topn=topn)


def test_more_than_there_are_gives_all_others(cased: KeyedVectors, cases: Path) -> None:
    found = pg.neighbors(cased, "plum", topn=1000)
    assert sorted(one.word for one in found) == sorted(set(cased.index_to_key) - {"plum"})
    assert [one.similarity for one in found] == sorted((one.similarity for one in found), reverse=True)
    assert len(pg.neighbors(cased, "plum", topn=np.int64(2))) == 2
    assert pg.neighbors(pg.load(cases / "q_one_word.txt"), "only") == []


def test_equal_cosines_come_in_order_of_frequency() -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["far", "b", "a", "c"], np.float32([[0, 1], [2, 0], [1, 0], [4, 0]]))
    assert [one.word for one in pg.neighbors(vectors, np.array([1, 0]), topn=2)] == ["b", "a"]


@pytest.mark.filterwarnings("error")
def test_words_without_a_direction_are_never_ranked(with_gaps: KeyedVectors) -> None:
    found = pg.neighbors(with_gaps, "plum", topn=100)
    assert {one.word for one in found} == {"moss", "kite", "lamp", "harbor"}
    assert np.isfinite([one.similarity for one in found]).all()
    for word in ("void", "broken"):
        with pytest.raises(pg.PlaygroundError, match=f"'{word}' is zero or not finite"):
            pg.neighbors(with_gaps, word)
        with pytest.raises(pg.PlaygroundError, match="no direction"):
            pg.similarity(with_gaps, "plum", word)


def test_excluded_words_do_not_come_back(glove: KeyedVectors) -> None:
    first = [one.word for one in pg.neighbors(glove, "king", topn=3)]
    assert first == ["prince", "queen", "son"]
    assert [one.word for one in pg.neighbors(glove, "king", topn=1, exclude=["prince", "no such word"])] == ["queen"]
    assert [one.word for one in pg.neighbors(glove, "king", topn=1, exclude="prince")] == ["queen"]


def test_the_words_of_a_phrase_are_not_their_own_neighbours(glove: KeyedVectors) -> None:
    found = pg.neighbors(glove, "New York City", topn=20)
    assert not {"new", "york", "city"} & {one.word for one in found}
