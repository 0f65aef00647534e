"""One attention: worked out on paper, against PyTorch, and where others have been seen to fail."""

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

import playground as pg
from playground.attention.functional import causal_mask

# On paper: three words, d_k = 2, so the scores are divided by √2 = 1.414214.
#   QKᵀ       row 1: 1·1+0·1, 1·0+0·1, 1·2+0·0   row 2: 2·1, 2·1, 2·0   row 3: 1+1, 0+1, 2+0
#   e^(1/√2) = 2.028115, e^(2/√2) = 4.113250, e^0 = 1
#   row 1: (2.028115, 1, 4.113250) / 7.141365     row 2: (4.113250, 4.113250, 1) / 9.226500
#   row 3: (4.113250, 2.028115, 4.113250) / 10.254615
#   output row 1: (.283995·1 + .575975·4, .140029·1 + .575975·2), and so on
QUERY = np.array([[1, 0], [0, 2], [1, 1]], dtype=float)
KEY = np.array([[1, 1], [0, 1], [2, 0]], dtype=float)
VALUE = np.array([[1, 0], [0, 1], [4, 2]], dtype=float)
SCORES = [[1, 0, 2], [2, 2, 0], [2, 1, 2]]
SCALED = [[0.707107, 0, 1.414214], [1.414214, 1.414214, 0], [1.414214, 0.707107, 1.414214]]
WEIGHTS = [[0.283995, 0.140029, 0.575975], [0.445808, 0.445808, 0.108383], [0.401112, 0.197776, 0.401112]]
OUTPUT = [[2.587897, 1.291980], [0.879342, 0.662575], [2.005560, 1.000000]]


def test_each_step_is_that_of_the_paper_calculation() -> None:
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE)
    np.testing.assert_array_equal(a.scores, SCORES)
    np.testing.assert_allclose(a.scaled, SCALED, atol=2e-6)
    np.testing.assert_allclose(a.weights, WEIGHTS, atol=2e-6)
    np.testing.assert_allclose(a.output, OUTPUT, atol=5e-6)


def test_a_causal_query_sees_itself_and_what_came_before() -> None:
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, is_causal=True)
    # Row 1 has one key left; row 2 has two of equal score; row 3 sees all, as above.
    np.testing.assert_allclose(a.weights, [[1, 0, 0], [0.5, 0.5, 0], WEIGHTS[2]], atol=2e-6)
    np.testing.assert_allclose(a.output, [[1, 0], [0.5, 0.5], OUTPUT[2]], atol=5e-6)


def test_true_in_a_mask_means_allowed() -> None:
    allowed = np.array([[False, True, False], [True, True, False], [True, True, True]])
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, attn_mask=allowed)
    np.testing.assert_allclose(a.weights, [[0, 1, 0], [0.5, 0.5, 0], WEIGHTS[2]], atol=2e-6)


def test_a_float_mask_is_added_to_the_scaled_scores() -> None:
    # Adding ln 3 to a score makes its word three times as likely against each other word.
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, attn_mask=np.array([0, 0, math.log(3)]))
    before = np.array(WEIGHTS)
    np.testing.assert_allclose(a.weights[:, 2] / a.weights[:, 0], 3 * before[:, 2] / before[:, 0], rtol=1e-5)
    np.testing.assert_allclose(a.scaled, SCALED, atol=2e-6)


def test_a_mask_and_causality_both_hold() -> None:
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, attn_mask=np.array([True, False, True]), is_causal=True)
    np.testing.assert_allclose(a.weights, [[1, 0, 0], [1, 0, 0], [0.5, 0, 0.5]])


def test_fewer_queries_than_keys_are_causal_from_the_top_left() -> None:
    np.testing.assert_array_equal(causal_mask(2, 4), [[True, False, False, False], [True, True, False, False]])
    a = pg.scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.eye(4), is_causal=True)
    np.testing.assert_allclose(a.weights, [[1, 0, 0, 0], [0.5, 0.5, 0, 0]])


def test_the_scale_can_be_given() -> None:
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, scale=1.0)
    np.testing.assert_array_equal(a.scaled, SCORES)
    # e² / (2e² + e) of row 3, by hand
    assert a.weights[2, 0] == pytest.approx(7.389056 / (2 * 7.389056 + 2.718282), abs=1e-6)


@pytest.mark.parametrize("mask", [np.array([[True], [False], [True]]), np.array([[0.0], [-np.inf], [0.0]])])
def test_a_query_that_may_look_nowhere_gets_zeros(mask: np.ndarray) -> None:
    a = pg.scaled_dot_product_attention(QUERY, KEY, VALUE, attn_mask=mask)
    np.testing.assert_array_equal(a.weights[1], 0)
    np.testing.assert_array_equal(a.output[1], 0)
    np.testing.assert_allclose(a.output[[0, 2]], np.array(OUTPUT)[[0, 2]], atol=5e-6)


