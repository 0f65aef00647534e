"""Where the projections W_Q, W_K, W_V, W_O come from: the identity, or chance."""

import numpy as np

from playground.errors import PlaygroundError

Weights = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # w_q, w_k, w_v, w_o


def identity_weights(d_model: int, num_heads: int) -> Weights:
    """Return projections that change nothing, cut into heads; all float32.

    Head i reads columns i·d_k to (i+1)·d_k of X. Where num_heads does not divide d_model, the last heads are
    filled up with zero columns, so that the concatenation times W_O is still the words themselves.
    """
    _check_sizes(d_model=d_model, num_heads=num_heads)
    if num_heads > d_model:
        raise PlaygroundError(f"{num_heads} heads cannot share {d_model} columns: take at most {d_model} heads.")
    d_k = -(-d_model // num_heads)
    padded = np.eye(d_model, num_heads * d_k, dtype=np.float32)  # (d_model, h · d_k)
    w = np.ascontiguousarray(padded.reshape(d_model, num_heads, d_k).transpose(1, 0, 2))  # (h, d_model, d_k)
    return w, w, w, np.ascontiguousarray(padded.T)


def random_weights(d_model: int, num_heads: int, d_k: int | None, d_v: int | None, seed: int) -> Weights:
    """Return untrained projections, float32: normal, mean 0, variance 1/(number of inputs), from `seed`."""
    _check_sizes(d_model=d_model, num_heads=num_heads)
    d_k = -(-d_model // num_heads) if d_k is None else d_k
    d_v = d_k if d_v is None else d_v
    _check_sizes(d_k=d_k, d_v=d_v)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise PlaygroundError(f"seed must be a whole number of at least 0, not {seed!r}.")
    generator = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        drawn: np.ndarray = generator.standard_normal(shape) / np.sqrt(shape[-2])
        return drawn.astype(np.float32)

    return (
        draw(num_heads, d_model, d_k),
        draw(num_heads, d_model, d_k),
        draw(num_heads, d_model, d_v),
        draw(num_heads * d_v, d_model),
    )


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise PlaygroundError(f"{name} must be a whole number of at least 1, not {size!r}.")
