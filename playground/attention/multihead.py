"""Multi-head attention, every step kept (Vaswani et al. 2017, section 3.2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.attention.functional import scaled_dot_product_attention, scores_in_memory
from playground.attention.learned import HeadCard, LayerCard, WordVectors, load_learned, prepare
from playground.attention.weights import identity_weights, random_weights
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class MultiHeadSteps:
    """All steps of one pass through a layer of h heads, for n words. Leading axes `...` are batches."""

    x: np.ndarray  # (..., n, d_model)
    query: np.ndarray  # (..., h, n, d_k)
    key: np.ndarray  # (..., h, n, d_k)
    value: np.ndarray  # (..., h, n, d_v)
    scores: np.ndarray  # (..., h, n, n)
    scaled: np.ndarray  # (..., h, n, n)
    weights: np.ndarray  # (..., h, n, n), each row sums to 1 (or 0: nothing to look at)
    heads: np.ndarray  # (..., h, n, d_v), weights · value
    concat: np.ndarray  # (..., n, h · d_v), the heads side by side
    output: np.ndarray  # (..., n, d_model), concat · W_O


@dataclass(frozen=True)
class MultiHeadAttention:
    """A layer of h attention heads with its four projections.

    `w_q`, `w_k` `(h, d_model, d_k)`, `w_v` `(h, d_model, d_v)`, `w_o` `(h · d_v, d_model)`. The width of a
    head need not be d_model / h: W_O brings the concatenation back to d_model. There are no biases.
    A learned layer also has a `start (d_model,)` vector and a `card` that says what it was taught.
    """

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray
    start: np.ndarray | None = None
    card: LayerCard | None = None

    def __post_init__(self) -> None:
        for name in ("w_q", "w_k", "w_v"):
            if getattr(self, name).ndim != 3:
                raise PlaygroundError(f"{name} must have shape (h, d_model, d), not {getattr(self, name).shape}.")
        if self.w_q.shape != self.w_k.shape or self.w_v.shape[:2] != self.w_q.shape[:2]:
            raise PlaygroundError(
                "w_q and w_k must have one shape (h, d_model, d_k), and w_v the same h and d_model; "
                f"they are {self.w_q.shape}, {self.w_k.shape} and {self.w_v.shape}."
            )
        heads, d_model, d_v = self.w_v.shape
        if self.w_o.shape != (heads * d_v, d_model):
            raise PlaygroundError(
                f"w_o must have shape (h · d_v, d_model) = {(heads * d_v, d_model)}, not {self.w_o.shape}."
            )

    @classmethod
    def identity(cls, d_model: int, num_heads: int = 1) -> "MultiHeadAttention":
        """Return a layer that projects nothing: Q = K = V = X, cut into `num_heads` slices; W_O = I.

        With one head it is softmax(XXᵀ/√d_model) · X, the words themselves as queries, keys and values.
        """
        return cls(*identity_weights(d_model, num_heads))

    @classmethod
    def random(
        cls, d_model: int, num_heads: int = 1, d_k: int | None = None, d_v: int | None = None, seed: int = 0
    ) -> "MultiHeadAttention":
        """Return an untrained layer: what a Transformer holds before it has read a single sentence.

        Weights are normal with variance 1/(number of inputs), so that a projection keeps the size of its
        input. `d_k` and `d_v` are d_model / num_heads, rounded up, unless given.
        """
        return cls(*random_weights(d_model, num_heads, d_k, d_v, seed))

    @classmethod
    def learned(cls) -> "MultiHeadAttention":
        """Return the bundled layer, whose heads a treebank has taught where to look.

        It fits the bundled GloVe vectors, in the form that `prepare` makes; `heads` says what each head was
        taught and how well it does. Raises `PlaygroundError` if its file is missing or damaged.
        """
        weights, start, card = load_learned()
        return cls(*weights, start=start, card=card)

    @property
    def heads(self) -> tuple[HeadCard, ...]:
        """The cards of a learned layer's heads, in order; empty for a layer that has not learnt."""
        return self.card.heads if self.card else ()

    def prepare(self, vectors: WordVectors, tokens: Sequence[str]) -> np.ndarray:
        """Return the input X that a learned layer expects, float32 `(1 + n, d_model)`.

        Row 0 is [start], row i + 1 is token i: its vector, as it is, plus 2 · its sinusoidal position. A token
        without a vector, such as any number, is a zero vector plus its position. Raises `PlaygroundError`
        for no tokens, for other vectors than those it has learnt with, and for a layer that has not learnt.
        """
        if self.start is None or self.card is None:
            raise PlaygroundError("Only a learned layer prepares its input: for another take embed(vectors, tokens).")
        return prepare(vectors, tokens, self.start, self.card)

    @property
    def num_heads(self) -> int:
        """The number of heads, h."""
        return int(self.w_q.shape[0])

    @property
    def d_model(self) -> int:
        """The width of a word's vector."""
        return int(self.w_q.shape[1])

    @property
    def d_k(self) -> int:
        """The width of a query or key."""
        return int(self.w_q.shape[2])

    @property
    def d_v(self) -> int:
        """The width of a value."""
        return int(self.w_v.shape[2])

    def __call__(
        self,
        x: np.ndarray,
        attn_mask: np.ndarray | None = None,
        is_causal: bool = False,
        scale: float | None = None,
    ) -> MultiHeadSteps:
        """Return all steps of self-attention over `x (..., n, d_model)`.

        Masks as in `scaled_dot_product_attention`; the mask's shape broadcasts to `(..., h, n, n)`, so one
        mask `(n, n)` holds for all heads. Raises `PlaygroundError` if `x` has another width, or so many rows
        that the tables of all pairs do not fit the memory.
        """
        x = np.asarray(x)
        if x.ndim < 2 or x.shape[-1] != self.d_model:
            raise PlaygroundError(f"X must have shape (..., n, {self.d_model}), not {x.shape}.")
        each_head = x[..., None, :, :]  # (..., 1, n, d_model)
        n, dtype = x.shape[-2], np.result_type(x, self.w_q)
        fits = scores_in_memory((*x.shape[:-2], self.num_heads, n, n), dtype, attn_mask is not None)
        with fits, np.errstate(invalid="ignore", over="ignore"):  # a masked word may be infinite
            query = each_head @ self.w_q  # (..., h, n, d_k)
            key = each_head @ self.w_k  # (..., h, n, d_k)
            value = each_head @ self.w_v  # (..., h, n, d_v)
            a = scaled_dot_product_attention(query, key, value, attn_mask, is_causal, scale)
            concat = join_heads(a.output)  # (..., n, h · d_v)
            output = concat @ self.w_o  # (..., n, d_model)
        return MultiHeadSteps(x, query, key, value, a.scores, a.scaled, a.weights, a.output, concat, output)


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Return `x (..., n, h · d)` cut into heads, `(..., h, n, d)`.

    The axes are transposed, not merely reshaped: head i holds columns i·d to (i+1)·d of every word.
    """
    *lead, n, width = x.shape
    if width % num_heads:
        raise PlaygroundError(f"{width} columns cannot be cut into {num_heads} equal heads.")
    return np.swapaxes(x.reshape(*lead, n, num_heads, width // num_heads), -2, -3)


def join_heads(heads: np.ndarray) -> np.ndarray:
    """Return `heads (..., h, n, d)` side by side, `(..., n, h · d)`: the inverse of `split_heads`."""
    *lead, h, n, d = heads.shape
    return np.swapaxes(heads, -2, -3).reshape(*lead, n, h * d)
