"""A layer of attention with everything that can be turned on it: the settings as data, and one run of them."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from playground.attention.edits import Edit, apply_edits
from playground.attention.functional import causal_mask
from playground.attention.multihead import MultiHeadAttention, MultiHeadSteps
from playground.attention.positions import sinusoidal_positions
from playground.errors import PlaygroundError

PADDING = 2  # rows that a padding mask adds
Projections = Literal["identity", "random", "learned"]
Mask = Literal["none", "causal", "padding"]


@dataclass(frozen=True)
class Setup:
    """What is done with a sentence.

    `d_k` and `seed` count for random projections (`d_k=None` is d_model / num_heads, rounded up).
    `position_strength` is the factor of the added sinusoidal positions, 0 for none. The scores are divided by
    √d_k if `scale`, and by the `temperature`. "padding" adds two rows of zeros that no word may look at, as
    for a shorter sentence in a batch. `hand_size` of 2 to 4 takes the sentence's first principal components in
    place of its vectors, and rounds all that is given to one decimal; 0 takes the vectors as they are.
    """

    projections: Projections = "identity"
    num_heads: int = 1
    d_k: int | None = None
    seed: int = 0
    position_strength: float = 0.0
    temperature: float = 1.0
    scale: bool = True
    mask: Mask = "none"
    hand_size: int = 0
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class LayerRun:
    """One run of a setup: what went in, and all steps, in float64.

    `words` and `positions` (None: none) add up to X unless X was edited; `share` is the part in [0, 1] of the
    sentence's squared length that the hand-size columns hold (1 for the real vectors). `mask (n, n)` is True
    where a word may look, `masked (h, n, n)` are the scaled scores with −inf where it may not.
    """

    setup: Setup
    words: np.ndarray
    share: float
    positions: np.ndarray | None
    layer: MultiHeadAttention
    mask: np.ndarray
    scale: float
    masked: np.ndarray
    steps: MultiHeadSteps

    @property
    def matrices(self) -> dict[str, np.ndarray]:
        """The matrices that edits can reach, by name; the mask as 0 and 1."""
        return _matrices(self.steps.x, self.layer, self.mask)


def run_layer(setup: Setup, words: np.ndarray, layer: MultiHeadAttention | None = None) -> LayerRun:
    """Return all steps of the setup over `words (n, d_model)`.

    "learned" projections are those of the `layer` given, whose `prepare` has made the words. Raises
    `PlaygroundError` for settings that cannot be met, such as more identity heads than columns.
    """
    if not (math.isfinite(setup.temperature) and setup.temperature > 0):
        raise PlaygroundError(f"The temperature must be above 0, not {setup.temperature}.")
    words, share = np.asarray(words, dtype=np.float64), 1.0
    if setup.hand_size:
        words, share = hand_size(words, setup.hand_size)
    if setup.mask == "padding":
        words = np.concatenate([words, np.zeros((PADDING, words.shape[1]))])
    n, d_model = words.shape
    positions = None
    if setup.position_strength:
        positions = setup.position_strength * sinusoidal_positions(n, d_model)
        if setup.hand_size:
            positions = positions.round(1)
    if layer is None:
        layer = _layer(setup, d_model)
    x = words if positions is None else words + positions
    mask = np.ones((n, n), dtype=bool)
    if setup.mask == "causal":
        mask = causal_mask(n, n)
    elif setup.mask == "padding":
        mask[:, -PADDING:] = False

    changed = apply_edits(_matrices(x, layer, mask), setup.edits)
    layer = replace(layer, w_q=changed["W_Q"], w_k=changed["W_K"], w_v=changed["W_V"], w_o=changed["W_O"])
    mask = changed["mask"].astype(bool)
    scale = 1 / (setup.temperature * (math.sqrt(layer.d_k) if setup.scale else 1.0))
    steps = layer(changed["X"], attn_mask=None if mask.all() else mask, scale=scale)
    masked = np.where(mask, steps.scaled, -np.inf)
    return LayerRun(setup, words, share, positions, layer, mask, scale, masked, steps)


def unedited(setup: Setup) -> Setup:
    """Return the setup as it was before any edit."""
    return replace(setup, edits=())


def hand_size(words: np.ndarray, columns: int) -> tuple[np.ndarray, float]:
    """Return the sentence `(n, d_model)` in its first principal components, `(n, columns)`, one decimal each.

    The mean is not subtracted, so that the dot products keep their sizes as well as so few columns can. The
    second result is the share in [0, 1] of the squared length that they hold. Signs are such that the largest
    number of a component's axis is positive. Raises `PlaygroundError` unless columns is from 1 to d_model.
    """
    if not 1 <= columns <= words.shape[1]:
        raise PlaygroundError(f"Hand size takes 1 to {words.shape[1]} columns, not {columns}.")
    u, s, axes = np.linalg.svd(words, full_matrices=False)
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    signs = np.where(signs == 0, 1, signs)
    kept = (u * s * signs)[:, :columns]
    small = np.zeros((len(words), columns))  # fewer words than columns: the rest is 0
    small[:, : kept.shape[1]] = kept
    whole = float((s**2).sum())
    return small.round(1) + 0.0, float((s[:columns] ** 2).sum() / whole) if whole else 1.0


def _layer(setup: Setup, d_model: int) -> MultiHeadAttention:
    if setup.projections == "learned":
        raise PlaygroundError("Learned projections come with their layer: give it to run_layer.")
    if setup.projections == "identity":
        return MultiHeadAttention.identity(d_model, setup.num_heads)
    layer = MultiHeadAttention.random(d_model, setup.num_heads, setup.d_k, seed=setup.seed)
    if not setup.hand_size:
        return layer
    w_q, w_k, w_v, w_o = (
        weight.astype(np.float64).round(1) + 0.0 for weight in (layer.w_q, layer.w_k, layer.w_v, layer.w_o)
    )
    return MultiHeadAttention(w_q, w_k, w_v, w_o)


def _matrices(x: np.ndarray, layer: MultiHeadAttention, mask: np.ndarray) -> dict[str, np.ndarray]:
    given = {"X": x, "W_Q": layer.w_q, "W_K": layer.w_k, "W_V": layer.w_v, "W_O": layer.w_o, "mask": mask}
    return {name: matrix.astype(np.float64, copy=False) for name, matrix in given.items()}
