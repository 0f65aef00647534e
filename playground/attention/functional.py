"""Softmax and scaled dot-product attention, every step kept (Vaswani et al. 2017, section 3.2.1)."""

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from playground.attention.memory import enough_memory
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class Attention:
    """The steps of one attention. Leading axes `...` are batches or heads.

    `scores` = QKᵀ, `scaled` = scores · scale, `weights` = softmax(scaled + mask): each row sums to 1, or to 0
    where the query may look nowhere. All three have shape `(..., n_q, n_k)`; `output = weights · V` has
    `(..., n_q, d_v)`.
    """

    scores: np.ndarray
    scaled: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return exp(x) / Σ exp(x) along `axis`: the same shape, values in [0, 1] that sum to 1.

    The maximum is subtracted first, which changes nothing (softmax is shift invariant) but keeps exp from
    overflowing. Entries of −inf get 0; where all are −inf the result is 0, not NaN. float16 is computed in
    float32 and given back as float16; integers give float64.
    """
    x = np.asarray(x)
    given = x.dtype
    x = x.astype(_working_type(x), copy=False)
    maximum = x.max(axis=axis, keepdims=True, initial=-np.inf)
    maximum[np.isneginf(maximum)] = 0
    with np.errstate(over="ignore"):  # a difference beyond the largest number becomes −inf, and its share 0
        result: np.ndarray = x - maximum
    np.exp(result, out=result)  # in place: for long sentences these tables are all the work and all the memory
    total = result.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    result /= total
    return result.astype(np.float16) if given == np.float16 else result


def scaled_dot_product_attention(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    attn_mask: np.ndarray | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> Attention:
    """Return softmax(QKᵀ · scale + mask) · V and the steps to it (Vaswani et al. 2017, equation 1).

    `query (..., n_q, d_k)`, `key (..., n_k, d_k)`, `value (..., n_k, d_v)`; `scale` is 1/√d_k unless given.
    A boolean `attn_mask` is True where attention is allowed, a float mask is added to the scaled scores;
    its shape broadcasts to `(..., n_q, n_k)`. `is_causal` lets query i see keys 0 to i and combines with
    the mask. A blocked key or value never reaches the output, even if it is NaN or infinite. float16 is
    computed in float32 and given back as float16. Any length will do that fits the memory. Raises
    `PlaygroundError` for shapes that do not fit each other, and for scores that do not fit this computer.
    """
    query, key, value = np.asarray(query), np.asarray(key), np.asarray(value)
    _check_shapes(query, key, value)
    if attn_mask is not None:
        attn_mask = np.asarray(attn_mask)
        _check_mask(attn_mask, query, key, value)
    given = np.result_type(query, key, value)
    dtype = _working_type(query, key, value)
    query, key, value = (array.astype(dtype, copy=False) for array in (query, key, value))
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])

    lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    fits = scores_in_memory((*lead, query.shape[-2], key.shape[-2]), dtype, attn_mask is not None)
    with fits, np.errstate(invalid="ignore", over="ignore"):
        scores = query @ np.swapaxes(key, -1, -2)  # (..., n_q, n_k)
        scaled = scores * dtype.type(scale)
        masked, allowed = _masked(scaled, attn_mask, is_causal)
        weights = softmax(masked)
        output = _weighted_sum(weights, value, allowed)  # (..., n_q, d_v)
        if given == np.float16:
            return Attention(*(step.astype(np.float16) for step in (scores, scaled, weights, output)))
    return Attention(scores, scaled, weights, output)


def causal_mask(n_query: int, n_key: int) -> np.ndarray:
    """Return the boolean mask `(n_query, n_key)` in which query i may look at keys 0 to i."""
    return np.tri(n_query, n_key, dtype=bool)


def scores_in_memory(shape: tuple[int, ...], dtype: np.dtype, masked: bool) -> AbstractContextManager[None]:
    """Return a context that raises `PlaygroundError` if tables of this `shape (..., n_q, n_k)` do not fit.

    There are three of them, scores, scaled and weights, and for a while a masked one.
    """
    *lead, n_query, n_key = shape
    needed = (4 if masked else 3) * math.prod(shape) * dtype.itemsize
    times = f" ({math.prod(lead):,} times)" if math.prod(lead) > 1 else ""
    what = f"Attention of {n_query:,} queries over {n_key:,} keys{times}"
    return enough_memory(needed, what, "take fewer words, or fewer heads and sentences at a time")


def _masked(scaled: np.ndarray, attn_mask: np.ndarray | None, is_causal: bool) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the scores with −inf where attention is blocked, and the boolean mask (None: all allowed)."""
    n_query, n_key = scaled.shape[-2:]
    allowed = causal_mask(n_query, n_key) if is_causal else None
    if attn_mask is not None:
        if attn_mask.dtype == bool:
            may_look = attn_mask
        else:
            added = attn_mask.astype(scaled.dtype)  # −1e300 becomes −inf in float32: blocked as well
            scaled = scaled + added
            may_look = ~np.isneginf(added)
        allowed = may_look if allowed is None else allowed & may_look
    if allowed is None:
        return scaled, None
    # where(), not an added −inf: a blocked score may itself be NaN or infinite
    return np.where(allowed, scaled, -np.inf).astype(scaled.dtype, copy=False), allowed


