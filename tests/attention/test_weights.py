"""Where projections come from: the identity, or chance."""

import numpy as np
import pytest

import playground as pg


def test_identity_heads_read_neighbouring_columns() -> None:
    layer = pg.MultiHeadAttention.identity(5, 2)  # 2 · 3 columns: the last one is filled up with zeros
    assert (layer.num_heads, layer.d_model, layer.d_k, layer.d_v) == (2, 5, 3, 3)
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    for projection in (layer.w_q, layer.w_k, layer.w_v):
        np.testing.assert_array_equal(x @ projection, [[1, 2, 3], [4, 5, 0]])
    np.testing.assert_array_equal(np.array([1, 2, 3, 4, 5, 0]) @ layer.w_o, x)


def test_random_projections_keep_the_size_of_their_input() -> None:
    layer = pg.MultiHeadAttention.random(400, 4, seed=1)
    assert layer.w_q.shape == (4, 400, 100)
    assert layer.w_q.dtype == np.float32
    for projection in (layer.w_q, layer.w_k, layer.w_v, layer.w_o):
        # variance 1/400: the standard error of the estimated deviation is below 0.2 % of it
        assert projection.std() == pytest.approx(1 / 20, rel=0.01)
        assert abs(projection.mean()) < 0.001


def test_random_projections_are_four_different_ones() -> None:
    layer = pg.MultiHeadAttention.random(6, 1, seed=0)
    drawn = [layer.w_q[0], layer.w_k[0], layer.w_v[0], layer.w_o]
    assert len({matrix.tobytes() for matrix in drawn}) == 4


def test_a_seed_fixes_the_projections() -> None:
    first, again, other = (pg.MultiHeadAttention.random(6, 2, seed=seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first.w_o, again.w_o)
    assert not np.array_equal(first.w_q, other.w_q)


@pytest.mark.parametrize(
    ("heads", "d_k", "d_v", "shapes"),
    [
        (3, None, None, ((3, 10, 4), (3, 10, 4), (12, 10))),  # 10 / 3, rounded up
        (2, 7, None, ((2, 10, 7), (2, 10, 7), (14, 10))),
        (2, 7, 3, ((2, 10, 7), (2, 10, 3), (6, 10))),
        (40, None, None, ((40, 10, 1), (40, 10, 1), (40, 10))),
    ],
)
def test_heads_may_have_any_number_and_width(heads: int, d_k: int | None, d_v: int | None, shapes: tuple) -> None:
    layer = pg.MultiHeadAttention.random(10, heads, d_k=d_k, d_v=d_v)
    assert (layer.w_q.shape, layer.w_v.shape, layer.w_o.shape) == shapes
    assert layer(np.ones((2, 10))).output.shape == (2, 10)


@pytest.mark.parametrize("make", [pg.MultiHeadAttention.identity, pg.MultiHeadAttention.random])
@pytest.mark.parametrize(
    ("d_model", "heads", "named"),
    [(4, 0, "num_heads"), (4, -2, "num_heads"), (4, True, "num_heads"), (4, "2", "num_heads"), (0, 1, "d_model")],
)
def test_impossible_sizes_are_named(make: object, d_model: int, heads: int, named: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=f"{named} must be a whole number of at least 1"):
        make(d_model, heads)


def test_more_identity_heads_than_columns_are_refused() -> None:
    with pytest.raises(pg.PlaygroundError, match="5 heads cannot share 4 columns"):
        pg.MultiHeadAttention.identity(4, 5)


@pytest.mark.parametrize("seed", [-1, 1.5, True, None])
def test_an_impossible_seed_is_refused(seed: object) -> None:
    with pytest.raises(pg.PlaygroundError, match="seed must be a whole number of at least 0"):
        pg.MultiHeadAttention.random(4, 2, seed=seed)