def test_no_keys_at_all_give_zeros() -> None:
    a = pg.scaled_dot_product_attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4)))
    assert a.weights.shape == (2, 0)
    np.testing.assert_array_equal(a.output, np.zeros((2, 4)))


@pytest.mark.filterwarnings("error")
def test_a_broken_word_that_is_blocked_does_not_reach_the_others() -> None:
    key, value = KEY.copy(), VALUE.copy()
    key[1], value[1] = (np.inf, np.nan), (np.nan, -np.inf)
    for blocked in (np.array([True, False, True]), np.array([0, -np.inf, 0])):
        a = pg.scaled_dot_product_attention(QUERY, key, value, attn_mask=blocked)
        without = pg.scaled_dot_product_attention(QUERY, KEY[[0, 2]], VALUE[[0, 2]])
        np.testing.assert_allclose(a.output, without.output)
        np.testing.assert_array_equal(a.weights[:, 1], 0)


@pytest.mark.filterwarnings("error")
def test_a_mask_too_negative_for_float32_blocks_as_well() -> None:
    value = VALUE.astype(np.float32)
    value[1] = np.nan
    a = pg.scaled_dot_product_attention(
        QUERY.astype(np.float32), KEY.astype(np.float32), value, attn_mask=np.array([0, -1e300, 0])
    )
    assert np.isfinite(a.output).all()


def test_a_broken_word_that_is_looked_at_is_not_hidden() -> None:
    value = VALUE.copy()
    value[1, 0] = np.inf
    a = pg.scaled_dot_product_attention(QUERY, KEY, value, is_causal=True)
    np.testing.assert_array_equal(np.isinf(a.output), [[False, False], [True, False], [True, False]])


@pytest.mark.filterwarnings("error")
def test_large_scores_do_not_overflow(case: Callable) -> None:
    large = case("a01_large_scores")
    a = pg.scaled_dot_product_attention(large["Q"], large["K"], large["V"])
    np.testing.assert_array_equal(a.weights, np.eye(2))
    np.testing.assert_array_equal(a.output, large["V"])
    both = pg.scaled_dot_product_attention(np.full((1, 1), -1000.0), np.ones((2, 1)), np.eye(2))
    np.testing.assert_array_equal(both.weights, [[0.5, 0.5]])


def test_scores_are_divided_by_the_root_of_the_width_and_rows_sum_to_one(case: Callable) -> None:
    x = case("a03_tokens4_d6")["X"]
    # The largest weight of each row with and without the division, as reported with this input.
    scaled = pg.scaled_dot_product_attention(x, x, x).weights
    np.testing.assert_allclose(scaled.max(axis=1), [0.48, 0.42, 0.978, 0.896], atol=0.005)
    plain = pg.scaled_dot_product_attention(x, x, x, scale=1).weights
    np.testing.assert_allclose(plain.max(axis=1), [0.768, 0.636, 1, 0.999], atol=0.0006)
    np.testing.assert_allclose(scaled.sum(axis=1), 1)


@pytest.mark.filterwarnings("error")
def test_float16_is_computed_in_float32_and_given_back(case: Callable) -> None:
    half = case("a05_fp16")
    a = pg.scaled_dot_product_attention(half["Q"], half["K"], half["K"])
    exact = pg.scaled_dot_product_attention(*(half[name].astype(np.float32) for name in "QKK"))
    for name in ("scores", "scaled", "weights", "output"):
        assert getattr(a, name).dtype == np.float16
        np.testing.assert_array_equal(getattr(a, name), getattr(exact, name).astype(np.float16))
    assert np.isfinite(a.output).all()


@pytest.mark.filterwarnings("error")
def test_scores_beyond_float16_still_give_true_weights() -> None:
    x = np.full((2, 64), 300, dtype=np.float16)  # 300 · 300 · 64 is 88 times the largest float16
    a = pg.scaled_dot_product_attention(x, x, x)
    np.testing.assert_array_equal(a.weights, np.full((2, 2), 0.5))
    np.testing.assert_array_equal(a.output, x)


def test_a_float16_mask_of_minus_infinity_blocks() -> None:
    x = np.eye(2, dtype=np.float16)
    a = pg.scaled_dot_product_attention(x, x, x, attn_mask=np.float16([0, -np.inf]))
    np.testing.assert_array_equal(a.weights, [[1, 0], [1, 0]])


@pytest.mark.parametrize(
    ("given", "back"),
    [(np.float16, np.float16), (np.float32, np.float32), (np.float64, np.float64), (np.int64, np.float64)],
)
def test_the_number_type_is_that_of_the_input(given: type, back: type) -> None:
    x = np.eye(3, dtype=given)
    assert pg.scaled_dot_product_attention(x, x, x).output.dtype == back
    assert pg.softmax(x).dtype == back


