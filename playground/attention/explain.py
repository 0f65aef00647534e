"""The numbers that made one cell: a dot product term by term, a softmax row, a weighted sum."""

import math
from dataclasses import dataclass

import numpy as np

from playground.errors import PlaygroundError


@dataclass(frozen=True)
class DotProduct:
    """Σ left_i · right_i with every term kept.

    `left`, `right`, `terms` have shape `(d,)`; `order` lists the places by the size of their term, largest
    first; `total` is the correctly rounded sum of the terms.
    """

    left: np.ndarray
    right: np.ndarray
    terms: np.ndarray
    order: np.ndarray
    total: float

    def rest(self, shown: int) -> float:
        """Return the sum of all terms but the `shown` largest ones."""
        return math.fsum(self.terms[self.order[shown:]].tolist())


@dataclass(frozen=True)
class SoftmaxRow:
    """How a row of scaled scores becomes weights.

    `maximum` is the largest score that is not blocked; `exponentials (n,)` = e^(score − maximum), 0 where
    blocked; `total` is their sum, and `weights (n,)` = exponentials / total. With nothing to look at, the
    maximum is −inf and all else is 0.
    """

    maximum: float
    exponentials: np.ndarray
    total: float
    weights: np.ndarray


@dataclass(frozen=True)
class WeightedSum:
    """Σ weight_j · value_j: `rows (n, d_v)` are the weighted values, `total (d_v,)` their sum."""

    rows: np.ndarray
    total: np.ndarray


def dot_product(left: np.ndarray, right: np.ndarray) -> DotProduct:
    """Return the dot product of two vectors `(d,)` term by term.

    Raises `PlaygroundError` if they have different lengths.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape:
        raise PlaygroundError(f"A dot product takes two vectors of one length, not {left.shape} and {right.shape}.")
    terms = left * right
    order = np.argsort(-np.abs(terms), kind="stable")
    return DotProduct(left, right, terms, order, math.fsum(terms.tolist()))


def softmax_row(scores: np.ndarray) -> SoftmaxRow:
    """Return the softmax of one row of scores `(n,)` with its exponentials; −inf is a blocked score."""
    scores = np.asarray(scores, dtype=np.float64)
    maximum = float(scores.max(initial=-np.inf))
    if maximum == -np.inf:
        nothing = np.zeros_like(scores)
        return SoftmaxRow(maximum, nothing, 0.0, nothing)
    exponentials = np.exp(scores - maximum)
    total = math.fsum(exponentials.tolist())
    return SoftmaxRow(maximum, exponentials, total, exponentials / total)


def weighted_sum(weights: np.ndarray, value: np.ndarray) -> WeightedSum:
    """Return the rows of `value (n, d_v)`, each times its weight `(n,)`, and their sum: one word's output."""
    rows = np.asarray(weights, dtype=np.float64)[:, None] * np.asarray(value, dtype=np.float64)
    return WeightedSum(rows, rows.sum(axis=0))
