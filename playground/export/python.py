"""A view's numbers as a few lines of Python, with gensim, NumPy and scikit-learn in plain sight.

Typed words enter the code as Python literals only (`repr`), so that no word can become code.
"""

from collections.abc import Sequence


def load_lines(model: str) -> str:
    """Return the lines that load the vectors `model` as gensim `KeyedVectors`."""
    return f"import playground as pg\n\nvectors = pg.load({model!r})  # gensim KeyedVectors\n"


def analogy_code(
    model: str, terms: Sequence[tuple[float, Sequence[str]]], method: str, exclude_inputs: bool, topn: int
) -> str:
    """Return code for the answers of a word expression: `terms` are (factor, vocabulary words)."""
    vectors = "".join(f"    {factor:+g} * unit({_mean(words)}),\n" for factor, words in terms)
    names = [word for _, words in terms for word in words]
    body = f"""{load_lines(model)}import numpy as np

unit = lambda v: v / np.linalg.norm(v)
"""
    if method == "3cosadd":
        body += f"""target = sum([
{vectors}])
cosines = vectors.vectors @ unit(target) / vectors.norms
"""
    else:
        above = [f"shifted({_mean(words)}) ** {factor:g}" for factor, words in terms if factor > 0]
        below = [f"shifted({_mean(words)}) ** {-factor:g}" for factor, words in terms if factor < 0]
        body += f"""shifted = lambda v: (1 + vectors.vectors @ unit(v) / vectors.norms) / 2
cosines = {" * ".join(above) or "1"} / ({" * ".join(below) or "1"} + 1e-6)
"""
    if exclude_inputs:
        body += f"cosines[[vectors.key_to_index[word] for word in {names!r}]] = -np.inf\n"
    body += f"""answers = [(vectors.index_to_key[i], float(cosines[i])) for i in np.argsort(-cosines)[:{topn}]]
print(answers)
"""
    if method == "3cosadd" and exclude_inputs and all(abs(f) == 1 and len(w) == 1 for f, w in terms):
        positive = [w[0] for f, w in terms if f > 0]
        negative = [w[0] for f, w in terms if f < 0]
        body += f"""
# gensim has it ready-made:
print(vectors.most_similar(positive={positive!r}, negative={negative!r}, topn={topn}))
"""
    return body


def _mean(words: Sequence[str]) -> str:
    if len(words) == 1:
        return f"vectors[{words[0]!r}]"
    return f"np.mean([vectors[word] for word in {list(words)!r}], axis=0)"


def neighbors_code(model: str, words: Sequence[str], topn: int, restrict_vocab: int | None) -> str:
    """Return code for the nearest neighbours of a word, or of the mean of several."""
    return f"""{load_lines(model)}import numpy as np

word = {_mean(words)}
cosines = vectors.vectors @ (word / np.linalg.norm(word)) / vectors.norms
cosines[[vectors.key_to_index[word] for word in {list(words)!r}]] = -np.inf
answers = [(vectors.index_to_key[i], float(cosines[i])) for i in np.argsort(-cosines[:{restrict_vocab}])[:{topn}]]
print(answers)

# gensim has it ready-made:
print(vectors.most_similar({list(words)!r}, topn={topn}, restrict_vocab={restrict_vocab}))
"""


def similarity_code(model: str, first: Sequence[str], second: Sequence[str]) -> str:
    """Return code for the cosine of two words."""
    return f"""{load_lines(model)}import numpy as np

a, b = {_mean(first)}, {_mean(second)}
cosine = float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
print(cosine)
"""


def similarity_matrix_code(model: str, words: Sequence[str]) -> str:
    """Return code for the cosines of all pairs of words."""
    return f"""{load_lines(model)}import numpy as np

words = {list(words)!r}
X = np.stack([pg.lookup(vectors, word).vector for word in words])  # (n, d)
X /= np.linalg.norm(X, axis=1, keepdims=True)
cosines = X @ X.T  # (n, n)
print(cosines.round(3))
"""


def projection_code(model: str, words: Sequence[str], dims: int) -> str:
    """Return code for the PCA coordinates of words."""
    return f"""{load_lines(model)}import numpy as np
from sklearn.decomposition import PCA

words = {list(words)!r}
X = np.stack([pg.lookup(vectors, word).vector for word in words])  # (n, d)
pca = PCA(n_components={dims}, svd_solver="full").fit(X)
# an axis may point either way: here its largest loading is positive
largest = np.abs(pca.components_).argmax(axis=1)
axes = pca.components_ * np.sign(pca.components_[range(len(largest)), largest])[:, None]
points = (X - pca.mean_) @ axes.T  # (n, {dims})
print(pca.explained_variance_ratio_, points)
"""


def attention_code(model: str, tokens: Sequence[str], heads: int, projections: str, seed: int, positions: bool) -> str:
    """Return NumPy code for all steps of a layer of attention over `tokens`."""
    layer = f"random(X.shape[1], {heads}, seed={seed})" if projections == "random" else f"identity(X.shape[1], {heads})"
    added = "X = X + pg.sinusoidal_positions(*X.shape)\n" if positions else ""
    return f"""{load_lines(model)}import numpy as np

tokens = {list(tokens)!r}
X = pg.embed(vectors, tokens)  # (n, d_model)
{added}layer = pg.MultiHeadAttention.{layer}
outputs = []
for W_Q, W_K, W_V in zip(layer.w_q, layer.w_k, layer.w_v):  # one head after the other
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V  # (n, d_k)
    scaled = Q @ K.T / np.sqrt(Q.shape[1])  # (n, n)
    exponentials = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)  # each row adds to 1
    print(weights.round(3))
    outputs.append(weights @ V)  # (n, d_v)
output = np.concatenate(outputs, axis=1) @ layer.w_o  # (n, d_model)
print(output)

assert np.allclose(output, layer(X).output, atol=1e-4)  # the library does the same in one call
"""
