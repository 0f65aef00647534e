"""Why an analogy has its answer: rank and margin of the expected word, contributions, the true angle."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg

FORMULA = "king - man + woman"


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
@pytest.mark.parametrize("limit", [None, 30_000])
def test_the_expected_word_has_the_rank_it_has_in_the_list(glove: KeyedVectors, method: str, limit: int | None) -> None:
    found = pg.analogy(glove, FORMULA, topn=500, method=method, restrict_vocab=limit)
    best, second = found.answers[:2]
    for place in (0, 1, 7, 499):
        answer = found.answers[place]
        expected = pg.rank_of(glove, found, answer.word)
        rival = second if place == 0 else best
        assert (expected.word, expected.rank) == (answer.word, place + 1)
        assert expected.similarity == pytest.approx(answer.similarity, abs=1e-6)
        assert expected.margin == pytest.approx(answer.similarity - rival.similarity, abs=1e-6)


def test_queen_wins_and_princess_loses_by_their_margins(glove: KeyedVectors) -> None:
    found = pg.analogy(glove, FORMULA)
    assert pg.rank_of(glove, found, "Queen").margin > 0
    assert pg.rank_of(glove, found, "princess").margin < 0


def test_an_expected_word_that_is_not_allowed_has_no_rank(glove: KeyedVectors) -> None:
    found = pg.analogy(glove, FORMULA)
    expected = pg.rank_of(glove, found, "king")
    assert expected.rank is None and expected.margin > 0  # the input would have won, as gensim shows below
    assert expected.similarity == pytest.approx(
        glove.cosine_similarities(glove.get_mean_vector(["king", "man", "woman"], [1, -1, 1]), [glove["king"]])[0],
        abs=1e-6,
    )
    allowed = pg.analogy(glove, FORMULA, exclude_inputs=False)
    assert pg.rank_of(glove, allowed, "king").rank == 1
    rare = pg.analogy(glove, FORMULA, restrict_vocab=1_000)
    assert pg.rank_of(glove, rare, "bitcoin").rank is None


def test_a_lonely_word_has_no_margin() -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b", "c"], np.float32([[1, 0], [0, 1], [1, 1]]))
    expected = pg.rank_of(vectors, pg.analogy(vectors, "a + b"), "c")
    assert (expected.rank, expected.similarity, expected.margin) == (1, pytest.approx(1), None)


@pytest.mark.parametrize("word", ["qqqq", "", "the king of spain", "x" * 10_000])
def test_what_is_no_word_of_the_vocabulary_has_no_rank(glove: KeyedVectors, word: str) -> None:
    with pytest.raises(pg.PlaygroundError):
        pg.rank_of(glove, pg.analogy(glove, FORMULA), word)


@pytest.mark.parametrize(
    "formula", [FORMULA, "2 * king - 1.5 * man + .5 * woman", "paris", "-man", '"New York City" - usa + uk']
)
@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_the_terms_add_up_to_the_cosine(glove: KeyedVectors, formula: str, method: str) -> None:
    found = pg.analogy(glove, formula, method=method)
    parts = pg.contributions(glove, found)
    assert parts.word == found.answers[0].word
    assert parts.parts.shape == parts.cosines.shape == parts.factors.shape == (len(found.terms),)
    cosine = found.vector @ glove[parts.word] / np.linalg.norm(found.vector) / np.linalg.norm(glove[parts.word])
    assert parts.cosine == pytest.approx(cosine, abs=1e-6)
    assert sum(parts.parts) == pytest.approx(cosine, abs=1e-6)
    if method == "3cosadd":
        assert parts.cosine == pytest.approx(found.answers[0].similarity, abs=1e-6)


def test_contributions_by_hand() -> None:
    # unit vectors (0.8, 0.6) - (0.6, 0.8) = (0.2, -0.2); with c (1, 0) the cosines are 0.8 and 0.6
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b", "c"], np.float32([[0.8, 0.6], [6, 8], [5, 0]]))
    parts = pg.contributions(vectors, pg.analogy(vectors, "a - b"), "c")
    length = np.sqrt(0.08)
    assert parts.length == pytest.approx(length)
    np.testing.assert_allclose(parts.cosines, [0.8, 0.6], atol=1e-7)
    np.testing.assert_allclose(parts.parts, [0.8 / length, -0.6 / length], atol=1e-6)
    assert parts.cosine == pytest.approx(0.2 / length)


def test_nothing_explains_an_answer_that_does_not_exist(glove: KeyedVectors) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b"], np.float32([[1, 0], [0, 1]]))
    with pytest.raises(pg.PlaygroundError, match="no answer"):
        pg.contributions(vectors, pg.analogy(vectors, "a + b"))
    with pytest.raises(pg.PlaygroundError, match="I do not know"):
        pg.contributions(glove, pg.analogy(glove, FORMULA), "qqqq")


def test_the_angle_of_a_parallelogram_by_hand() -> None:
    vectors = KeyedVectors(3)
    rows = [[1, 0, 0], [0, 2, 0], [1, 0, 0.0], [0, 0, 1], [-1, 0, 0]]
    vectors.add_vectors(["a", "b", "c", "d", "e"], np.float32(rows))
    found = pg.parallelogram(vectors, "a", "b", "c", "d")  # (-1, 1, 0) and (-1, 0, 1): cosine 1/2
    assert (found.cosine, found.angle) == (pytest.approx(0.5), pytest.approx(60))
    assert found.lengths == (pytest.approx(np.sqrt(2)), pytest.approx(np.sqrt(2)))
    assert pg.parallelogram(vectors, "a", "b", "a", "b").angle == pytest.approx(0, abs=1e-5)
    assert pg.parallelogram(vectors, "a", "b", "b", "a").angle == pytest.approx(180, abs=1e-5)
    assert pg.parallelogram(vectors, "a", "e", "a", "b").lengths[0] == pytest.approx(2)


def test_the_famous_parallelogram_is_none(glove: KeyedVectors) -> None:
    found = pg.parallelogram(glove, "man", "king", "woman", "queen")
    units = {word: glove.get_vector(word, norm=True) for word in found.words}
    first, second = units["king"] - units["man"], units["queen"] - units["woman"]
    cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    assert found.angle == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-3)
    assert 20 < found.angle < 70  # the differences go the same way, and are far from parallel


def test_a_difference_needs_two_words(glove: KeyedVectors) -> None:
    for words in (("king", "king", "man", "boy"), ("man", "boy", "King", "king")):
        with pytest.raises(pg.PlaygroundError, match="point the same way"):
            pg.parallelogram(glove, *words)
    with pytest.raises(pg.PlaygroundError, match="I do not know 'qqqq'"):
        pg.parallelogram(glove, "king", "qqqq", "man", "boy")
