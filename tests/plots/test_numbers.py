import math

import pytest

from playground.plots.numbers import cell, decimals, percent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.76986, "0.770"),
        (1.0, "1.000"),
        (0.9996, "0.9996"),
        (0.99996, "0.99996"),
        (1 - 1e-12, "0.9999999"),
        (-0.9999, "−0.9999"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (0.0004, "0.0004"),
        (-0.0004, "−0.0004"),
        (2e-10, "2e−10"),
        (-0.028, "−0.028"),
        (12.3456, "12.346"),
    ],
)
def test_a_number_is_never_rounded_to_an_exact_0_or_1(value, text):
    assert decimals(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.706, "0.71"),
        (1.0, "1"),
        (0.0, "0"),
        (0.9996, "0.9996"),
        (1 - 1e-9, "≈1"),
        (0.001, "0.00"),
        (-0.001, "0.00"),
        (-1.0, "−1"),
        (35.91, "35.9"),
        (-220.4, "−220"),
        (math.nan, "–"),
        (-math.inf, "–"),
    ],
)
def test_in_a_cell_a_bare_0_or_1_is_exact(value, text):
    assert cell(value) == text


def test_a_small_share_is_not_called_0_per_cent():
    assert percent(0.004) == "under 1 %"
    assert percent(0.0) == "0 %"


def test_nearly_all_is_not_called_100_per_cent():
    assert percent(0.9978) == "99.7 %"
    assert percent(0.99999) == "99.9 %"
    assert percent(1.0) == "100 %"
    assert percent(0.994) == "99 %"
    assert percent(0.447) == "45 %"
