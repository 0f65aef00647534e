"""Several heads held against one another: how sharp, how different, and what each one adds."""

from dataclasses import dataclass

import numpy as np

from playground.attention.multihead import MultiHeadAttention, MultiHeadSteps, join_heads, split_heads
from playground.errors import PlaygroundError


def entropy(weights: np.ndarray) -> np.ndarray:
    """Return the entropy of each row of `weights (..., n, n)` in bits, `(..., n)`: −Σ p · log₂ p.

    0 where a word looks at one word only, log₂ n where it looks at all alike; 0 for a row of zeros.
    """
    weights = np.asarray(weights, dtype=np.float64)
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    result: np.ndarray = np.abs((weights * logs).sum(axis=-1))  # abs: no −0
    return result


def head_differences(weights: np.ndarray) -> np.ndarray:
    """Return how much the heads of `weights (h, n, n)` differ in where they look, `(h, h)`, in [0, 1].

    The share of a row's weight that two heads give to different words (total variation, ½ Σ |p − q|), averaged
    over the rows: 0 if two heads look alike, 1 if they share no word.
    """
    weights = np.asarray(weights, dtype=np.float64)
    apart = np.abs(weights[:, None] - weights[None, :]).sum(axis=-1) / 2  # (h, h, n)
    result: np.ndarray = apart.mean(axis=-1)
    return result


def head_contributions(layer: MultiHeadAttention, steps: MultiHeadSteps) -> np.ndarray:
    """Return what each head adds to the output, `(h, n, d_model)`: its slice of the concat times its rows of W_O.

    The contributions add up to the layer's output: concat · W_O = Σ head_i · W_O,i.
    """
    rows = layer.w_o.reshape(layer.num_heads, layer.d_v, layer.d_model)
    result: np.ndarray = steps.heads @ rows
    return result


def without_head(layer: MultiHeadAttention, steps: MultiHeadSteps, head: int) -> np.ndarray:
    """Return the layer's output `(n, d_model)` with one head taken away: its columns of the concat are 0.

    Raises `PlaygroundError` if there is no head of that number, counted from 0.
    """
    if not 0 <= head < layer.num_heads:
        raise PlaygroundError(f"There is no head {head}: the layer has heads 0 to {layer.num_heads - 1}.")
    concat = steps.concat.copy()
    concat[..., head * layer.d_v : (head + 1) * layer.d_v] = 0
    result: np.ndarray = concat @ layer.w_o
    return result


@dataclass(frozen=True)
class BigProjection:
    """One projection for all heads at once, and the h small ones that it is made of.

    `weight (d_model, h · d)` holds the heads' matrices side by side, `product (n, h · d)` is X times it, and
    `heads (h, n, d)` the product cut into heads. `difference` is the largest distance to the small
    projections; `reshaped_difference` the same where the product is reshaped to (h, n, d) without
    exchanging axes, a common mistake that mixes words with heads.
    """

    weight: np.ndarray
    product: np.ndarray
    heads: np.ndarray
    difference: float
    reshaped_difference: float


def big_projection(x: np.ndarray, weight: np.ndarray) -> BigProjection:
    """Return X · [W_1 | … | W_h] cut into heads, compared with X · W_i for each i.

    `x (n, d_model)`, `weight (h, d_model, d)`.
    """
    h, _, d = weight.shape
    big = join_heads(weight)
    product = x @ big
    cut = split_heads(product, h)
    small = x @ weight  # (h, n, d)
    mistaken = product.reshape(h, len(x), d)
    return BigProjection(big, product, cut, float(np.abs(cut - small).max()), float(np.abs(mistaken - small).max()))
