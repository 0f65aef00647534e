"""Sinusoidal positions: values from the paper's formula, any width, both layouts."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import playground as pg


def test_values_are_those_of_the_formula_by_hand() -> None:
    # d_model = 4: pair 0 turns by 1 a position, pair 1 by 1/10000^(2/4) = 0.01
    expected = [
        [0, 1, 0, 1],
        [0.841471, 0.540302, 0.0099998, 0.99995],  # sin 1, cos 1, sin 0.01, cos 0.01
        [0.909297, -0.416147, 0.0199987, 0.9998],  # sin 2, cos 2, sin 0.02, cos 0.02
    ]
    np.testing.assert_allclose(pg.sinusoidal_positions(3, 4), expected, atol=5e-7)


def test_a_sine_and_its_cosine_share_one_exponent() -> None:
    # Reported wrong elsewhere as .909 .909 .093 .9998: an exponent of its own for each column.
    np.testing.assert_allclose(pg.sinusoidal_positions(3, 6)[2, :4], [0.909, -0.416, 0.093, 0.996], atol=5e-4)


def test_an_odd_width_leaves_the_last_pair_without_its_cosine(case: Callable) -> None:
    asked = case("a06_position")
    positions = pg.sinusoidal_positions(int(asked["n"]), int(asked["d"]))
    assert positions.shape == (4, 5)
    for i in range(4):
        slow, slowest = i / 10_000 ** (2 / 5), i / 10_000 ** (4 / 5)
        by_formula = [math.sin(i), math.cos(i), math.sin(slow), math.cos(slow), math.sin(slowest)]
        np.testing.assert_allclose(positions[i], by_formula, atol=1e-14)


@pytest.mark.parametrize("d_model", [1, 2, 3, 100, 101])
def test_any_width_is_possible(d_model: int) -> None:
    positions = pg.sinusoidal_positions(6, d_model)
    assert positions.shape == (6, d_model)
    assert np.abs(positions).max() <= 1
    np.testing.assert_allclose(positions[:, 0], np.sin(np.arange(6)))
    pairs = positions[:, : d_model // 2 * 2].reshape(6, -1, 2)
    np.testing.assert_allclose((pairs**2).sum(axis=-1), 1)


def test_the_concatenated_layout_has_the_same_columns_in_another_order() -> None:
    interleaved = pg.sinusoidal_positions(9, 7)
    concatenated = pg.sinusoidal_positions(9, 7, layout="concatenated")
    np.testing.assert_array_equal(concatenated, interleaved[:, [0, 2, 4, 6, 1, 3, 5]])


def test_the_base_sets_the_slowest_speed() -> None:
    # base 100, d_model = 4: pair 1 turns by 1/100^(2/4) = 0.1
    np.testing.assert_allclose(pg.sinusoidal_positions(2, 4, base=100)[1, 2:], [math.sin(0.1), math.cos(0.1)])


def test_the_first_position_can_be_any() -> None:
    np.testing.assert_array_equal(pg.sinusoidal_positions(3, 8, start=5), pg.sinusoidal_positions(8, 8)[5:])
    assert pg.sinusoidal_positions(0, 8).shape == (0, 8)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_the_product_of_two_positions_depends_on_their_distance_alone(layout: str) -> None:
    positions = pg.sinusoidal_positions(40, 32, layout=layout)
    products = positions @ positions.T
    for distance in range(40):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], atol=1e-12)
    np.testing.assert_allclose(np.diagonal(products), 16)  # sin² + cos² = 1 for each of 16 pairs
    assert products[0, 1] < 16


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"n": -1}, "n must be a whole number of at least 0, not -1"),
        ({"n": 2.0}, "n must be a whole number"),
        ({"d_model": 0}, "d_model must be a whole number of at least 1"),
        ({"d_model": True}, "d_model must be a whole number"),
        ({"start": -3}, "start must be a whole number"),
        ({"base": 1}, "base must be greater than 1"),
        ({"base": float("nan")}, "base must be greater than 1"),
        ({"layout": "mixed"}, "interleaved or concatenated, not 'mixed'"),
    ],
)
def test_what_makes_no_positions_is_refused(arguments: dict, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.sinusoidal_positions(**{"n": 3, "d_model": 4, **arguments})
