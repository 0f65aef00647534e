"""The numbers that made one cell."""

import numpy as np
import pytest

import playground as pg
from playground.attention.explain import dot_product, softmax_row, weighted_sum


def test_a_dot_product_lists_its_largest_terms_first():
    # 1·2 = 2, −3·1 = −3, 0.5·1 = 0.5, 4·0 = 0: the sum is −0.5
    product = dot_product(np.array([1, -3, 0.5, 4]), np.array([2, 1, 1, 0]))
    assert product.terms.tolist() == [2, -3, 0.5, 0]
    assert product.order.tolist() == [1, 0, 2, 3]
    assert product.total == -0.5
    assert product.rest(2) == 0.5
    assert product.rest(0) == product.total
    assert product.rest(4) == 0


def test_terms_shown_and_the_rest_add_to_the_total():
    random = np.random.default_rng(0)
    product = dot_product(random.standard_normal(100), random.standard_normal(100))
    shown = product.terms[product.order[:10]].sum()
    assert shown + product.rest(10) == pytest.approx(product.total, abs=1e-12)


def test_terms_that_cancel_are_summed_without_loss():
    # added from left to right, the 1 is lost in 1e16
    assert dot_product(np.array([1e16, 1, -1e16]), np.ones(3)).total == 1


def test_vectors_of_different_lengths_have_no_dot_product():
    with pytest.raises(pg.PlaygroundError, match=r"\(3,\) and \(1,\)"):
        dot_product(np.ones(3), np.ones(1))


def test_a_softmax_row_by_hand():
    # e^0 = 1 and e^-ln 3 = 1/3: the sum is 4/3, the weights 3/4 and 1/4
    row = softmax_row(np.array([5.0, 5 - np.log(3)]))
    assert row.maximum == 5
    np.testing.assert_allclose(row.exponentials, [1, 1 / 3])
    assert row.total == pytest.approx(4 / 3)
    np.testing.assert_allclose(row.weights, [0.75, 0.25])


def test_a_blocked_score_has_no_part():
    row = softmax_row(np.array([-np.inf, 2.0, -np.inf]))
    assert row.exponentials.tolist() == row.weights.tolist() == [0, 1, 0]
    nowhere = softmax_row(np.full(3, -np.inf))
    assert nowhere.total == 0 and nowhere.weights.tolist() == [0, 0, 0]


def test_a_weighted_sum_by_hand():
    result = weighted_sum(np.array([0.25, 0.75]), np.array([[4.0, 0.0], [0.0, 8.0]]))
    assert result.rows.tolist() == [[1, 0], [0, 6]]
    assert result.total.tolist() == [1, 6]
