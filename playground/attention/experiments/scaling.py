"""Why divide by √d_k? Random queries and keys of growing width, with and without."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.attention.functional import softmax
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class Scores:
    """What softmax makes of scores, for each width d_k; all arrays `(len(widths),)`.

    `spread` is the standard deviation of all scores, `largest` the median of the largest weight of a row,
    `gradient` the median size (Frobenius norm) of ∂weights/∂scores.
    """

    spread: np.ndarray
    largest: np.ndarray
    gradient: np.ndarray


@dataclass(frozen=True)
class Scaling:
    """The scores q·k as they are, and divided by √d_k, for the same random queries and keys."""

    widths: tuple[int, ...]
    keys: int
    plain: Scores
    scaled: Scores


def scaling(widths: Sequence[int], keys: int = 16, trials: int = 300, seed: int = 0) -> Scaling:
    """Return what growing widths d_k do to softmax, over `trials` random queries with `keys` keys each.

    All numbers of q and k are independent, of mean 0 and variance 1, so the variance of q·k is d_k
    (Vaswani et al. 2017, footnote 4). Raises `PlaygroundError` for a width below 1 or fewer than 2 keys.
    """
    if not widths or min(widths) < 1:
        raise PlaygroundError(f"A width d_k is a whole number of at least 1: got {list(widths)}.")
    if keys < 2 or trials < 1:
        raise PlaygroundError(f"At least 2 keys and 1 trial are needed, not {keys} and {trials}.")
    plain, scaled = [], []
    for d_k in widths:
        random = np.random.default_rng([seed, d_k])
        query = random.standard_normal((trials, 1, d_k))
        key = random.standard_normal((trials, keys, d_k))
        scores = (query @ np.swapaxes(key, -1, -2))[:, 0]  # (trials, keys)
        plain.append(_facts(scores))
        scaled.append(_facts(scores / np.sqrt(d_k)))
    return Scaling(tuple(widths), keys, _table(plain), _table(scaled))


def softmax_jacobian(weights: np.ndarray) -> np.ndarray:
    """Return ∂w_i/∂s_j of w = softmax(s) from `weights (..., n)`: diag(w) − w wᵀ, shape `(..., n, n)`."""
    weights = np.asarray(weights)
    diagonal = weights[..., None] * np.eye(weights.shape[-1])
    result: np.ndarray = diagonal - weights[..., :, None] * weights[..., None, :]
    return result


def _facts(scores: np.ndarray) -> tuple[float, float, float]:
    weights = softmax(scores)
    sizes = np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1))
    return float(scores.std()), float(np.median(weights.max(axis=-1))), float(np.median(sizes))


def _table(facts: list[tuple[float, float, float]]) -> Scores:
    return Scores(*np.array(facts).T)