def test_the_inputs_are_left_as_they_are() -> None:
    arrays = [QUERY.copy(), KEY.copy(), VALUE.copy(), np.array([True, False, True])]
    pg.scaled_dot_product_attention(*arrays, is_causal=True)
    for array, before in zip(arrays, (QUERY, KEY, VALUE, [True, False, True]), strict=True):
        np.testing.assert_array_equal(array, before)


ROWS = np.ones((3, 4))


@pytest.mark.parametrize(
    ("query", "key", "value", "mask", "told"),
    [
        (np.ones(4), ROWS, ROWS, None, "query must have shape"),
        (ROWS, np.ones((3, 5)), ROWS, None, r"the same width d_k: query is \(3, 4\), key is \(3, 5\)"),
        (np.ones((3, 0)), np.ones((3, 0)), ROWS, None, "the same width"),
        (ROWS, ROWS, np.ones((2, 4)), None, "as many rows"),
        (np.ones((2, 3, 4)), np.ones((5, 3, 4)), ROWS, None, "leading axes"),
        (ROWS, ROWS, ROWS.astype(complex), None, "real numbers, not complex"),
        (ROWS, ROWS, np.full((3, 4), "a"), None, "real numbers"),
        (ROWS, ROWS, ROWS, np.ones((3, 3), dtype=int), "boolean .* or float .* not int64"),
        (ROWS, ROWS, ROWS, np.ones((3, 2), dtype=bool), r"\(3, 2\) does not fit the scores \(3, 3\)"),
        (ROWS[:1], ROWS, ROWS, np.ones((5, 3), dtype=bool), r"\(5, 3\) does not fit the scores \(1, 3\)"),
        (ROWS, ROWS[:1], ROWS[:1], np.ones((3, 5), dtype=bool), "does not fit the scores"),
        (ROWS, ROWS, np.ones((2, 3, 4)), np.ones((5, 3, 3), dtype=bool), "does not fit the scores"),
    ],
)
def test_what_does_not_fit_is_named(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, mask: np.ndarray | None, told: str
) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def test_softmax_gives_the_shares_known_by_hand() -> None:
    np.testing.assert_allclose(pg.softmax(np.log([1, 2, 3])), [1 / 6, 2 / 6, 3 / 6])
    columns = np.log([[1, 3], [3, 1]])
    np.testing.assert_allclose(pg.softmax(columns, axis=0), [[0.25, 0.75], [0.75, 0.25]])


@pytest.mark.filterwarnings("error")
def test_softmax_stands_extreme_rows() -> None:
    np.testing.assert_array_equal(pg.softmax(np.array([1e308, 0, -1e308])), [1, 0, 0])
    np.testing.assert_array_equal(pg.softmax(np.array([-np.inf, 5.0])), [0, 1])
    np.testing.assert_array_equal(pg.softmax(np.full(3, -np.inf)), [0, 0, 0])
    np.testing.assert_array_equal(pg.softmax(np.float16([-20, 60000, 60000])), np.float16([0, 0.5, 0.5]))
    assert pg.softmax(np.empty((2, 0))).shape == (2, 0)


SHAPES = [
    ((3, 4), (3, 4), (3, 4)),
    ((2, 5), (7, 5), (7, 3)),
    ((1, 1), (1, 1), (1, 1)),
    ((2, 3, 6, 8), (2, 3, 5, 8), (2, 3, 5, 2)),
    ((4, 1, 3, 2), (1, 5, 6, 2), (4, 5, 6, 2)),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("kind", ["none", "causal", "bool", "float", "scale", "one mask for all"])
@pytest.mark.parametrize("shapes", SHAPES)
def test_it_agrees_with_pytorch(torch: ModuleType, shapes: tuple, kind: str, dtype: type) -> None:
    random = np.random.default_rng(5)
    query, key, value = (random.standard_normal(shape).astype(dtype) for shape in shapes)
    n_query, n_key = query.shape[-2], key.shape[-2]
    lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    options: dict = {}
    if kind == "causal":
        options["is_causal"] = True
    elif kind == "scale":
        options["scale"] = 0.3
    elif kind == "float":
        options["attn_mask"] = random.standard_normal((*lead, n_query, n_key)).astype(dtype)
    elif kind in ("bool", "one mask for all"):
        mask = random.random((*(() if kind == "one mask for all" else lead), n_query, n_key)) < 0.5
        mask[..., 0] = True  # PyTorch has no one rule for a query without any key
        options["attn_mask"] = mask
    ours = pg.scaled_dot_product_attention(query, key, value, **options)
    if "attn_mask" in options:
        options["attn_mask"] = torch.from_numpy(options["attn_mask"])
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *(torch.from_numpy(array) for array in (query, key, value)), **options
    )
    assert ours.output.dtype == dtype
    assert ours.output.shape == tuple(theirs.shape)
    tolerance = {np.float64: 1e-12, np.float32: 2e-6, np.float16: 4e-3}[dtype]
    np.testing.assert_allclose(ours.output, theirs.numpy(), atol=tolerance, rtol=tolerance)
