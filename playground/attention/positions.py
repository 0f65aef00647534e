"""Positions as sines and cosines (Vaswani et al. 2017, section 3.5)."""

import math
from dataclasses import dataclass
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


def wavelength(pair: int, d_model: int, base: float = 10_000.0) -> float:
    """Return after how many places pair `pair` (from 0) has turned once: 2π · base^(2·pair/d_model)."""
    return 2 * math.pi * math.pow(base, 2 * pair / d_model)


def pair_columns(pair: int, d_model: int, layout: Layout = "interleaved") -> tuple[int, ...]:
    """Return the columns, from 0, of pair `pair`: (sine, cosine), or (sine,) for the last of an odd width."""
    pairs = (d_model + 1) // 2
    if not 0 <= pair < pairs:
        raise PlaygroundError(f"There is no pair {pair} in {d_model} columns: give one from 0 to {pairs - 1}.")
    columns = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, pairs + pair)
    return columns if pair < d_model // 2 else columns[:1]


@dataclass(frozen=True)
class Products:
    """The products PE_i · PE_j of all pairs of places i ≥ j.

    `distance` and `product` `(n(n + 1)/2,)` hold i − j and PE_i · PE_j of each pair; `mean` and `spread` `(n,)`
    the mean of all pairs of one distance, and their largest less their smallest. `deviation` is the largest
    distance of a product from its mean: only rounding where the products depend on i − j alone.
    """

    distance: np.ndarray
    product: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    deviation: float


def distance_products(positions: np.ndarray) -> Products:
    """Return the products of the rows of `positions (n, d_model)`, sorted out by distance."""
    products = positions @ positions.T
    i, j = np.tril_indices(len(positions))
    diagonals = [np.diagonal(products, -k) for k in range(len(positions))]
    mean = np.array([diagonal.mean() for diagonal in diagonals])
    product = products[i, j]
    return Products(
        distance=i - j,
        product=product,
        mean=mean,
        spread=np.array([np.ptp(diagonal) for diagonal in diagonals]),
        deviation=float(np.abs(product - mean[i - j]).max(initial=0.0)),
    )
