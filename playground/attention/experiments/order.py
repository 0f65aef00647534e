"""Why positions? The same words in another order, with and without them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.attention.multihead import MultiHeadAttention
from playground.attention.positions import sinusoidal_positions
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class OrderChange:
    """What another order of the words does to each word's output.

    Row i of every array is the word that stands at `places[i]` = (place in the first, place in the second
    sentence), counted from 0. `without` and `with_positions` `(k, d)` are the second sentence's outputs less
    the first's; `rounding` is the largest difference without positions when the sums are taken in the order
    of the words, as programs do. `first` and `second` `(k, d)` are the outputs with positions.
    """

    places: tuple[tuple[int, int], ...]
    without: np.ndarray
    with_positions: np.ndarray
    first: np.ndarray
    second: np.ndarray
    rounding: float


def same_words(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the words that both sentences hold; a repeated word is matched in its order."""
    free: dict[str, list[int]] = {}
    for place, word in enumerate(second):
        free.setdefault(word, []).append(place)
    return [(place, free[word].pop(0)) for place, word in enumerate(first) if free.get(word)]


def compare_orders(
    layer: MultiHeadAttention,
    x_first: np.ndarray,
    x_second: np.ndarray,
    places: Sequence[tuple[int, int]],
    strength: float = 1.0,
) -> OrderChange:
    """Return how the outputs of a layer of one head differ between two sentences `(n, d_model)`.

    `places` pairs the rows to compare (see `same_words`); `strength` multiplies the positions that are
    added. Raises `PlaygroundError` if there is no pair or more than one head.
    """
    if not places:
        raise PlaygroundError("The two sentences have no word in common, so there is nothing to compare.")
    rows = tuple(np.array(places).T)
    sentences = [np.asarray(x, dtype=np.float64) for x in (x_first, x_second)]
    placed = [x + strength * sinusoidal_positions(*x.shape) for x in sentences]
    bare = [exact_output(layer, x)[row] for x, row in zip(sentences, rows, strict=True)]
    plain = [layer(x).heads[0][row] for x, row in zip(sentences, rows, strict=True)]
    first, second = (exact_output(layer, x)[row] for x, row in zip(placed, rows, strict=True))
    return OrderChange(
        places=tuple(places),
        without=bare[1] - bare[0],
        with_positions=second - first,
        first=first,
        second=second,
        rounding=float(np.abs(plain[1] - plain[0]).max()),
    )


def exact_output(layer: MultiHeadAttention, x: np.ndarray) -> np.ndarray:
    """Return softmax(QKᵀ/√d_k)·V of a layer of one head, `(n, d_v)`, every sum rounded only once.

    A sum of floating-point numbers depends in its last bit on the order of its terms. Here each sum is
    correctly rounded (Shewchuk 1997), so that the same words give the same bits in any order.
    """
    if layer.num_heads != 1:
        raise PlaygroundError(f"This comparison takes a layer of one head, not {layer.num_heads}.")
    query, key, value = (_product(x, w[0]) for w in (layer.w_q, layer.w_k, layer.w_v))
    scaled = _product(query, key.T) / math.sqrt(layer.d_k)
    output = np.empty(value.shape)
    for i, row in enumerate(scaled):
        exponentials = [math.exp(score - row.max()) for score in row]
        total = math.fsum(exponentials)
        weights = [one / total for one in exponentials]
        output[i] = [math.fsum(terms) for terms in (np.array(weights) * value.T).tolist()]
    return output


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the matrix product a·b, each sum rounded once."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if b.shape[0] == b.shape[1] and np.array_equal(b, np.eye(len(b))):
        return a
    return np.array([[math.fsum(terms) for terms in (row * b.T).tolist()] for row in a]).reshape(len(a), b.shape[1])
