"""Cosines and neighbours: gensim's own numbers, and what has no direction left out."""

from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg
from playground.words.neighbors import rank
from playground.words.store import keyed_vectors


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


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1000, 6417])
@pytest.mark.parametrize("topn", [1, 10, 500])
def test_the_highest_scores_are_found_wherever_they_stand(size: int, topn: int) -> None:
    random = np.random.default_rng(size)
    vectors = keyed_vectors([f"w{row}" for row in range(size)], np.ones((size, 2), np.float32))
    for scores in (
        random.standard_normal(size),
        random.integers(0, 4, size) / 4,  # many are equal
        np.sort(random.standard_normal(size)),
        np.where(random.random(size) < 0.9, np.nan, random.standard_normal(size)),  # few have a direction
        np.full(size, np.nan),
    ):
        by_score = sorted(
            (row for row in range(size) if not np.isnan(scores[row])), key=lambda row: (-scores[row], row)
        )
        left_out = by_score[:20:3]
        for exclude in ([], left_out):
            wanted = [row for row in by_score if row not in exclude][:topn]
            found = rank(vectors, scores, topn, [f"w{row}" for row in exclude])
            assert [(one.frequency_rank - 1, one.similarity) for one in found] == [(row, scores[row]) for row in wanted]


def test_scores_that_are_ranked_stay_as_they_are() -> None:
    vectors = keyed_vectors(["a", "b", "c"], np.eye(3, 2, dtype=np.float32) + 1)
    scores = np.array([0.5, np.nan, 0.7])
    rank(vectors, scores, 1, ["c"])
    np.testing.assert_array_equal(scores, [0.5, np.nan, 0.7])


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
