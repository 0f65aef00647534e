"""How attention heads are taught: loss, gradients and Adam, written out in NumPy.

The word vectors stay as they are. First W_Q, W_K and the [start] vector learn from a treebank where each
word ought to look; then W_V and W_O learn to guess hidden words from what the heads, now frozen, look at.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from playground.attention.functional import softmax
from playground.attention.learned import add_start_and_positions
from playground.attention.lessons import REST, Batch, Lesson, batches

Parameters = dict[str, np.ndarray]
Report = Callable[[float, float], None]  # the share of the work that is done, and the present loss


@dataclass(frozen=True)
class Recipe:
    """The choices that the treebank does not make; tried out on a part of train that was held out."""

    d_k: int = 32
    position_scale: float = 2.0
    epochs: int = 20
    rest_epochs: int = 2  # in which only [start] learns
    word_epochs: int = 8  # for W_V and W_O
    batch_words: int = 1_000
    rate: float = 5e-3
    decay: float = 0.1
    rest_weight: float = 0.05
    largest_shift: int = 8  # of the positions of a batch: no head may rely on where a sentence begins
    hidden_share: float = 0.15
    rivals: int = 200
    seed: int = 0


def teach_looking(lessons: Sequence[Lesson], table: np.ndarray, recipe: Recipe, report: Report) -> Parameters:
    """Return W_Q, W_K `(h, d_model, d_k)` and the [start] vector `(d_model,)` that `lessons` teach.

    `table (words, d_model)` holds the word vectors, its last row zeros. In the last epochs [start] learns
    alone, with a greater `rest_weight`: how readily a head rests then changes, but not where it looks.
    """
    generator = np.random.default_rng(recipe.seed)
    heads, d_model = len(lessons[0].targets), table.shape[1]

    def draw() -> np.ndarray:
        # small: at first all words are looked at alike
        drawn: np.ndarray = generator.standard_normal((heads, d_model, recipe.d_k)) / (3 * np.sqrt(d_model))
        return drawn.astype(np.float32)

    learnt = {"w_q": draw(), "w_k": draw(), "start": np.zeros(d_model, dtype=np.float32)}

    def run(before: int, epochs: int, names: tuple[str, ...], rate: float, rest_weight: float) -> None:
        adam = Adam(decay=recipe.decay, undecayed=("start",))
        for epoch in range(epochs):
            packed = batches(lessons, len(table) - 1, recipe.batch_words, generator)
            for index, batch in enumerate(packed):
                shift = int(generator.integers(recipe.largest_shift + 1))
                x = add_start_and_positions(table[batch.rows], learnt["start"], recipe.position_scale, shift)
                loss, gradients = looking_loss(x, batch, learnt["w_q"], learnt["w_k"], rest_weight)
                gradients["start"] = gradients["x"][:, 0].sum(axis=0)
                done = adam.steps / (epochs * len(packed))
                adam.step(learnt, {name: gradients[name] for name in names}, rate * schedule(done))
                finished = before + epoch + (index + 1) / len(packed)
                report(finished / (recipe.epochs + recipe.rest_epochs), loss / heads)

    run(0, recipe.epochs, ("w_q", "w_k", "start"), recipe.rate, recipe.rest_weight)
    run(recipe.epochs, recipe.rest_epochs, ("start",), 4 * recipe.rate, 6 * recipe.rest_weight)
    return learnt


def teach_guessing(
    lessons: Sequence[Lesson], table: np.ndarray, learnt: Parameters, recipe: Recipe, report: Report
) -> Parameters:
    """Return W_V `(h, d_model, d_k)` and W_O `(h · d_k, d_model)` that guess hidden words.

    A share of the words is hidden (a zero vector plus its position, as an unknown word is); the output at
    their places is to fit the true word better than `rivals` words drawn as often as they occur.
    """
    generator = np.random.default_rng(recipe.seed)
    heads, d_model, d_k = learnt["w_q"].shape
    known = np.concatenate([lesson.rows for lesson in lessons])
    known = known[known < len(table) - 1]

    def draw(*shape: int) -> np.ndarray:
        drawn: np.ndarray = generator.standard_normal(shape) / np.sqrt(shape[-2])
        return drawn.astype(np.float32)

    values = {"w_v": draw(heads, d_model, d_k), "w_o": 0.1 * draw(heads * d_k, d_model)}
    adam = Adam(decay=recipe.decay)
    for epoch in range(recipe.word_epochs):
        packed = batches(lessons, len(table) - 1, recipe.batch_words, generator)
        for index, batch in enumerate(packed):
            hidden = hide(batch, len(table) - 1, recipe.hidden_share, generator)
            rivals = generator.choice(known, recipe.rivals)
            mixed = look_for_hidden(batch, hidden, table, learnt, recipe.position_scale)
            loss, gradients = guessing_loss(mixed, values["w_v"], values["w_o"], table, batch.rows[hidden], rivals)
            done = adam.steps / (recipe.word_epochs * len(packed))
            adam.step(values, gradients, recipe.rate / 2 * schedule(done))
            report((epoch + (index + 1) / len(packed)) / recipe.word_epochs, loss)
    return values


def looking_loss(
    x: np.ndarray, batch: Batch, w_q: np.ndarray, w_k: np.ndarray, rest_weight: float
) -> tuple[float, Parameters]:
    """Return how wrongly the heads look, and the gradients "x", "w_q" and "w_k".

    A head's loss is the mean, over the words that bear its relation, of −log of the weight that it gives to
    the right word, plus `rest_weight` times the same mean for the other words, whose right place is
    [start]; the heads' losses are added up. `x (b, n, d_model)`; `w_q`, `w_k (h, d_model, d_k)`.
    """
    b, n, d_model = x.shape
    h, _, d_k = w_q.shape
    scale = x.dtype.type(d_k**-0.5)
    flat = x.reshape(b * n, d_model)

    def project(w: np.ndarray) -> np.ndarray:
        joined = w.transpose(1, 0, 2).reshape(d_model, h * d_k)
        projected: np.ndarray = (flat @ joined).reshape(b, n, h, d_k)
        return projected.swapaxes(1, 2)

    query, key = project(w_q), project(w_k)  # (b, h, n, d_k)
    scaled = (query @ key.swapaxes(-1, -2)) * scale  # (b, h, n, n)
    weights = softmax(np.where(batch.filled[:, None, None, :], scaled, -np.inf))

    which = np.nonzero(batch.targets >= 0)  # (sentence, head, row) of each example
    target = batch.targets[which]
    group = 2 * which[1] + (target == REST)  # each head has two means
    size = np.bincount(group, minlength=2 * h)
    share = (np.tile([1, rest_weight], h) / np.maximum(size, 1)).astype(x.dtype)[group]
    right = np.maximum(weights[(*which, target)], np.finfo(x.dtype).tiny)
    loss = -float(np.sum(share * np.log(right)))

    # d loss / d scaled is weights − 1 at the right word, in the rows of the examples
    d_scaled = np.zeros_like(weights)
    d_scaled[which] = weights[which] * share[:, None]
    d_scaled[(*which, target)] -= share
    d_scores = d_scaled * scale
    d_query, d_key = d_scores @ key, d_scores.swapaxes(-1, -2) @ query  # (b, h, n, d_k)

    def back(d_projected: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d_flat = d_projected.swapaxes(1, 2).reshape(b * n, h * d_k)
        d_w = (flat.T @ d_flat).reshape(d_model, h, d_k).transpose(1, 0, 2)
        d_x = d_flat @ w.transpose(0, 2, 1).reshape(h * d_k, d_model)
        return d_w, d_x.reshape(x.shape)

    d_w_q, d_x_of_query = back(d_query, w_q)
    d_w_k, d_x_of_key = back(d_key, w_k)
    return loss, {"x": d_x_of_query + d_x_of_key, "w_q": d_w_q, "w_k": d_w_k}


def hide(batch: Batch, filler: int, share: float, generator: np.random.Generator) -> np.ndarray:
    """Return which words to hide `(b, n − 1)`, True for about a `share` of those that have a vector."""
    hidden: np.ndarray = (generator.random(batch.rows.shape) < share) & (batch.rows != filler)
    return hidden


def look_for_hidden(
    batch: Batch, hidden: np.ndarray, table: np.ndarray, learnt: Parameters, position_scale: float
) -> np.ndarray:
    """Return what each head mixes at the places of the m hidden words: weights · X, `(m, h, d_model)`."""
    rows = np.where(hidden, len(table) - 1, batch.rows)
    x = add_start_and_positions(table[rows], learnt["start"], position_scale)  # (b, n, d_model)
    sentence, place = np.nonzero(hidden)
    seekers = x[sentence, place + 1]  # (m, d_model)
    query = np.einsum("md,hdk->hmk", seekers, learnt["w_q"], optimize=True)
    back = np.einsum("hmk,hdk->mhd", query, learnt["w_k"], optimize=True)  # so that keys need not be made
    scaled = back @ x[sentence].swapaxes(-1, -2) / np.sqrt(learnt["w_k"].shape[-1])  # (m, h, n)
    weights = softmax(np.where(batch.filled[sentence][:, None, :], scaled, -np.inf))
    mixed: np.ndarray = weights.astype(np.float32) @ x[sentence]
    return mixed


def guessing_loss(
    mixed: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    table: np.ndarray,
    truth: np.ndarray,
    rivals: np.ndarray,
) -> tuple[float, Parameters]:
    """Return how badly the outputs fit the hidden words, and the gradients "w_v" and "w_o".

    The loss is the mean over the m hidden words of −log softmax(output · words) at the true word, among
    itself and the rivals. `mixed (m, h, d_model)`; `truth (m,)` and `rivals (r,)` are rows of `table`.
    """
    m, h, _ = mixed.shape
    if not m:
        return 0.0, {"w_v": np.zeros_like(w_v), "w_o": np.zeros_like(w_o)}
    heads = np.einsum("mhd,hdv->mhv", mixed, w_v, optimize=True)
    concat = heads.reshape(m, -1)  # (m, h · d_v)
    output = concat @ w_o  # (m, d_model)
    true_words, rival_words = table[truth], table[rivals]
    fit = np.sum(output * true_words, axis=1, keepdims=True)  # (m, 1)
    rival_fit = np.where(rivals == truth[:, None], -np.inf, output @ rival_words.T)  # (m, r)
    chance = softmax(np.concatenate([fit, rival_fit], axis=1))
    loss = -float(np.mean(np.log(np.maximum(chance[:, 0], np.finfo(chance.dtype).tiny))))

    d_output = ((chance[:, :1] - 1) * true_words + chance[:, 1:] @ rival_words) / m
    d_heads = (d_output @ w_o.T).reshape(m, h, -1)
    return loss, {
        "w_v": np.einsum("mhd,mhv->hdv", mixed, d_heads, optimize=True),
        "w_o": concat.T @ d_output,
    }


@dataclass
class Adam:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019)."""

    betas: tuple[float, float] = (0.9, 0.99)
    decay: float = 0.0
    undecayed: tuple[str, ...] = ()
    steps: int = 0
    means: Parameters = field(default_factory=dict)
    squares: Parameters = field(default_factory=dict)

    def step(self, parameters: Parameters, gradients: Parameters, rate: float) -> None:
        """Move `parameters`, in place, against `gradients`, each number by about `rate`."""
        self.steps += 1
        first, second = self.betas
        for name, gradient in gradients.items():
            mean = self.means.setdefault(name, np.zeros_like(gradient))
            square = self.squares.setdefault(name, np.zeros_like(gradient))
            mean += (1 - first) * (gradient - mean)
            square += (1 - second) * (gradient**2 - square)
            unbiased = mean / (1 - first**self.steps)
            spread = np.sqrt(square / (1 - second**self.steps)) + 1e-8
            if name not in self.undecayed:
                parameters[name] *= 1 - rate * self.decay
            parameters[name] -= rate * unbiased / spread


def schedule(done: float, warm_up: float = 0.03) -> float:
    """Return the share of the full rate when a share `done` of the steps is done.

    It rises in a straight line for the `warm_up`, then falls along half a cosine to 0.
    """
    if done < warm_up:
        return (done + 1e-3) / (warm_up + 1e-3)
    return float(0.5 * (1 + np.cos(np.pi * (done - warm_up) / (1 - warm_up))))
