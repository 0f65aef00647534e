"""Why several heads, and why W_O?"""

from dataclasses import dataclass

import numpy as np

from playground.attention.functional import scaled_dot_product_attention
from playground.attention.multihead import MultiHeadAttention, join_heads, split_heads
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class Roles:
    """One word that takes over from two others, a and b, by one head and by two heads.

    All outputs have shape `(d_model,)`. `one` is the average of one head, `two` the concatenation of two heads
    of half the width, the first looking at a and the second at b. The `_swapped` ones are the same with a and
    b exchanged. `one_changes` and `two_changes` are the lengths of the differences.
    """

    one: np.ndarray
    one_swapped: np.ndarray
    two: np.ndarray
    two_swapped: np.ndarray
    one_changes: float
    two_changes: float


def roles(a: np.ndarray, b: np.ndarray, share: float = 0.5) -> Roles:
    """Return what exchanging two words `(d_model,)` does to the output of one head and of two.

    The one head gives `share` of its weight, in [0, 1], to the first and the rest to the second. The values
    are the word vectors themselves. An odd d_model gets a column of zeros.
    """
    if not 0 <= share <= 1:
        raise PlaygroundError(f"The share must be from 0 to 1, not {share!r}.")
    pair = np.stack([a, b]).astype(np.float64)
    pair = np.pad(pair, ((0, 0), (0, pair.shape[1] % 2)))  # (2, d_model)
    one, one_swapped = (_look(x[None], np.array([[[share, 1 - share]]])) for x in (pair, pair[::-1]))
    each_its_own = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])  # (h, 1, 2)
    two, two_swapped = (_look(split_heads(x, 2), each_its_own) for x in (pair, pair[::-1]))
    return Roles(
        one,
        one_swapped,
        two,
        two_swapped,
        float(np.linalg.norm(one - one_swapped)),
        float(np.linalg.norm(two - two_swapped)),
    )


def _look(value: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the concatenated output of heads that look with the given `weights (h, 1, n)` at `value (h, n, d)`."""
    with np.errstate(divide="ignore"):
        wanted = np.log(weights)  # softmax(ln w) = w
    nothing = np.zeros((*weights.shape[:-1], 1)), np.zeros((*value.shape[:-1], 1))  # all scores 0
    output = scaled_dot_product_attention(*nothing, value, attn_mask=wanted).output
    joined: np.ndarray = join_heads(output)[0]
    return joined


@dataclass(frozen=True)
class Mixing:
    """Which columns of the output each head reaches: `without` W_O and `with_w_o`, both `(h, d_model)`.

    An entry is the mean size, over the words, of what that head adds to that column.
    """

    without: np.ndarray
    with_w_o: np.ndarray

    @property
    def reached_without(self) -> list[int]:
        """The number of columns that each head reaches without W_O."""
        return [int(np.count_nonzero(row)) for row in self.without]

    @property
    def reached_with(self) -> list[int]:
        """The number of columns that each head reaches with W_O."""
        return [int(np.count_nonzero(row)) for row in self.with_w_o]


def mixing(layer: MultiHeadAttention, x: np.ndarray) -> Mixing:
    """Return what taking one head away changes in each column, with W_O and with the concatenation alone.

    The output is linear in the heads, so the change is what the head adds. Raises `PlaygroundError` if the
    concatenation is not as wide as the output, since then there is no output without W_O.
    """
    heads, d_v = layer.num_heads, layer.d_v
    if heads * d_v != layer.d_model:
        raise PlaygroundError(
            f"{heads} heads of {d_v} numbers make {heads * d_v}, not the {layer.d_model} of a word: without W_O there "
            "is no output of the right width. Take a number of heads that divides it."
        )
    concat = layer(np.asarray(x, dtype=np.float64)).concat  # (n, h · d_v)
    without, with_w_o = np.zeros((2, heads, layer.d_model))
    for h in range(heads):
        own = np.zeros_like(concat)
        own[:, h * d_v : (h + 1) * d_v] = concat[:, h * d_v : (h + 1) * d_v]
        without[h] = np.abs(own).mean(axis=0)
        with_w_o[h] = np.abs(own @ layer.w_o).mean(axis=0)
    return Mixing(without, with_w_o)
