"""Many dimensions → two or three: PCA and t-SNE, made repeatable."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from playground.errors import PlaygroundError

ProjectionMethod = Literal["pca", "tsne"]


@dataclass(frozen=True)
class Projection:
    """Points of a picture.

    `points (n, dims)`; for PCA, `explained_variance_ratio (dims,)` is each axis's share of the variance, in
    [0, 1], `components (dims, d)` the axes as unit vectors and `mean (d,)` what was subtracted. t-SNE has no
    axes: the three are None. `note` says in words what the data could not give; axes that do not exist are
    filled with zeros.
    """

    points: np.ndarray
    explained_variance_ratio: np.ndarray | None
    components: np.ndarray | None
    mean: np.ndarray | None
    note: str = ""


def project(matrix: np.ndarray, method: ProjectionMethod = "pca", dims: int = 2, seed: int = 0) -> Projection:
    """Return the rows of `matrix (n, d)` as points in `dims` dimensions.

    PCA is scikit-learn's with the sign of each axis set so that its largest loading is positive: the solver
    does not decide it, and a word more seldom flips the picture. t-SNE (van der Maaten & Hinton 2008) is seeded. Raises
    `PlaygroundError` for rows that are not finite and for no rows.
    """
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise PlaygroundError(f"A projection needs a matrix (n, d) with at least one row, not {matrix.shape}.")
    if isinstance(dims, bool) or not isinstance(dims, (int, np.integer)) or dims not in (1, 2, 3):
        raise PlaygroundError(f"A picture has 1, 2 or 3 dimensions, not {dims!r}.")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**32:
        raise PlaygroundError(f"seed must be a whole number from 0 to 2³² − 1, not {seed!r}.")
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise PlaygroundError(f"Row {bad[0] + 1} of {len(matrix)} is not finite: leave it out.")
    if method == "pca":
        return _pca(matrix, dims)
    if method == "tsne":
        return _tsne(matrix, dims, seed)
    raise PlaygroundError(f"The method is pca or tsne, not {method!r}.")


def perplexity_for(n: int) -> float:
    """Return the number of neighbours that t-SNE aims to keep for each of `n` words: 30, or fewer for few words."""
    return min(30.0, (n - 1) / 3)


def _pca(matrix: np.ndarray, dims: int) -> Projection:
    from sklearn.decomposition import PCA

    n, d = matrix.shape
    points, ratio, components = np.zeros((n, dims)), np.zeros(dims), np.zeros((dims, d))
    mean = matrix.mean(axis=0)
    scale = np.abs(matrix).max()
    if n < 2 or np.abs(matrix - mean).max() <= 1e-9 * scale:
        what = "One word" if n == 1 else "Words with one and the same vector"
        return Projection(points, ratio, components, mean, f"{what}: there is no spread to show.")
    axes = min(dims, n - 1, d)
    fitted = PCA(n_components=axes, svd_solver="full").fit(matrix / scale)  # no square overflows
    held = fitted.explained_variance_ratio_ > 1e-12
    axes = int(held.sum())
    loadings = np.abs(fitted.components_)
    # of loadings that are equal but for rounding the first, or rounding would decide the sign
    largest = (loadings > 0.999999 * loadings.max(axis=1, keepdims=True)).argmax(axis=1)
    signs = np.sign(fitted.components_[np.arange(len(largest)), largest])
    components[:axes] = (fitted.components_ * signs[:, None])[:axes]
    points[:, :axes] = (matrix - mean) @ components[:axes].T
    ratio[:axes] = fitted.explained_variance_ratio_[:axes]
    note = "" if axes == dims else f"{n} words spread along {axes} {'axis' if axes == 1 else 'axes'} only."
    return Projection(points, ratio, components, mean, note)


def _tsne(matrix: np.ndarray, dims: int, seed: int) -> Projection:
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    n, d = matrix.shape
    reason = ""
    if n < 4 or np.ptp(matrix, axis=0).max() == 0:
        reason = "t-SNE needs at least four different words"
    elif d < dims:
        reason = f"t-SNE cannot make {dims} dimensions of vectors with {d}"
    if reason:
        return Projection(_pca(matrix, dims).points, None, None, None, f"{reason}; this is PCA.")
    tsne = TSNE(dims, perplexity=perplexity_for(n), init="pca", random_state=seed)
    # its threads wait for one another at every step: on a busy computer two take twenty times as long as one
    with threadpool_limits(1):
        points = tsne.fit_transform(matrix)
    return Projection(points.astype(np.float64), None, None, None)
