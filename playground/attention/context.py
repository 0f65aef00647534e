"""A word's vector before and after its sentence: attention without training and without positions.

Raw word vectors share a direction (all have much in common) and a few strong ones (frequent or rare, name or
not), which drown the meaning in every dot product. The prepared space takes them away: mean and first
principal components removed ("all-but-the-top", Mu and Viswanath 2018), then every row the same length.
"""

from dataclasses import dataclass, field

import numpy as np

from playground.attention.functional import scaled_dot_product_attention
from playground.attention.positions import sinusoidal_positions
from playground.errors import PlaygroundError

_CHUNK = 8_192  # rows at a time: a vocabulary of millions is never copied as a whole


@dataclass(frozen=True)
class ContextSpace:
    """A vocabulary's vectors, prepared for attention: y = (x − mean) without `components`, at length √d.

    The prepared rows are made when they are asked for: `matrix (V, d)` is the vocabulary itself, not a copy.
    `lengths (V,)` are those of the rows before they are scaled; 0 where a row has no direction.
    """

    matrix: np.ndarray = field(repr=False)  # (V, d)
    mean: np.ndarray = field(repr=False)  # (d,)
    components: np.ndarray = field(repr=False)  # (k, d), orthonormal
    lengths: np.ndarray = field(repr=False)  # (V,)

    def rows(self, indices: np.ndarray) -> np.ndarray:
        """Return the prepared rows of the words `indices (n,)`, `(n, d)`, each of length √d (or 0)."""
        lengths = self.lengths[indices]
        has_direction = lengths > 0
        rows = np.zeros((len(indices), self.matrix.shape[1]))
        rows[has_direction] = _remove(self.matrix[indices[has_direction]] - self.mean, self.components)
        rows[has_direction] *= np.sqrt(rows.shape[1]) / lengths[has_direction, None]
        return rows

    def cosines(self, query: np.ndarray) -> np.ndarray:
        """Return the cosine of `query (d,)` with every prepared row, `(V,)`; NaN for one without direction."""
        length = np.linalg.norm(query)
        if not length > 0:
            return np.full(len(self.matrix), np.nan)
        # the preparation is linear but for the lengths, so it can be done to the query: (x − m)P·q = (x − m)·Pq
        query = _remove(query / length, self.components)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            cosine = (self.matrix @ query.astype(self.matrix.dtype) - self.mean @ query) / self.lengths
        cosine[self.lengths == 0] = np.nan
        result: np.ndarray = np.clip(cosine, -1.0, 1.0)
        return result


@dataclass(frozen=True)
class Moved:
    """One word's row of attention: `weights (n,)`, the `context (d,)` they mix, and `after (d,)`."""

    weights: np.ndarray
    context: np.ndarray
    after: np.ndarray


def context_space(matrix: np.ndarray, remove_components: int = 3) -> ContextSpace:
    """Return the prepared space of a vocabulary `matrix (V, d)`.

    Its principal components come from the d × d covariance, so that 110,000 words take some tenths of a
    second. Rows that are zero or not finite have no direction and do not count. Raises `PlaygroundError`
    if so many components were removed that nothing is left.
    """
    words, d = matrix.shape
    if (
        isinstance(remove_components, bool)
        or not isinstance(remove_components, (int, np.integer))
        or not 0 <= remove_components < d
    ):
        raise PlaygroundError(
            f"remove_components must be a whole number from 0 to {d - 1}, as vectors here have {d} numbers, "
            f"not {remove_components!r}."
        )
    usable = np.concatenate(
        [np.isfinite(part).all(axis=1) & part.any(axis=1) for part in _parts(matrix)] or [np.zeros(0, bool)]
    )
    count = int(usable.sum())
    if count <= remove_components + 1:
        raise PlaygroundError(
            f"These vectors have {count} words with a direction: too few to remove a mean and "
            f"{remove_components} components."
        )
    total, products = np.zeros(d), np.zeros((d, d))
    for part, use in zip(_parts(matrix), _parts(usable), strict=True):
        rows = part[use].astype(np.float64)
        total += rows.sum(axis=0)
        products += rows.T @ rows
    mean = total / count
    _, axes = np.linalg.eigh(products / count - np.outer(mean, mean))  # eigenvalues ascend
    components = axes[:, d - remove_components :].T
    lengths = np.zeros(words)
    for start, (part, use) in enumerate(zip(_parts(matrix), _parts(usable), strict=True)):
        rows = part[use].astype(np.float64)
        left = np.linalg.norm(_remove(rows - mean, components), axis=1)
        left[left < 1e-6 * np.linalg.norm(rows, axis=1)] = 0  # rounding, no direction
        lengths[start * _CHUNK : start * _CHUNK + len(part)][use] = left
    return ContextSpace(matrix, mean, components, lengths)


def move(
    rows: np.ndarray,
    position: int,
    strength: float = 0.6,
    allowed: np.ndarray | None = None,
    positions: bool = False,
    scale: float | None = None,
) -> Moved:
    """Return where the sentence `rows (n, d)` moves its word at `position`: (1 − a)·x + a·softmax(xSᵀ/√d)·S.

    `strength` is a, in [0, 1]; `allowed (n,)` is True where the word may look. With `positions` the
    sinusoids of Vaswani et al. 2017 are added to all rows first. `scale` is 1/√d unless given; 0 makes
    all weights equal, the plain mean. Raises `PlaygroundError` for a strength outside [0, 1].
    """
    if not 0 <= strength <= 1:
        raise PlaygroundError(f"The strength must be from 0 (no context) to 1 (only context), not {strength!r}.")
    n, d = rows.shape
    seen = rows + sinusoidal_positions(n, d) if positions else rows
    mask = None if allowed is None else allowed[None, :]
    a = scaled_dot_product_attention(seen[position : position + 1], seen, seen, mask, scale=scale)
    context = a.output[0]  # (d,)
    return Moved(a.weights[0], context, (1 - strength) * rows[position] + strength * context)


def _parts(array: np.ndarray) -> list[np.ndarray]:
    return [array[start : start + _CHUNK] for start in range(0, len(array), _CHUNK)]


def _remove(rows: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Return `rows (..., d)` without their parts along the orthonormal `components (k, d)`."""
    result: np.ndarray = rows - (rows @ components.T) @ components
    return result
