"""What softmax does and does not mind: temperature, a constant added, and numbers too large for exp."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.attention.functional import softmax
from playground.errors import PlaygroundError

PRECISIONS = ("float16", "float32", "float64")


def with_temperature(scores: Sequence[float], temperatures: Sequence[float]) -> np.ndarray:
    """Return softmax(scores / T) for each temperature T > 0, shape `(len(temperatures), n)`.

    T near 0 gives all to the largest score, a large T the same to each (Hinton et al. 2015, equation 1).
    """
    t = np.asarray(temperatures, dtype=np.float64)
    if not (t > 0).all():
        raise PlaygroundError("A temperature must be greater than 0.")
    weights: np.ndarray = softmax(np.asarray(scores, dtype=np.float64) / t[:, None])
    return weights


def naive_softmax(x: np.ndarray) -> np.ndarray:
    """Return exp(x) / Σ exp(x) along the last axis exactly as written, in the precision of `x`.

    Without the maximum subtracted, exp overflows to infinity, and inf / inf is NaN; or all of them become 0,
    and so is 0 / 0.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        exponentials = np.exp(x)
        result: np.ndarray = exponentials / exponentials.sum(axis=-1, keepdims=True, dtype=x.dtype)
    return result


@dataclass(frozen=True)
class Shift:
    """The same scores with a growing constant added, by two ways of computing softmax.

    `constants (m,)`; `naive` and `stable` `(m, n)` are the weights without and with the maximum subtracted, in
    one precision; `change` is the largest difference of a stable weight from the one of constant 0: not quite
    0 where the precision is too small to hold score + constant.
    `largest` is the greatest number whose exp is still finite.
    """

    constants: np.ndarray
    naive: np.ndarray
    stable: np.ndarray
    change: float
    largest: float

    @property
    def broken(self) -> np.ndarray:
        """Where the naive weights are no numbers, `(m,)`."""
        nowhere: np.ndarray = np.isnan(self.naive).any(axis=1)
        return nowhere


def shifted(scores: Sequence[float], constants: Sequence[float], precision: str = "float32") -> Shift:
    """Return the weights of `scores` + c for each constant c, computed in `precision`."""
    if precision not in PRECISIONS:
        raise PlaygroundError(f"The precision is one of {', '.join(PRECISIONS)}, not {precision!r}.")
    dtype = np.dtype(precision)
    c = np.asarray(constants, dtype=np.float64)
    x = (np.asarray(scores, dtype=np.float64) + c[:, None]).astype(dtype)  # both ways start from the same numbers
    unmoved = np.asarray(scores, dtype=dtype)
    stable = naive_softmax(x - x.max(axis=-1, keepdims=True))
    return Shift(
        constants=c,
        naive=naive_softmax(x),
        stable=stable,
        change=float(np.abs(stable.astype(np.float64) - naive_softmax(unmoved - unmoved.max())).max()),
        largest=float(np.log(np.finfo(dtype).max.astype(np.float64))),
    )
