"""Positions as sines and cosines (Vaswani et al. 2017, section 3.5)."""

from typing import Literal

import numpy as np

from playground.errors import PlaygroundError

Layout = Literal["interleaved", "concatenated"]


def sinusoidal_positions(
    n: int, d_model: int, base: float = 10_000.0, layout: Layout = "interleaved", start: int = 0
) -> np.ndarray:
    """Return the position matrix `(n, d_model)`, float64, values in [-1, 1]; row i is position start + i.

    Pair k of columns turns at one speed: sin(i / base^(2k/d_model)) and cos of the same angle.
    "interleaved" puts a pair in columns 2k and 2k+1 (the paper), "concatenated" all sines before all
    cosines (the authors' own code). An odd `d_model` leaves the last pair without its cosine.
    """
    for name, number, least in (("n", n, 0), ("d_model", d_model, 1), ("start", start, 0)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
            raise PlaygroundError(f"{name} must be a whole number of at least {least}, not {number!r}.")
    if not base > 1:
        raise PlaygroundError(f"The base must be greater than 1, not {base!r}.")
    if layout not in ("interleaved", "concatenated"):
        raise PlaygroundError(f"The layout is interleaved or concatenated, not {layout!r}.")
    pairs = (d_model + 1) // 2
    speed = base ** (-2 * np.arange(pairs) / d_model)  # (pairs,)
    angle = np.arange(start, start + n)[:, None] * speed  # (n, pairs)
    sine, cosine = np.sin(angle), np.cos(angle)[:, : d_model // 2]
    if layout == "concatenated":
        return np.concatenate([sine, cosine], axis=1)
    positions = np.empty((n, d_model))
    positions[:, 0::2] = sine
    positions[:, 1::2] = cosine
    return positions
