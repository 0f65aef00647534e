"""A layer with everything that can be turned on it."""

import numpy as np
import pytest

import playground as pg
from playground.attention.edits import parse_edits
from playground.attention.workbench import PADDING, Setup, hand_size, run_layer, unedited

WORDS = np.random.default_rng(0).standard_normal((5, 12))


def test_a_plain_setup_is_the_plain_layer():
    run = run_layer(Setup("random", 3, seed=4), WORDS)
    np.testing.assert_allclose(run.steps.output, pg.MultiHeadAttention.random(12, 3, seed=4)(WORDS).output, atol=1e-6)
    assert run.mask.all() and run.positions is None and run.share == 1


def test_positions_are_added_with_their_strength():
    run = run_layer(Setup(position_strength=2.5), WORDS)
    np.testing.assert_allclose(run.steps.x - WORDS, 2.5 * pg.sinusoidal_positions(5, 12), atol=1e-12)


def test_scale_and_temperature_divide_the_scores():
    plain = run_layer(Setup(), WORDS).steps.scores
    np.testing.assert_allclose(run_layer(Setup(), WORDS).steps.scaled, plain / np.sqrt(12))
    np.testing.assert_allclose(run_layer(Setup(temperature=4), WORDS).steps.scaled, plain / np.sqrt(12) / 4)
    np.testing.assert_allclose(run_layer(Setup(scale=False, temperature=4), WORDS).steps.scaled, plain / 4)


@pytest.mark.parametrize("temperature", [0, -1, float("nan"), float("inf")])
def test_a_temperature_is_above_zero(temperature):
    with pytest.raises(pg.PlaygroundError, match="temperature"):
        run_layer(Setup(temperature=temperature), WORDS)


def test_masks_block_later_words_or_padding():
    causal = run_layer(Setup(mask="causal"), WORDS)
    assert np.isneginf(causal.masked[0, 0, 1:]).all()
    assert causal.steps.weights[0, 0].tolist() == [1, 0, 0, 0, 0]
    padded = run_layer(Setup("random", 2, mask="padding"), WORDS)
    assert len(padded.steps.x) == 5 + PADDING
    assert not padded.steps.weights[:, :, 5:].any()
    # the words themselves are none the wiser
    np.testing.assert_allclose(padded.steps.output[:5], run_layer(Setup("random", 2), WORDS).steps.output)


def test_an_edit_ripples_to_what_depends_on_it_and_nothing_else():
    before = run_layer(Setup("random", 2), WORDS)
    after = run_layer(Setup("random", 2, edits=parse_edits("W_K[2,3,1]=5")), WORDS)
    assert after.layer.w_k[1, 2, 0] == 5
    for name in ("x", "query", "value"):
        np.testing.assert_array_equal(getattr(after.steps, name), getattr(before.steps, name))
    np.testing.assert_array_equal(after.steps.heads[0], before.steps.heads[0])
    for name in ("key", "scores", "scaled", "weights", "heads"):
        assert (getattr(after.steps, name)[1] != getattr(before.steps, name)[1]).any()
    assert unedited(after.setup) == before.setup


def test_a_cell_of_the_mask_can_be_switched():
    run = run_layer(
        Setup(mask="causal", edits=parse_edits("mask[1,2]=1; mask[3,1]=0; mask[2,1]=0; mask[2,2]=0")), WORDS
    )
    weights = run.steps.weights[0]
    assert weights[0, 1] > 0 and weights[2, 0] == 0
    assert weights[1].tolist() == [0] * 5 and run.steps.output[1].tolist() == [0] * 12


def test_hand_size_keeps_dot_products_as_well_as_its_columns_can():
    small, share = hand_size(WORDS, 4)
    assert small.shape == (5, 4)
    np.testing.assert_array_equal(small, small.round(1))
    # Eckart–Young: the squared length left out is that of the smaller singular values
    left_out = np.linalg.svd(WORDS, compute_uv=False)[4:]
    assert 1 - share == pytest.approx((left_out**2).sum() / (WORDS**2).sum())
    flat = np.outer([3.0, -1.0, 2.0], np.ones(12) / np.sqrt(12))  # rank 1: one column holds all
    exact, whole = hand_size(flat, 2)
    assert whole == pytest.approx(1)
    np.testing.assert_allclose(exact, [[3, 0], [-1, 0], [2, 0]], atol=1e-12)


def test_hand_size_gives_one_word_its_columns_too():
    small, share = hand_size(np.ones((1, 100)), 3)
    assert small.tolist() == [[10, 0, 0]] and share == pytest.approx(1)
    assert hand_size(np.zeros((2, 5)), 2)[1] == 1


def test_at_hand_size_everything_given_has_one_decimal():
    run = run_layer(Setup("random", 2, hand_size=4, position_strength=1.0), WORDS)
    for matrix in (run.steps.x, run.layer.w_q, run.layer.w_k, run.layer.w_v, run.layer.w_o):
        np.testing.assert_allclose(matrix, matrix.round(1), atol=1e-12)


def test_more_identity_heads_than_columns_are_refused():
    with pytest.raises(pg.PlaygroundError, match="at most 4 heads"):
        run_layer(Setup(num_heads=5, hand_size=4), WORDS)
