"""How far a picture can be believed: shares of kept neighbours that can be counted by hand."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg

DEGREES = (0, 10, 25, 45, 70)  # the nearest of each is the one before it, of the first the second


def on_a_circle(degrees: tuple[float, ...]) -> np.ndarray:
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], axis=1)


def on_a_line(*places: float) -> np.ndarray:
    return np.stack([np.array(places, dtype=float), np.zeros(len(places))], axis=1)


def test_a_true_picture_keeps_all_neighbours() -> None:
    found = pg.distortion(on_a_circle(DEGREES), on_a_line(*DEGREES), k=2)
    np.testing.assert_array_equal(found.kept, np.ones(5))
    assert found.mean == 1 and found.k == 2


def test_a_picture_with_two_words_exchanged_loses_theirs() -> None:
    found = pg.distortion(on_a_circle(DEGREES), on_a_line(70, 10, 25, 45, 0), k=1)
    # in the picture the nearest are: 0 → 3, 1 → 4, 2 → 1, 3 → 2, 4 → 1
    np.testing.assert_array_equal(found.neighbors, [[1], [0], [1], [2], [3]])
    np.testing.assert_array_equal(found.kept, [0, 0, 1, 1, 0])
    assert found.mean == pytest.approx(0.4)


def test_half_of_the_neighbours_may_be_kept() -> None:
    # by cosine 0 has 1 and 2; in the picture 1 and 4
    found = pg.distortion(on_a_circle(DEGREES), on_a_line(0, 1, 5, 6, 2), k=2)
    assert found.kept[0] == 0.5


def test_neighbours_are_by_cosine_and_the_nearest_first() -> None:
    vectors = on_a_circle(DEGREES) * [[1], [100], [3], [0.01], [7]]
    found = pg.distortion(vectors, on_a_line(*DEGREES), k=2)
    np.testing.assert_array_equal(found.neighbors[2], [1, 3])
    np.testing.assert_allclose(found.cosines[2], np.cos(np.radians([15, 20])))


def test_true_neighbours_of_real_words_are_those_of_gensim(glove: KeyedVectors) -> None:
    words = [one.word for one in pg.neighbors(glove, "king", topn=200)]
    matrix = glove[words]
    found = pg.distortion(matrix, pg.project(matrix).points, k=5)
    for row in (0, 50, 199):
        cosines = glove.cosine_similarities(matrix[row], matrix)
        cosines[row] = -1
        assert set(found.neighbors[row]) == set(np.argsort(-cosines)[:5])
    assert found.kept.shape == (200,) and 5 / 199 < found.mean < 1
    flat, deep = (pg.distortion(matrix, pg.project(matrix, dims=dims).points).mean for dims in (1, 3))
    assert flat < deep  # one more dimension to draw in tells less untruth


def test_two_thousand_words_are_measured(glove: KeyedVectors) -> None:
    matrix = glove.vectors[:2000]
    found = pg.distortion(matrix, pg.project(matrix).points)
    assert found.neighbors.shape == (2000, 10)
    assert not (found.neighbors == np.arange(2000)[:, None]).any()  # no word is its own neighbour
    assert set(np.unique(np.round(found.kept * 10))) <= set(range(11))


def test_few_words_have_few_neighbours() -> None:
    # with k = n - 1 all would be kept, whatever the picture
    assert pg.distortion(on_a_circle(DEGREES), on_a_line(*DEGREES), k=50).k == 2
    assert pg.distortion(on_a_circle((0, 10, 30)), on_a_line(0, 3, 1), k=50).k == 1


def test_words_in_one_place_are_no_error() -> None:
    found = pg.distortion(np.ones((6, 3)), np.zeros((6, 2)))
    assert np.isfinite(found.kept).all() and found.cosines.max() <= 1


@pytest.mark.parametrize(
    ("matrix", "points", "k", "told"),
    [
        (np.ones((2, 3)), np.ones((2, 2)), 1, "at least three words, and here are 2"),
        (np.ones((4, 3)), np.ones((3, 2)), 1, "one point a word"),
        (np.ones(4), np.ones((4, 2)), 1, "one point a word"),
        (np.array([[1, 1], [0, 0], [1, 2]]), np.ones((3, 2)), 1, "Row 2 of 3 is zero or not finite"),
        (np.array([[1, 1], [1, 0], [1, np.nan]]), np.ones((3, 2)), 1, "Row 3 of 3 is zero or not finite"),
        (np.ones((3, 2)), np.full((3, 2), np.inf), 1, "Row 1 of 3"),
        (np.ones((4, 2)), np.ones((4, 2)), 0, "k must be a whole number of at least 1, not 0"),
        (np.ones((4, 2)), np.ones((4, 2)), True, "not True"),
    ],
)
def test_what_has_no_neighbourhood_is_refused(matrix: np.ndarray, points: np.ndarray, k: int, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.distortion(matrix, points, k=k)
