"""Axes of meaning: directions and residuals that can be worked out by hand."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg


@pytest.fixture(scope="module")
def toy() -> KeyedVectors:
    """Words in three dimensions: poor and rich along x, small and big along y, the rest where it is wanted."""
    words = {
        "poor": (-1, 0, 0),
        "rich": (1, 0, 0),
        "small": (0, -1, 0),
        "big": (0, 1, 0),
        "villa": (3, 4, 0),
        "ghost": (0, 0, 5),
        "house": (1, 1, 1),
        "poor2": (-2, 0, 0),
        "beggar": (-1, 1, 0),
    }
    vectors = KeyedVectors(3)
    vectors.add_vectors(list(words), np.float32(list(words.values())))
    return vectors


def test_one_pair_gives_its_own_direction(toy: KeyedVectors) -> None:
    wealth = pg.axis(toy, [("poor", "rich")])
    np.testing.assert_allclose(wealth.direction, [1, 0, 0])
    assert (wealth.low, wealth.high) == ("poor", "rich")
    np.testing.assert_allclose(wealth.agreement, [1])


def test_several_pairs_give_their_mean(toy: KeyedVectors) -> None:
    # (2, 0, 0) and (0, 2, 0) have the mean (1, 1, 0): each lies at 45 degrees to it
    both = pg.axis(toy, [("poor", "rich"), ("small", "big")], low="less", high="more")
    np.testing.assert_allclose(both.direction, [np.sqrt(0.5), np.sqrt(0.5), 0])
    np.testing.assert_allclose(both.agreement, [np.sqrt(0.5)] * 2)
    assert (both.low, both.high) == ("less", "more")
    assert both.pairs == (("poor", "rich"), ("small", "big"))


def test_a_pair_that_points_the_other_way_disagrees(toy: KeyedVectors) -> None:
    mixed = pg.axis(toy, [("poor", "rich"), ("poor2", "rich"), ("rich", "poor")])
    np.testing.assert_allclose(mixed.agreement, [1, 1, -1])


def test_one_axis_holds_the_cosine_and_leaves_the_rest(toy: KeyedVectors) -> None:
    found = pg.place(toy, ["villa", "poor", "ghost", "villa"], pg.axis(toy, [("poor", "rich")]))
    np.testing.assert_allclose(found.points, [[0.6], [-1], [0], [0.6]], atol=1e-7)
    np.testing.assert_allclose(found.residual, [0.64, 0, 1, 0.64], atol=1e-7)  # 1 - 0.6²
    assert found.angle is None and found.words == ("villa", "poor", "ghost", "villa")


def test_two_axes_at_right_angles_hold_a_plane(toy: KeyedVectors) -> None:
    axes = [pg.axis(toy, [("poor", "rich")]), pg.axis(toy, [("small", "big")])]
    found = pg.place(toy, ["villa", "house", "ghost"], axes)
    np.testing.assert_allclose(found.points, [[0.6, 0.8], [3**-0.5, 3**-0.5], [0, 0]], atol=1e-7)
    np.testing.assert_allclose(found.residual, [0, 1 / 3, 1], atol=1e-7)
    assert found.angle == pytest.approx(90)


def test_two_slanted_axes_hold_the_same_plane(toy: KeyedVectors) -> None:
    # the second axis runs from beggar (-1, 1) / √2 to rich (1, 0): what they leave out is still z alone
    axes = [pg.axis(toy, [("poor", "rich")]), pg.axis(toy, [("beggar", "rich")])]
    found = pg.place(toy, ["villa", "house", "ghost"], axes)
    np.testing.assert_allclose(found.residual, [0, 1 / 3, 1], atol=1e-7)
    assert found.angle == pytest.approx(22.5)
    np.testing.assert_allclose(found.points[0], [0.6, 0.6 * np.cos(np.pi / 8) - 0.8 * np.sin(np.pi / 8)], atol=1e-7)


def test_the_same_axis_twice_holds_no_more_than_once(toy: KeyedVectors) -> None:
    wealth = pg.axis(toy, [("poor", "rich")])
    once, twice = pg.place(toy, ["villa", "house"], wealth), pg.place(toy, ["villa", "house"], [wealth, wealth])
    np.testing.assert_allclose(twice.residual, once.residual, atol=1e-7)
    assert twice.angle == 0


def test_real_words_lie_on_their_sides(glove: KeyedVectors) -> None:
    gender = pg.axis(glove, [("man", "woman"), ("he", "she"), ("father", "mother"), ("King", "Queen")])
    found = pg.place(glove, ["actor", "actress", "uncle", "aunt"], gender)
    actor, actress, uncle, aunt = found.points[:, 0]
    assert actor < actress and uncle < aunt
    assert (gender.agreement > 0.5).all()
    assert ((found.residual > 0) & (found.residual < 1)).all()


def test_five_thousand_words_are_placed(glove: KeyedVectors) -> None:
    axes = [pg.axis(glove, [("man", "woman")]), pg.axis(glove, [("poor", "rich")])]
    found = pg.place(glove, glove.index_to_key[:5000], axes)
    assert found.points.shape == (5000, 2) and found.residual.shape == (5000,)
    assert np.abs(found.points).max() <= 1


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ([], "at least one pair"),
        ([("poor", "poor")], "'poor' and 'poor' point the same way"),
        ([("poor", "rich"), ("poor", "poor2")], "'poor' and 'poor2' point the same way"),
        ([("poor", "POOR")], "point the same way"),
        ([("poor", "rich"), ("rich", "poor")], "cancel each other"),
        ([("poor",)], "A pair is two words"),
        ([("poor", "rich", "big")], "A pair is two words"),
        (["ab"], None),
        (["poor"], "A pair is two words"),
        ([("poor", 3)], "A pair is two words"),
        ([("poor", "qqqq")], "I do not know 'qqqq'"),
        ([("poor", " ")], "The word is empty"),
        ([("poor", "x" * 10_000)], "I do not know 'xxx"),
    ],
)
def test_pairs_that_give_no_direction_are_refused(toy: KeyedVectors, pairs: list, told: str | None) -> None:
    with pytest.raises(pg.PlaygroundError, match=told) as caught:
        pg.axis(toy, pairs)
    assert len(str(caught.value)) < 300


def test_words_need_axes_of_their_own_vectors(toy: KeyedVectors, glove: KeyedVectors) -> None:
    wealth = pg.axis(toy, [("poor", "rich")])
    for axes, told in (([], "not 0"), ([wealth] * 3, "not 3")):
        with pytest.raises(pg.PlaygroundError, match=told):
            pg.place(toy, ["villa"], axes)
    with pytest.raises(pg.PlaygroundError, match="make it anew"):
        pg.place(glove, ["villa"], wealth)
    for words in ([], "villa"):
        with pytest.raises(pg.PlaygroundError, match="no words to place"):
            pg.place(toy, words, wealth)
    with pytest.raises(pg.PlaygroundError, match=r"I do not know 'vila'.*villa"):
        pg.place(toy, ["vila"], wealth)
