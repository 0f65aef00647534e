"""Heads compared: how sharp, how different, what each adds, and how they are computed at once."""

import numpy as np
import pytest

import playground as pg
from playground.attention.compare import (
    big_projection,
    entropy,
    head_contributions,
    head_differences,
    without_head,
)


def test_entropy_by_hand():
    rows = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4, [0.5, 0.25, 0.25, 0], [0] * 4])
    np.testing.assert_allclose(entropy(rows), [0, 1, 2, 1.5, 0])


def test_heads_differ_by_the_share_of_weight_that_they_place_elsewhere():
    looks = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]], [[1.0, 0.0], [0.5, 0.5]]])
    # heads 1 and 2 share nothing in the first row and all in the second: ½ on average
    np.testing.assert_allclose(head_differences(looks), [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])


@pytest.fixture(scope="module")
def layer() -> pg.MultiHeadAttention:
    return pg.MultiHeadAttention.random(12, 3, d_k=4, d_v=5, seed=2)


@pytest.fixture(scope="module")
def steps(layer) -> pg.MultiHeadSteps:
    return layer(np.random.default_rng(1).standard_normal((6, 12)))


def test_what_the_heads_add_is_the_whole_output(layer, steps):
    contributions = head_contributions(layer, steps)
    assert contributions.shape == (3, 6, 12)
    np.testing.assert_allclose(contributions.sum(axis=0), steps.output, atol=1e-12)


@pytest.mark.parametrize("head", range(3))
def test_a_head_taken_away_takes_its_own_part_only(layer, steps, head):
    """Against a layer whose projection W_V of that head is 0."""
    w_v = layer.w_v.copy()
    w_v[head] = 0
    silenced = pg.MultiHeadAttention(layer.w_q, layer.w_k, w_v, layer.w_o)(steps.x)
    np.testing.assert_allclose(without_head(layer, steps, head), silenced.output, atol=1e-12)
    np.testing.assert_allclose(
        steps.output - without_head(layer, steps, head), head_contributions(layer, steps)[head], atol=1e-12
    )


def test_a_head_that_is_not_there_cannot_be_taken_away(layer, steps):
    with pytest.raises(pg.PlaygroundError, match="heads 0 to 2"):
        without_head(layer, steps, 3)


def test_one_big_projection_gives_the_same_queries_as_the_small_ones(layer, steps):
    big = big_projection(steps.x, layer.w_q)
    assert big.weight.shape == (12, 12) and big.product.shape == (6, 12)
    np.testing.assert_array_equal(big.weight[:, 4:8], layer.w_q[1])
    np.testing.assert_allclose(big.heads, steps.query, atol=1e-12)
    assert big.difference < 1e-12


def test_reshaping_without_exchanging_axes_is_shown_to_be_wrong(layer, steps):
    assert big_projection(steps.x, layer.w_q).reshaped_difference > 0.1
