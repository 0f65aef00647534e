"""What holds for every attention, tried on many inputs that are the same in every run."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import playground as pg
from playground.attention.multihead import split_heads

tried = settings(derandomize=True, max_examples=40, deadline=None, database=None)

numbers = st.floats(-8, 8, width=32)
sizes = st.integers(1, 6)
# A later or blocked word may hold anything at all.
anything = st.one_of(numbers, st.sampled_from([np.nan, np.inf, -np.inf, 1e30, -1e30]))


def matrices(n: int, d: int, elements: st.SearchStrategy[float] = numbers) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(np.float64, (n, d), elements=elements)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw query (n_q, d_k), key (n_k, d_k) and value (n_k, d_v)."""
    n_query, n_key, d_k, d_v = (draw(sizes) for _ in range(4))
    return draw(matrices(n_query, d_k)), draw(matrices(n_key, d_k)), draw(matrices(n_key, d_v))


@st.composite
def layers(draw: st.DrawFn) -> tuple[pg.MultiHeadAttention, np.ndarray]:
    """Draw a layer and a sentence for it."""
    n, d_model, heads, d_k, d_v = draw(sizes), draw(sizes), draw(st.integers(1, 3)), draw(sizes), draw(sizes)
    layer = pg.MultiHeadAttention.random(d_model, heads, d_k=d_k, d_v=d_v, seed=draw(st.integers(0, 99)))
    return layer, draw(matrices(n, d_model))


@tried
@given(inputs(), st.booleans(), st.data())
def test_weights_are_shares_and_each_row_sums_to_one_or_to_zero(
    qkv: tuple[np.ndarray, np.ndarray, np.ndarray], is_causal: bool, data: st.DataObject
) -> None:
    query, key, value = qkv
    shape = (len(query), len(key))
    mask = data.draw(arrays.arrays(bool, shape))
    weights = pg.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=is_causal).weights
    assert ((weights >= 0) & (weights <= 1)).all()
    may_look = (mask & np.tri(*shape, dtype=bool) if is_causal else mask).any(axis=1)
    np.testing.assert_allclose(weights.sum(axis=1), may_look, atol=1e-12)
    assert (weights[~mask] == 0).all()


@tried
@given(layers(), st.randoms(use_true_random=False))
def test_without_positions_another_word_order_gives_the_same_rows_in_that_order(
    drawn: tuple[pg.MultiHeadAttention, np.ndarray], random: object
) -> None:
    layer, x = drawn
    order = list(range(len(x)))
    random.shuffle(order)
    steps, shuffled = layer(x), layer(x[order])
    np.testing.assert_allclose(shuffled.output, steps.output[order], atol=1e-6)
    np.testing.assert_allclose(shuffled.weights, steps.weights[:, order][:, :, order], atol=1e-6)


def test_with_positions_the_word_order_counts() -> None:
    x = np.random.default_rng(0).standard_normal((3, 8))
    layer = pg.MultiHeadAttention.random(8, 2)
    positions = pg.sinusoidal_positions(3, 8)
    reverse = layer(x[::-1] + positions).output[::-1]
    assert np.abs(layer(x + positions).output - reverse).max() > 0.01


