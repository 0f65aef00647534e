"""The experiments of the why lab, against what theory or a calculation by hand says."""

import math

import numpy as np
import pytest

import playground as pg
from playground.attention.experiments import lesson
from playground.attention.experiments.order import compare_orders, exact_output, same_words
from playground.attention.experiments.scaling import scaling, softmax_jacobian
from playground.attention.experiments.several_heads import mixing, roles
from playground.attention.experiments.softmax_facts import naive_softmax, shifted, with_temperature
from playground.attention.positions import distance_products, pair_columns, wavelength

# √d_k


def test_the_variance_of_a_dot_product_is_its_width_and_scaled_it_is_one() -> None:
    run = scaling([4, 64, 256], trials=2000)
    np.testing.assert_allclose(run.plain.spread**2, [4, 64, 256], rtol=0.05)
    np.testing.assert_allclose(run.scaled.spread, 1, rtol=0.03)


def test_unscaled_scores_of_a_large_width_leave_one_weight_and_no_gradient() -> None:
    run = scaling([1, 512])
    assert run.plain.largest[1] > 0.99 and run.plain.gradient[1] < 0.01
    assert run.scaled.largest[1] < 0.3 and run.scaled.gradient[1] > 0.2
    assert run.plain.largest[0] == run.scaled.largest[0]  # √1 = 1 changes nothing


def test_the_same_seed_gives_the_same_run_and_another_a_different_one() -> None:
    first, again, other = (scaling([8], trials=20, seed=seed).plain.spread[0] for seed in (3, 3, 4))
    assert first == again != other


def test_the_jacobian_of_two_equal_weights_by_hand() -> None:
    np.testing.assert_allclose(softmax_jacobian(np.array([0.5, 0.5])), [[0.25, -0.25], [-0.25, 0.25]])


def test_the_jacobian_is_that_of_finite_differences() -> None:
    scores, step = np.array([0.3, -1.0, 2.0]), 1e-6
    columns = [(pg.softmax(scores + step * unit) - pg.softmax(scores - step * unit)) / (2 * step) for unit in np.eye(3)]
    np.testing.assert_allclose(softmax_jacobian(pg.softmax(scores)), np.stack(columns, axis=1), atol=1e-9)


@pytest.mark.parametrize(("widths", "keys"), [([], 4), ([0], 4), ([4], 1)])
def test_scores_that_cannot_be_drawn_are_refused(widths: list[int], keys: int) -> None:
    with pytest.raises(pg.PlaygroundError):
        scaling(widths, keys)


# the order of the words


def test_words_are_matched_in_their_order_and_others_left_out() -> None:
    first, second = ["the", "dog", "bites", "the", "man"], ["the", "man", "bites", "the", "cat"]
    assert same_words(first, second) == [(0, 0), (2, 2), (3, 3), (4, 1)]


@pytest.mark.parametrize("kind", ["identity", "random"])
@pytest.mark.parametrize(
    ("first", "second"),
    [("john hit mary", "mary hit john"), ("the dog bites the old man", "old the man bites dog the")],
)
def test_without_positions_the_outputs_are_the_same_bit_for_bit(glove, kind: str, first: str, second: str) -> None:
    a, b = first.split(), second.split()
    layer = pg.MultiHeadAttention.identity(100) if kind == "identity" else pg.MultiHeadAttention.random(100, 1, 25, 25)
    run = compare_orders(layer, pg.embed(glove, a), pg.embed(glove, b), same_words(a, b))
    assert not run.without.any()
    assert run.rounding < 1e-14
    assert np.linalg.norm(run.with_positions, axis=1).max() > 0.05


def test_positions_of_strength_zero_change_nothing(glove) -> None:
    a, b = ["john", "hit", "mary"], ["mary", "hit", "john"]
    layer = pg.MultiHeadAttention.identity(100)
    run = compare_orders(layer, pg.embed(glove, a), pg.embed(glove, b), same_words(a, b), strength=0)
    assert not run.with_positions.any()


