"""A plain recurrent network (Elman 1990), and how far back its present state still feels a word.

Attention is compared with it: both influences are exact derivatives, not estimates.
"""

from dataclasses import dataclass

import numpy as np

from playground.attention.multihead import MultiHeadAttention
from playground.errors import PlaygroundError


@dataclass(frozen=True)
class RNN:
    """h_t = tanh(x_t W_x + h_(t−1) W_h), starting from zeros.

    `w_x (d_model, d_h)` brings a word in, `w_h (d_h, d_h)` carries the past on.
    """

    w_x: np.ndarray
    w_h: np.ndarray

    def __post_init__(self) -> None:
        d_h = self.w_h.shape[-1]
        if self.w_h.shape != (d_h, d_h) or self.w_x.ndim != 2 or self.w_x.shape[1] != d_h:
            raise PlaygroundError(
                "w_x must have shape (d_model, d_h) and w_h (d_h, d_h); "
                f"they are {self.w_x.shape} and {self.w_h.shape}."
            )

    @classmethod
    def random(cls, d_model: int, d_h: int, strength: float = 1.0, seed: int = 0) -> "RNN":
        """Return an untrained network whose W_h is `strength` times a random rotation.

        A rotation keeps lengths, so `strength` is the factor by which W_h alone changes a step's influence;
        tanh can only shrink it further.
        """
        random = np.random.default_rng(seed)
        rotation, triangle = np.linalg.qr(random.standard_normal((d_h, d_h)))
        rotation = rotation * np.sign(np.diagonal(triangle))  # makes every rotation equally likely
        return cls(random.standard_normal((d_model, d_h)) / np.sqrt(d_model), strength * rotation)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Return the states `(n, d_h)` of a sentence `x (n, d_model)`: n steps, one after the other."""
        state = np.zeros(self.w_h.shape[0])
        states = []
        for word in x:
            state = np.tanh(word @ self.w_x + state @ self.w_h)
            states.append(state)
        return np.array(states).reshape(len(x), -1)


def rnn_gradient(rnn: RNN, x: np.ndarray) -> np.ndarray:
    """Return ∂h_last/∂x_t for every word t of `x (n, d_model)`, shape `(n, d_h, d_model)`.

    Backpropagation through time: each step back multiplies by diag(1 − h²) and W_h.
    """
    states = rnn(x)
    gradients = np.empty((len(x), rnn.w_h.shape[0], x.shape[1]))
    back = np.eye(rnn.w_h.shape[0])  # ∂h_last/∂h_t
    for t in range(len(x) - 1, -1, -1):
        through_tanh = back * (1 - states[t] ** 2)  # ∂h_last/∂(what goes into tanh at t)
        gradients[t] = through_tanh @ rnn.w_x.T
        back = through_tanh @ rnn.w_h.T
    return gradients


def attention_gradient(layer: MultiHeadAttention, x: np.ndarray) -> np.ndarray:
    """Return ∂output_last/∂x_t for every word t of `x (n, d_model)`, shape `(n, d_model, d_model)`.

    `output` is that of the whole layer. A word acts through its value, through its key (it changes all
    weights), and the last word also through its query.
    """
    steps = layer(x)
    n, d_model = x.shape
    width = layer.d_v
    gradients = np.zeros((n, d_model, d_model))
    for h in range(layer.num_heads):
        weights, value = steps.weights[h, -1], steps.value[h]
        moved = weights[:, None] * (value - steps.heads[h, -1])  # (n, d_v): ∂head/∂(scaled score of t)
        scale = 1 / np.sqrt(layer.d_k)
        by_key = layer.w_k[h] @ steps.query[h, -1] * scale  # (d_model,): ∂(scaled score of t)/∂x_t
        head = weights[:, None, None] * layer.w_v[h].T + moved[:, :, None] * by_key  # (n, d_v, d_model)
        by_query = layer.w_q[h] @ steps.key[h].T * scale  # (d_model, n): ∂(scaled score of t)/∂x_last
        head[-1] += moved.T @ by_query.T
        gradients += layer.w_o[h * width : (h + 1) * width].T @ head
    return gradients


@dataclass(frozen=True)
class Reach:
    """How much each word of a sentence can move the output at the last one.

    `rnn (n,)` and `attention (n,)` are the sizes (Frobenius norms) of ∂output/∂x for the word t steps back,
    t = 0 … n − 1, each as a share of its sum over all words. `rnn_steps` and `attention_steps` count the steps
    that must wait for one another, however many processors there are.
    """

    rnn: np.ndarray
    attention: np.ndarray
    rnn_steps: int
    attention_steps: int


def reach(rnn: RNN, layer: MultiHeadAttention, x: np.ndarray) -> Reach:
    """Return how far back an RNN and a layer of attention feel the words of `x (n, d_model)`."""
    shares = []
    for gradient in (rnn_gradient(rnn, x), attention_gradient(layer, x)):
        sizes = np.linalg.norm(gradient, axis=(-2, -1))[::-1]
        shares.append(sizes / (sizes.sum() or 1))
    return Reach(shares[0], shares[1], rnn_steps=len(x), attention_steps=1)