@tried
@given(inputs(), st.data())
def test_a_constant_added_to_a_row_of_scores_changes_nothing(
    qkv: tuple[np.ndarray, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    query, key, value = qkv
    constants = data.draw(matrices(len(query), 1, st.floats(-1e4, 1e4)))
    plain = pg.scaled_dot_product_attention(query, key, value)
    shifted = pg.scaled_dot_product_attention(query, key, value, attn_mask=constants)
    np.testing.assert_allclose(shifted.weights, plain.weights, atol=1e-9)
    np.testing.assert_allclose(pg.softmax(plain.scaled + constants), plain.weights, atol=1e-9)


@tried
@given(layers(), st.data())
def test_a_causal_row_is_moved_by_no_later_word(
    drawn: tuple[pg.MultiHeadAttention, np.ndarray], data: st.DataObject
) -> None:
    layer, x = drawn
    seen = data.draw(st.integers(1, len(x)))
    changed = x.copy()
    changed[seen:] = data.draw(matrices(len(x) - seen, x.shape[1], anything))
    before, after = layer(x, is_causal=True), layer(changed, is_causal=True)
    np.testing.assert_array_equal(after.weights[:, :seen], before.weights[:, :seen])
    np.testing.assert_array_equal(after.output[:seen], before.output[:seen])


@tried
@given(inputs(), st.data())
def test_a_blocked_word_never_matters(qkv: tuple[np.ndarray, np.ndarray, np.ndarray], data: st.DataObject) -> None:
    query, key, value = qkv
    allowed = data.draw(arrays.arrays(bool, len(key)))
    other_key, other_value = key.copy(), value.copy()
    other_key[~allowed] = data.draw(matrices(int(np.sum(~allowed)), key.shape[1], anything))
    other_value[~allowed] = data.draw(matrices(int(np.sum(~allowed)), value.shape[1], anything))
    before = pg.scaled_dot_product_attention(query, key, value, attn_mask=allowed)
    for mask in (allowed, np.where(allowed, 0, -np.inf)):
        after = pg.scaled_dot_product_attention(query, other_key, other_value, attn_mask=mask)
        np.testing.assert_array_equal(after.weights, before.weights)
        np.testing.assert_array_equal(after.output, before.output)


@tried
@given(st.integers(1, 4), sizes, sizes, sizes, st.integers(0, 99))
def test_one_big_projection_cut_into_heads_equals_small_projections(
    heads: int, n: int, d_model: int, d_k: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    x = random.standard_normal((n, d_model))
    big = [random.standard_normal((d_model, heads * d_k)) for _ in range(3)]  # W_Q, W_K, W_V
    small = [np.stack(np.split(w, heads, axis=1)) for w in big]  # (heads, d_model, d_k)
    steps = pg.MultiHeadAttention(*small, np.eye(heads * d_k, d_model))(x)
    query, key, value = (split_heads(x @ w, heads) for w in big)
    np.testing.assert_allclose(steps.query, query, atol=1e-12)
    together = pg.scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(steps.weights, together.weights, atol=1e-12)
    np.testing.assert_allclose(steps.heads, together.output, atol=1e-12)


def test_heads_that_are_only_reshaped_are_told_from_transposed_ones() -> None:
    def reshaped_only(x: np.ndarray, heads: int) -> np.ndarray:
        n, width = x.shape
        return x.reshape(heads, n, width // heads)  # wrong: mixes the columns of different words

    x = np.random.default_rng(1).standard_normal((4, 6))
    outputs = [
        pg.scaled_dot_product_attention(*(cut(x, 2) for _ in range(3))).output for cut in (split_heads, reshaped_only)
    ]
    assert outputs[0].shape == outputs[1].shape
    assert np.abs(outputs[0] - outputs[1]).max() > 0.1


@tried
@given(inputs())
def test_float16_equals_float32_to_its_precision(
    qkv: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    half = [array.astype(np.float16) for array in qkv]
    a = pg.scaled_dot_product_attention(*half)
    exact = pg.scaled_dot_product_attention(*(array.astype(np.float32) for array in half))
    assert a.weights.dtype == a.output.dtype == np.float16
    np.testing.assert_allclose(a.weights, exact.weights, rtol=2**-11, atol=2**-24)
    np.testing.assert_allclose(a.output, exact.output, rtol=2**-11, atol=2**-24)


@tried
@given(inputs(), numbers, numbers, st.data())
def test_the_output_is_linear_in_the_values(
    qkv: tuple[np.ndarray, np.ndarray, np.ndarray], a: float, b: float, data: st.DataObject
) -> None:
    query, key, value = qkv
    other = data.draw(matrices(*value.shape))

    def output(v: np.ndarray) -> np.ndarray:
        return pg.scaled_dot_product_attention(query, key, v, is_causal=True).output

    np.testing.assert_allclose(output(a * value + b * other), a * output(value) + b * output(other), atol=1e-9)
