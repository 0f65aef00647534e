"""The RNN that attention is compared with: by hand, and its derivatives by finite differences."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import playground as pg
from playground.attention.recurrent import RNN, attention_gradient, reach, rnn_gradient


def by_differences(output: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Return ∂output/∂x, shape (n, len(output), d), from small steps to both sides."""
    step = 1e-6
    gradient = np.empty((x.shape[0], len(output(x)), x.shape[1]))
    for t, column in np.ndindex(*x.shape):
        moved = np.zeros_like(x)
        moved[t, column] = step
        gradient[t, :, column] = (output(x + moved) - output(x - moved)) / (2 * step)
    return gradient


def test_two_steps_by_hand() -> None:
    # h₁ = tanh(1·2 + 0) and h₂ = tanh(−1·2 + 0.5·h₁)
    states = RNN(np.array([[2.0]]), np.array([[0.5]]))(np.array([[1.0], [-1.0]]))
    first = math.tanh(2)
    np.testing.assert_allclose(states, [[first], [math.tanh(-2 + 0.5 * first)]])


def test_the_rnns_gradient_is_that_of_finite_differences() -> None:
    x = np.random.default_rng(0).standard_normal((5, 3))
    rnn = RNN.random(3, 4, strength=1.2, seed=1)
    np.testing.assert_allclose(rnn_gradient(rnn, x), by_differences(lambda z: rnn(z)[-1], x), atol=1e-8)


@pytest.mark.parametrize("heads", [1, 2])
def test_attentions_gradient_is_that_of_finite_differences(heads: int) -> None:
    x = np.random.default_rng(2).standard_normal((5, 4))
    random = pg.MultiHeadAttention.random(4, heads, d_k=3, d_v=2)
    layer = pg.MultiHeadAttention(*(w.astype(np.float64) for w in (random.w_q, random.w_k, random.w_v, random.w_o)))
    expected = by_differences(lambda z: layer(z).output[-1], x)
    np.testing.assert_allclose(attention_gradient(layer, x), expected, atol=1e-8)


def test_the_recurrent_weights_of_a_random_network_turn_without_stretching() -> None:
    rnn = RNN.random(4, 6, strength=0.5)
    np.testing.assert_allclose(rnn.w_h @ rnn.w_h.T, 0.25 * np.eye(6), atol=1e-12)


def test_without_saturation_influence_shrinks_by_the_strength_at_every_step() -> None:
    # Words of zeros leave tanh at 0, where its slope is 1: t steps back count 0.5^t.
    n = 6
    run = reach(RNN.random(4, 4, strength=0.5), pg.MultiHeadAttention.random(4), np.zeros((n, 4)))
    np.testing.assert_allclose(run.rnn, 0.5 ** np.arange(n) / (2 - 0.5 ** (n - 1)))
    # All scores are 0, and so all words count the same for attention.
    np.testing.assert_allclose(run.attention, np.full(n, 1 / n))


def test_an_rnn_waits_for_every_word_and_attention_for_none() -> None:
    run = reach(RNN.random(4, 4), pg.MultiHeadAttention.random(4), np.ones((7, 4)))
    assert (run.rnn_steps, run.attention_steps) == (7, 1)


def test_on_real_words_an_rnn_forgets_and_attention_does_not(glove: object) -> None:
    sentence = "the old man who lived in a small house near the river told us that his father was a king"
    x = pg.embed(glove, sentence.split()).astype(np.float64)
    run = reach(RNN.random(100, 100), pg.MultiHeadAttention.random(100), x)
    assert run.rnn[-1] < 0.01 * run.rnn[0]
    assert run.attention[-1] > 0.3 * run.attention[0]
    assert run.rnn.sum() == pytest.approx(1) and run.attention.sum() == pytest.approx(1)


def test_matrices_that_do_not_fit_are_refused() -> None:
    with pytest.raises(pg.PlaygroundError, match=r"w_x must have shape \(d_model, d_h\).* \(3, 4\) and \(5, 5\)"):
        RNN(np.ones((3, 4)), np.ones((5, 5)))
