"""The experiments of the why lab and the position views as a few lines of NumPy."""

from collections.abc import Sequence

from playground.export.python import load_lines


def scaling_code(widest: int, keys: int, seed: int) -> str:
    """Return code for the spread, the largest weight and the gradient at widths 1, 2, 4 … `widest`."""
    return f"""import numpy as np

d_k = 1
while d_k <= {widest}:
    random = np.random.default_rng([{seed}, d_k])
    q, k = random.standard_normal((200, 1, d_k)), random.standard_normal((200, {keys}, d_k))
    scores = (q @ k.transpose(0, 2, 1))[:, 0]  # 200 queries, {keys} keys each
    for s in (scores, scores / np.sqrt(d_k)):
        w = np.exp(s - s.max(axis=1, keepdims=True))
        w /= w.sum(axis=1, keepdims=True)
        jacobian = w[:, :, None] * np.eye({keys}) - w[:, :, None] * w[:, None, :]
        gradient = np.linalg.norm(jacobian, axis=(1, 2))
        print(d_k, s.std().round(2), np.median(w.max(axis=1)).round(3), np.median(gradient))
    d_k *= 2
"""


def distance_code(model: str, tokens: Sequence[str], strength: float, seed: int) -> str:
    """Return code for the influence of each word on the last state of an RNN and on attention's output."""
    return f"""{load_lines(model)}import numpy as np
from playground.attention.recurrent import RNN, reach

X = pg.embed(vectors, {list(tokens)!r}).astype(float)  # (n, d)
d = X.shape[1]
rnn = RNN.random(d, d, strength={strength!r}, seed={seed})

h, states = np.zeros(d), []
for x in X:  # n steps, one after the other
    h = np.tanh(x @ rnn.w_x + h @ rnn.w_h)
    states.append(h)
back, sizes = np.eye(d), []
for h in reversed(states):  # from the last word back to the first
    through_tanh = back * (1 - h**2)
    sizes.append(np.linalg.norm(through_tanh @ rnn.w_x.T))  # size of the derivative by that word
    back = through_tanh @ rnn.w_h.T
print("RNN", np.array(sizes) / sum(sizes))

run = reach(rnn, pg.MultiHeadAttention.random(d, seed={seed}), X)  # the same, and attention
print("attention", run.attention)
"""


def shuffle_code(model: str, tokens: Sequence[str], order: Sequence[int]) -> str:
    """Return code for the change of each word's output when the words take another order."""
    return f"""{load_lines(model)}import numpy as np

X = pg.embed(vectors, {list(tokens)!r}).astype(float)  # (n, d)
order = np.array({list(order)!r})
back = np.argsort(order)  # where each word went
n, d = X.shape
head = pg.MultiHeadAttention.random(d, 1, d_k=-(-d // 4), d_v=-(-d // 4))

output = lambda x: head(x).heads[0]  # softmax(QKᵀ/√d_k) V
print("without positions", np.abs(output(X[order])[back] - output(X)).max())  # only rounding
P = pg.sinusoidal_positions(n, d)
change = output(X[order] + P)[back] - output(X + P)
print("with positions", np.linalg.norm(change, axis=1) / np.linalg.norm(output(X + P), axis=1))
"""


def word_order_code(
    model: str,
    sentences: tuple[Sequence[str], Sequence[str]],
    places: Sequence[tuple[int, int]],
    strength: float,
    projections: str,
    seed: int,
) -> str:
    """Return code that compares each word's output in two sentences, without and with positions."""
    first, second = sentences
    layer = f"random(d, 1, d_k=-(-d // 4), d_v=-(-d // 4), seed={seed})" if projections == "random" else "identity(d)"
    return f"""{load_lines(model)}import numpy as np

first, second = {list(first)!r}, {list(second)!r}
places = {list(places)!r}  # where each word stands in the first and in the second
A, B = (pg.embed(vectors, words).astype(float) for words in (first, second))
d = A.shape[1]
head = pg.MultiHeadAttention.{layer}
place = lambda x: {strength!r} * pg.sinusoidal_positions(*x.shape)
output = lambda x: head(x).heads[0]  # softmax(QKᵀ/√d_k) V

for i, j in places:
    without = output(B)[j] - output(A)[i]  # only rounding, if the words are the same
    with_positions = output(B + place(B))[j] - output(A + place(A))[i]
    print(first[i], np.linalg.norm(without), np.linalg.norm(with_positions))
"""