def test_another_word_changes_the_others_even_without_positions(glove) -> None:
    a, b = ["john", "hit", "mary"], ["john", "hit", "bill"]
    layer = pg.MultiHeadAttention.random(100, 1, 25, 25)
    run = compare_orders(layer, pg.embed(glove, a), pg.embed(glove, b), same_words(a, b))
    assert run.places == ((0, 0), (1, 1))
    assert np.linalg.norm(run.without, axis=1).min() > 0.01


def test_the_exactly_summed_output_is_that_of_the_layer(glove) -> None:
    x = pg.embed(glove, ["apple", "company", "phones"]).astype(np.float64)
    layer = pg.MultiHeadAttention.random(100, 1, 25, 25)
    np.testing.assert_allclose(exact_output(layer, x), layer(x).heads[0], atol=1e-13)


def test_what_cannot_be_compared_is_refused() -> None:
    x = np.ones((1, 4))
    with pytest.raises(pg.PlaygroundError, match="no word in common"):
        compare_orders(pg.MultiHeadAttention.identity(4), x, x, [])
    with pytest.raises(pg.PlaygroundError, match="one head, not 2"):
        exact_output(pg.MultiHeadAttention.identity(4, 2), x)


# several heads, W_O


def test_one_heads_average_forgets_who_is_who_and_two_heads_keep_it() -> None:
    a, b = np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 6.0, 7.0, 8.0])
    run = roles(a, b)
    np.testing.assert_allclose(run.one, [3, 4, 5, 6])
    np.testing.assert_allclose(run.two, [1, 2, 7, 8])
    np.testing.assert_allclose(run.two_swapped, [5, 6, 3, 4])
    assert run.one_changes == 0
    assert run.two_changes == pytest.approx(8)  # √(4² + 4² + 4² + 4²)


def test_a_head_with_unequal_weights_trades_one_loss_for_another() -> None:
    a, b = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    run = roles(a, b, share=0.8)
    np.testing.assert_allclose(run.one, [0.8, 0.2])
    assert run.one_changes == pytest.approx(0.6 * math.sqrt(2))  # (2·0.8 − 1)·|a − b|
    np.testing.assert_array_equal(roles(a, b, share=1.0).one, a)
    with pytest.raises(pg.PlaygroundError, match=r"from 0 to 1, not 1\.5"):
        roles(a, b, share=1.5)


def test_without_w_o_a_head_reaches_only_its_own_columns() -> None:
    run = mixing(pg.MultiHeadAttention.random(6, 3), np.random.default_rng(0).standard_normal((4, 6)))
    assert run.reached_without == [2, 2, 2]
    assert run.reached_with == [6, 6, 6]
    np.testing.assert_array_equal(run.without > 0, np.kron(np.eye(3), np.ones((1, 2))) > 0)


def test_a_w_o_that_is_the_identity_mixes_nothing() -> None:
    run = mixing(pg.MultiHeadAttention.identity(6, 3), np.random.default_rng(0).standard_normal((4, 6)))
    np.testing.assert_allclose(run.with_w_o, run.without)


def test_heads_that_do_not_fill_the_width_have_no_output_without_w_o() -> None:
    with pytest.raises(pg.PlaygroundError, match="3 heads of 3 numbers make 9, not the 7"):
        mixing(pg.MultiHeadAttention.random(7, 3), np.ones((2, 7)))


# softmax


