"""The numbers of a well-known lesson on attention, checked: no d_k makes its weights from its scores."""

from dataclasses import dataclass

import numpy as np

from playground.attention.functional import softmax
from playground.attention.multihead import MultiHeadAttention
from playground.errors import PlaygroundError

WORDS = ("apple", "company", "invented", "phones")
SCORES = (3.2, 1.4, 9.6, 2.2)  # apple · each word, as the lesson gives them
CLAIMED = (0.3, 0.05, 0.5, 0.15)  # the weights that it goes on with


@dataclass(frozen=True)
class Pair:
    """What two words say about d_k: softmax gives ln(w_i/w_j)·√d_k = s_i − s_j, so √d_k is `root`."""

    i: int
    j: int
    difference: float  # s_i − s_j
    log_ratio: float  # ln(w_i / w_j)

    @property
    def root(self) -> float:
        """The √d_k that this pair of weights asks for."""
        return self.difference / self.log_ratio

    @property
    def d_k(self) -> float:
        """The d_k that this pair of weights asks for."""
        return self.root**2


def weights_at(d_k: float) -> np.ndarray:
    """Return the true softmax(scores / √d_k) of the lesson's scores, `(4,)`."""
    if not d_k > 0:
        raise PlaygroundError(f"d_k must be greater than 0, not {d_k!r}.")
    return softmax(np.array(SCORES) / np.sqrt(d_k))


def pairs() -> list[Pair]:
    """Return what each of the six pairs of words asks for; different answers mean that no d_k does."""
    return [
        Pair(i, j, SCORES[i] - SCORES[j], float(np.log(CLAIMED[i] / CLAIMED[j])))
        for i in range(len(WORDS))
        for j in range(i + 1, len(WORDS))
    ]


def closest() -> tuple[float, float]:
    """Return the d_k whose weights come nearest to the claimed ones, and their largest difference.

    Found on a grid of d_k from 0.01 to 100,000 in steps of 0.1 %.
    """
    grid = np.exp(np.arange(np.log(0.01), np.log(1e5), 0.001))
    weights = softmax(np.array(SCORES) / np.sqrt(grid)[:, None])  # (m, 4)
    off = np.abs(weights - CLAIMED).max(axis=1)
    return float(grid[off.argmin()]), float(off.min())


@dataclass(frozen=True)
class Groups:
    """How many matrices W a layer really holds: one W_Q, W_K and W_V a head, the same for every word.

    `numbers` counts all their entries, and `if_per_word` the matrices that the lesson's "8 to 16 groups of W
    for each word" would be. `same_row` is the largest difference between the queries, keys and values of two
    places that hold the same word: 0, since both meet the same matrices.
    """

    heads: int
    words: int
    matrices: int
    if_per_word: int
    numbers: int
    same_row: float


def groups(layer: MultiHeadAttention, word: np.ndarray, words: int) -> Groups:
    """Return the count of W for a sentence of `words` words, and what a word `(d_model,)` given twice shows."""
    twice = np.stack([word, word])
    steps = layer(twice)
    rows = (steps.query, steps.key, steps.value)
    return Groups(
        heads=layer.num_heads,
        words=words,
        matrices=3 * layer.num_heads,
        if_per_word=3 * layer.num_heads * words,
        numbers=layer.w_q.size + layer.w_k.size + layer.w_v.size,
        same_row=max(float(np.abs(row[:, 0] - row[:, 1]).max()) for row in rows),
    )