def heads_code(model: str, first: str, second: str, share: float) -> str:
    """Return code for one head's average of two words against two heads."""
    return f"""{load_lines(model)}import numpy as np

a, b = vectors[{first!r}], vectors[{second!r}]
half = (len(a) + 1) // 2
one = lambda a, b: {share!r} * a + (1 - {share!r}) * b
two = lambda a, b: np.concatenate([a[:half], b[half:]])  # head 1 looks at a, head 2 at b
print("exchanged, one head ", np.linalg.norm(one(a, b) - one(b, a)))
print("exchanged, two heads", np.linalg.norm(two(a, b) - two(b, a)))
"""


def mixing_code(model: str, tokens: Sequence[str], heads: int, seed: int) -> str:
    """Return code for the columns that each head reaches, without and with W_O."""
    return f"""{load_lines(model)}import numpy as np

X = pg.embed(vectors, {list(tokens)!r})  # (n, d_model)
layer = pg.MultiHeadAttention.random(X.shape[1], {heads}, seed={seed})
concat = layer(X).concat  # (n, h · d_v)
for h in range({heads}):
    only = np.zeros_like(concat)
    columns = slice(h * layer.d_v, (h + 1) * layer.d_v)
    only[:, columns] = concat[:, columns]  # what head h adds
    reached = [np.count_nonzero(np.abs(m).mean(axis=0)) for m in (only, only @ layer.w_o)]
    print("head", h + 1, "reaches", reached[0], "columns; through W_O", reached[1])
"""


def temperature_code(scores: Sequence[float], temperature: float) -> str:
    """Return code for softmax at a temperature."""
    return f"""import numpy as np

s = np.array({list(scores)!r}) / {temperature!r}
w = np.exp(s - s.max())
print(w / w.sum())
"""


def shift_code(scores: Sequence[float], constant: float, precision: str) -> str:
    """Return code for softmax with a constant added, as written and with the maximum subtracted."""
    return f"""import numpy as np

x = (np.array({list(scores)!r}) + {constant!r}).astype(np.{precision})
with np.errstate(all="ignore"):
    e = np.exp(x)
    print("as written", e, e / e.sum(dtype=x.dtype))
e = np.exp(x - x.max())
print("maximum subtracted", e / e.sum(dtype=x.dtype))
"""


def lesson_code(scores: Sequence[float], claimed: Sequence[float], d_k: int) -> str:
    """Return code for the true weights of the lesson's scores, and the √d_k that each pair asks for."""
    return f"""import numpy as np

s, w = np.array({list(scores)!r}), np.array({list(claimed)!r})
e = np.exp(s / np.sqrt({d_k}))
print("softmax", e / e.sum())
for i in range(4):
    for j in range(i + 1, 4):
        root = (s[i] - s[j]) / np.log(w[i] / w[j])
        print(i, j, "ask for sqrt(d_k) =", root, "so d_k =", root**2)
"""


def groups_code(model: str, word: str, heads: int) -> str:
    """Return code that counts W_Q, W_K, W_V and shows that a word in two places has one query."""
    return f"""{load_lines(model)}import numpy as np

layer = pg.MultiHeadAttention.random(vectors.vector_size, {heads})
print(layer.w_q.shape, layer.w_k.shape, layer.w_v.shape)  # (h, d_model, d_k): no axis for the words
steps = layer(np.stack([vectors[{word!r}], vectors[{word!r}]]))
print(np.abs(steps.query[:, 0] - steps.query[:, 1]).max())
"""


def positions_code(n: int, d_model: int, base: float, layout: str) -> str:
    """Return code for the sinusoidal positions by their formula, and their products."""
    if layout == "interleaved":
        filled = "PE = np.empty((n, d_model))\nPE[:, 0::2], PE[:, 1::2] = sine, cosine"
    else:
        filled = "PE = np.concatenate([sine, cosine], axis=1)"
    return f"""import numpy as np

n, d_model, base = {n}, {d_model}, {base!r}
speed = base ** (-2 * np.arange((d_model + 1) // 2) / d_model)  # one speed a pair of columns
angle = np.arange(n)[:, None] * speed
sine, cosine = np.sin(angle), np.cos(angle)[:, : d_model // 2]  # an odd width: the last cosine is left out
{filled}
products = PE @ PE.T
for distance in range(n):
    same_distance = np.diagonal(products, distance)
    print(distance, same_distance.mean(), np.ptp(same_distance))

import playground as pg
assert np.allclose(PE, pg.sinusoidal_positions(n, d_model, base=base, layout={layout!r}))
"""