def _weighted_sum(weights: np.ndarray, value: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Return weights · V in which a weight of a blocked key is a true zero: 0 · NaN would be NaN."""
    if allowed is None or (finite := np.isfinite(value)).all():
        result: np.ndarray = weights @ value
        return result
    output = weights @ np.where(finite, value, 0)
    broken = ~finite.all(axis=-1)  # (..., n_k)
    lead = tuple(range(broken.ndim - 1))
    for index in np.flatnonzero(broken.any(axis=lead)):
        row = np.where(finite[..., index, :], 0, value[..., index, :])[..., None, :]  # (..., 1, d_v)
        may_look = np.broadcast_to(allowed, weights.shape)[..., index, None]  # (..., n_q, 1)
        output = output + np.where(may_look, weights[..., index, None] * row, 0)
    return output


def _working_type(*arrays: np.ndarray) -> np.dtype:
    kind = np.result_type(*arrays)
    if kind.kind not in "biuf":
        raise PlaygroundError(f"Attention takes real numbers, not {kind}.")
    return np.dtype(np.float32 if kind in (np.float16, np.float32) else np.float64)


def _check_shapes(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    for name, array in (("query", query), ("key", key), ("value", value)):
        if array.ndim < 2:
            raise PlaygroundError(f"{name} must have shape (..., n, d), not {array.shape}.")
    if query.shape[-1] != key.shape[-1] or query.shape[-1] == 0:
        raise PlaygroundError(
            f"query and key must have the same width d_k: query is {query.shape}, key is {key.shape}."
        )
    if key.shape[-2] != value.shape[-2]:
        raise PlaygroundError(f"key and value must have as many rows: key is {key.shape}, value is {value.shape}.")
    try:
        np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError:
        raise PlaygroundError(
            f"The leading axes do not fit: query {query.shape}, key {key.shape}, value {value.shape}."
        ) from None


def _check_mask(attn_mask: np.ndarray, query: np.ndarray, key: np.ndarray, value: np.ndarray) -> None:
    if attn_mask.dtype.kind not in "bf":
        raise PlaygroundError(f"attn_mask must be boolean (True: allowed) or float (added), not {attn_mask.dtype}.")
    n_query, n_key = query.shape[-2], key.shape[-2]
    lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    try:
        np.broadcast_shapes(attn_mask.shape[:-2], lead)
        fits = np.broadcast_shapes(attn_mask.shape[-2:], (n_query, n_key)) == (n_query, n_key)
    except ValueError:
        fits = False
    if not fits:
        raise PlaygroundError(
            f"attn_mask of shape {attn_mask.shape} does not fit the scores {(*lead, n_query, n_key)}."
        )
