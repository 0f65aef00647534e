"""The prepared space and the move in it, on tables small enough to check."""

import numpy as np
import pytest

from playground.attention.context import context_space, move
from playground.errors import PlaygroundError


@pytest.fixture
def table() -> np.ndarray:
    """Vectors that share a direction and differ most along one axis, as word vectors do."""
    rows = np.random.default_rng(0).standard_normal((500, 8))
    return (rows * [9, 4, 1, 1, 1, 1, 1, 1] + 5).astype(np.float32)


def test_prepared_rows_are_centred_and_of_length_root_d(table: np.ndarray) -> None:
    space = context_space(table, remove_components=0)
    rows = space.rows(np.arange(500))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.sqrt(8))
    np.testing.assert_allclose((rows * space.lengths[:, None]).mean(axis=0), 0, atol=1e-6)


def test_the_strongest_components_are_gone(table: np.ndarray) -> None:
    centred = table.astype(float) - table.astype(float).mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)  # NumPy's own PCA
    rows = context_space(table, remove_components=2).rows(np.arange(500))
    np.testing.assert_allclose(rows @ axes[:2].T, 0, atol=1e-5)
    expected = centred @ axes[2:].T @ axes[2:]
    expected *= np.sqrt(8) / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, atol=1e-5)


def test_cosines_are_those_of_the_prepared_rows(table: np.ndarray) -> None:
    space = context_space(table, remove_components=3)
    rows, query = space.rows(np.arange(500)), np.linspace(-1, 1, 8)
    inside = rows @ query / np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(space.cosines(query), inside / np.linalg.norm(query), atol=1e-5)


def test_a_large_vocabulary_is_prepared_part_by_part_with_the_same_result() -> None:
    table = np.random.default_rng(1).standard_normal((20_000, 4)).astype(np.float32)
    space = context_space(table, remove_components=1)
    centred = table.astype(float) - table.astype(float).mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    lengths = np.linalg.norm(centred - np.outer(centred @ axis, axis), axis=1)
    np.testing.assert_allclose(space.lengths, lengths, atol=1e-5)


def test_words_without_a_direction_are_neither_counted_nor_ranked(table: np.ndarray) -> None:
    broken = table.copy()
    broken[0], broken[1], broken[2] = 0, np.nan, np.inf
    space, clean = context_space(broken), context_space(table[3:])
    np.testing.assert_allclose(space.lengths[3:], clean.lengths)
    assert np.isnan(space.cosines(np.ones(8))[:3]).all()
    assert not space.rows(np.arange(3)).any()


@pytest.mark.parametrize("count", [-1, 8, 2.0, True])
def test_a_wrong_number_of_components_is_refused(table: np.ndarray, count: object) -> None:
    with pytest.raises(PlaygroundError, match="from 0 to 7"):
        context_space(table, remove_components=count)


def test_too_few_words_are_refused(table: np.ndarray) -> None:
    with pytest.raises(PlaygroundError, match="4 words with a direction"):
        context_space(table[:4], remove_components=3)


def test_a_move_is_the_weighted_mean_of_what_is_seen() -> None:
    rows = np.array([[2.0, 0, 0, 0], [1, 1, 0, 0], [0, 2, 0, 0]])
    moved = move(rows, 0, strength=0.25, allowed=np.array([False, True, True]))
    # scores 2 and 0, divided by √4
    weight = np.e / (np.e + 1)
    np.testing.assert_allclose(moved.weights, [0, weight, 1 - weight])
    np.testing.assert_allclose(moved.context, [weight, weight + 2 * (1 - weight), 0, 0])
    np.testing.assert_allclose(moved.after, 0.75 * rows[0] + 0.25 * moved.context)


def test_scale_zero_is_the_plain_mean() -> None:
    rows = np.array([[9.0, 0], [1, 3], [5, 5]])
    moved = move(rows, 0, allowed=np.array([False, True, True]), scale=0)
    np.testing.assert_allclose(moved.context, [3, 4])


def test_strength_zero_leaves_the_word_and_one_replaces_it() -> None:
    rows = np.random.default_rng(2).standard_normal((4, 6))
    np.testing.assert_array_equal(move(rows, 2, strength=0).after, rows[2])
    moved = move(rows, 2, strength=1)
    np.testing.assert_array_equal(moved.after, moved.context)


def test_only_with_positions_does_the_order_matter() -> None:
    rows = np.random.default_rng(3).standard_normal((4, 6))
    swapped = rows[[0, 3, 2, 1]]
    np.testing.assert_allclose(move(rows, 0).after, move(swapped, 0).after)
    assert np.abs(move(rows, 0, positions=True).after - move(swapped, 0, positions=True).after).max() > 0.01


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan")])
def test_a_strength_outside_its_range_is_refused(strength: float) -> None:
    with pytest.raises(PlaygroundError, match="from 0"):
        move(np.eye(3), 0, strength=strength)
