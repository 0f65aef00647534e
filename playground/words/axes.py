"""Directions of meaning from pairs of words, such as poor → rich, and where words lie along them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, shorten
from playground.words.lookup import vector_of
from playground.words.neighbors import difference, unit

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Axis:
    """A direction from `low` to `high`, the names of its two ends.

    `direction (d,)` has length 1. `agreement (pairs,)` is the cosine, in [-1, 1], of each pair's own
    difference with it: the pairs mean the same thing as far as these are high.
    """

    direction: np.ndarray
    low: str
    high: str
    pairs: tuple[tuple[str, str], ...]
    agreement: np.ndarray


@dataclass(frozen=True)
class Placement:
    """Words along one or two axes.

    `points (n, axes)` are the cosines of each word with each axis, in [-1, 1]. `residual (n,)`, in [0, 1],
    is the share of a word (of its squared length) that the axes together do not hold. `angle` is the one
    between the two axes in degrees, None for one axis: only at 90 do they say different things.
    """

    words: tuple[str, ...]
    axes: tuple[Axis, ...]
    points: np.ndarray
    residual: np.ndarray
    angle: float | None


def axis(
    vectors: "KeyedVectors",
    pairs: Sequence[tuple[str, str]],
    *,
    low: str | None = None,
    high: str | None = None,
) -> Axis:
    """Return the direction from the first to the second words of `pairs`, such as `[("poor", "rich")]`.

    It is the mean of the differences of the pairs' unit vectors, scaled to length 1 (Kozlowski, Taddy &
    Evans 2019, "The geometry of culture"). Its ends are called `low` and `high`, by default after the
    first pair. Raises `PlaygroundError` for no pair, an unknown word, a pair of one word or of one
    direction, and pairs that cancel each other.
    """
    if not len(pairs):
        raise PlaygroundError("An axis needs at least one pair of words, such as ('poor', 'rich').")
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(word, str) for word in pair):
            raise PlaygroundError(f"A pair is two words, such as ('poor', 'rich'), not {shorten(repr(pair))}.")
    differences = np.stack([difference(vectors, first, second) for first, second in pairs])  # (pairs, d)
    mean = differences.mean(axis=0)
    if np.linalg.norm(mean) < 1e-6:
        raise PlaygroundError("These pairs cancel each other: they point to opposite sides.")
    direction = unit(mean)
    agreement = differences @ direction / np.linalg.norm(differences, axis=1)
    kept = tuple((first, second) for first, second in pairs)
    return Axis(direction, low or kept[0][0], high or kept[0][1], kept, np.clip(agreement, -1.0, 1.0))


def place(vectors: "KeyedVectors", words: Sequence[str], axes: Axis | Sequence[Axis]) -> Placement:
    """Return where `words` lie along one or two axes, and how much of each the axes leave out.

    The residual is that of least squares: what remains of the unit vector after the best mixture of the
    two axes, whatever their angle. Raises `PlaygroundError` for no words, an unknown word, more than two
    axes, or an axis of other vectors.
    """
    chosen = (axes,) if isinstance(axes, Axis) else tuple(axes)
    if len(chosen) not in (1, 2):
        raise PlaygroundError(f"Words are placed on one or two axes, not {len(chosen)}.")
    if any(one.direction.shape != (vectors.vector_size,) for one in chosen):
        raise PlaygroundError("An axis belongs to the vectors that it was made from: make it anew for these.")
    if isinstance(words, str) or not len(words):
        raise PlaygroundError("There are no words to place: give a list of at least one.")
    units = np.stack([unit(vector_of(vectors, word)) for word in words])  # (n, d)
    directions = np.stack([one.direction for one in chosen])  # (axes, d)
    points = units @ directions.T
    mixture = np.linalg.lstsq(directions.T, units.T, rcond=None)[0]  # (axes, n)
    residual = np.square(units - mixture.T @ directions).sum(axis=1)
    angle = None
    if len(chosen) == 2:
        angle = math.degrees(math.acos(np.clip(directions[0] @ directions[1], -1.0, 1.0)))
    return Placement(tuple(words), chosen, np.clip(points, -1.0, 1.0), np.clip(residual, 0.0, 1.0), angle)