def test_temperatures_by_hand() -> None:
    # e^(2/T) : e^(1/T) = e^(1/T) : 1
    weights = with_temperature([2, 1], [1, 0.5, 2])
    np.testing.assert_allclose(weights[:, 0] / weights[:, 1], [math.e, math.e**2, math.sqrt(math.e)])
    with pytest.raises(pg.PlaygroundError, match="greater than 0"):
        with_temperature([2, 1], [0.0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("precision", "holds", "breaks"), [("float16", 11, 12), ("float32", 88, 89), ("float64", 709, 710)]
)
def test_the_formula_as_written_breaks_where_exp_overflows(precision: str, holds: float, breaks: float) -> None:
    run = shifted([0, -1], [holds, breaks], precision)
    assert run.broken.tolist() == [False, True]
    assert holds < run.largest < breaks
    assert np.isfinite(run.stable).all()
    np.testing.assert_allclose(run.stable[1].astype(float), [0.731, 0.269], atol=6e-4)  # 1/(1 + 1/e)


def test_far_below_zero_all_exponentials_vanish_and_nothing_is_left_to_share() -> None:
    assert np.isnan(naive_softmax(np.array([-200, -201], dtype=np.float32))).all()


def test_a_constant_changes_nothing_once_the_maximum_is_subtracted() -> None:
    assert shifted([2, 1, 0], [-50, 0, 1000], "float64").change == 0
    assert shifted([2, 1, 0.1], [1000], "float16").change > 0  # 1000.1 is no float16 number
    with pytest.raises(pg.PlaygroundError, match="not 'float8'"):
        shifted([1, 2], [0], "float8")


# the lesson


def test_two_pairs_of_the_lesson_ask_for_different_widths() -> None:
    asked = {(lesson.WORDS[pair.i], lesson.WORDS[pair.j]): pair for pair in lesson.pairs()}
    assert len(asked) == 6
    # (3.2 − 1.4) / ln(0.3 / 0.05) = 1.8 / ln 6, and (3.2 − 9.6) / ln(0.3 / 0.5) = 6.4 / ln(5/3)
    assert asked["apple", "company"].root == pytest.approx(1.8 / math.log(6))
    assert asked["apple", "invented"].root == pytest.approx(6.4 / math.log(5 / 3))
    assert asked["apple", "company"].d_k == pytest.approx(1.009, abs=1e-3)
    assert asked["apple", "invented"].d_k == pytest.approx(156.97, abs=1e-2)


def test_the_lessons_true_weights_by_hand() -> None:
    # d_k = 64: e^0.4, e^0.175, e^1.2, e^0.275 over their sum 7.319777
    np.testing.assert_allclose(lesson.weights_at(64), [0.203807, 0.162744, 0.453584, 0.179865], atol=5e-6)
    with pytest.raises(pg.PlaygroundError, match="greater than 0"):
        lesson.weights_at(0)


def test_no_width_comes_near_the_lessons_weights() -> None:
    d_k, off = lesson.closest()
    assert off > 0.1
    for other in (0.01, 1, d_k / 2, 2 * d_k, 1e5):
        assert np.abs(lesson.weights_at(other) - lesson.CLAIMED).max() >= off


def test_a_layer_has_one_group_of_w_a_head_however_many_words() -> None:
    layer = pg.MultiHeadAttention.random(100, 8)
    few, many = (lesson.groups(layer, np.ones(100, dtype=np.float32), words) for words in (4, 64))
    assert few.matrices == many.matrices == 24
    assert (few.if_per_word, many.if_per_word) == (96, 1536)
    assert few.numbers == 8 * 3 * 100 * 13
    assert few.same_row == 0


# positions


def test_the_product_of_two_positions_is_a_sum_of_cosines_of_their_distance() -> None:
    run = distance_products(pg.sinusoidal_positions(20, 6))
    assert run.deviation < 1e-13
    speeds = [1, 10_000 ** (-2 / 6), 10_000 ** (-4 / 6)]
    np.testing.assert_allclose(run.mean, [sum(math.cos(k * speed) for speed in speeds) for k in range(20)])
    assert len(run.product) == 210


def test_a_sine_without_its_cosine_depends_on_the_places_too() -> None:
    run = distance_products(pg.sinusoidal_positions(20, 1))  # sin i · sin j
    assert run.deviation > 0.4
    assert run.spread[0] == pytest.approx(max(math.sin(i) ** 2 for i in range(20)))


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("d_model", [1, 6, 7])
def test_the_columns_of_a_pair_turn_together(layout: str, d_model: int) -> None:
    positions = pg.sinusoidal_positions(9, d_model, layout=layout)
    for pair in range((d_model + 1) // 2):
        columns = pair_columns(pair, d_model, layout)
        angle = 2 * math.pi * np.arange(9) / wavelength(pair, d_model)
        np.testing.assert_allclose(
            positions[:, columns], np.stack([np.sin(angle), np.cos(angle)], 1)[:, : len(columns)]
        )
    assert len(columns) == (1 if d_model % 2 else 2)
    with pytest.raises(pg.PlaygroundError, match="There is no pair"):
        pair_columns((d_model + 1) // 2, d_model, layout)
