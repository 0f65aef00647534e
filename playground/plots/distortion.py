"""How far a flat picture of words can be believed, word by word."""

from dataclasses import dataclass

import numpy as np

from playground.errors import PlaygroundError

_BATCH_ROWS = 500  # rows of the (n, n) tables held at once


@dataclass(frozen=True)
class Distortion:
    """The true neighbours of each shown word, and how many of them the picture keeps near it.

    `neighbors (n, k)` are the rows of the k words with the highest cosine, `cosines (n, k)` theirs, the
    nearest first. `kept (n,)`, in [0, 1], is the share of these that are also among the k nearest points of
    the picture: 1 is a word that the picture shows truly, 0 one whose surroundings are all wrong. By
    chance alone it would be about `k / (n - 1)`.
    """

    kept: np.ndarray
    neighbors: np.ndarray
    cosines: np.ndarray
    k: int

    @property
    def mean(self) -> float:
        """The mean of `kept`, a measure of the whole picture."""
        return float(self.kept.mean())


def distortion(matrix: np.ndarray, points: np.ndarray, k: int = 10) -> Distortion:
    """Return how well `points (n, dims)` keep the neighbourhoods of the word vectors `matrix (n, d)`.

    This is the share of kept neighbours, Q_NX in Lee & Verleysen 2009 ("Quality assessment of
    dimensionality reduction: rank-based criteria"), taken for each point by itself. `k` becomes smaller
    for few words, at most half of the others, since all of them are always kept. Raises `PlaygroundError`
    for a vector that is zero or not finite, for fewer than three words, or for a `k` below 1.
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise PlaygroundError(f"k must be a whole number of at least 1, not {k!r}.")
    matrix, points = np.asarray(matrix, dtype=np.float64), np.asarray(points, dtype=np.float64)
    n = len(matrix)
    if matrix.ndim != 2 or points.ndim != 2 or len(points) != n:
        raise PlaygroundError(
            f"A picture has one point a word: these are {matrix.shape} numbers and {points.shape} points."
        )
    if n < 3:
        raise PlaygroundError(f"Neighbourhoods need at least three words, and here are {n}.")
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    bad = np.flatnonzero(~np.isfinite(norms[:, 0]) | (norms[:, 0] == 0) | ~np.isfinite(points).all(axis=1))
    if len(bad):
        raise PlaygroundError(f"Row {bad[0] + 1} of {n} is zero or not finite: leave it out.")
    k = min(int(k), (n - 1) // 2)
    units = matrix / norms
    squares = np.square(points).sum(axis=1)
    kept, neighbors, cosines = np.empty(n), np.empty((n, k), dtype=np.intp), np.empty((n, k))
    for start in range(0, n, _BATCH_ROWS):
        rows = np.arange(start, min(start + _BATCH_ROWS, n))
        cosine = np.clip(units[rows] @ units.T, -1.0, 1.0)
        distance = squares - 2 * points[rows] @ points.T  # squared, less what is the same along a row
        neighbors[rows] = _nearest(-cosine, rows, k)
        cosines[rows] = np.take_along_axis(cosine, neighbors[rows], axis=1)
        near = _nearest(distance, rows, k)
        kept[rows] = (neighbors[rows][:, :, None] == near[:, None, :]).any(axis=2).mean(axis=1)
    return Distortion(kept, neighbors, cosines, k)


def _nearest(distance: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
    """Return the columns of the `k` smallest of each row, in order, without its own place `rows`."""
    distance[np.arange(len(rows)), rows] = np.inf
    smallest = np.argpartition(distance, k, axis=1)[:, :k]
    order = np.lexsort((smallest, np.take_along_axis(distance, smallest, axis=1)), axis=1)
    nearest: np.ndarray = np.take_along_axis(smallest, order, axis=1)
    return nearest
