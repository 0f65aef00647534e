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


def query_code(
    model: str, text: str, words: Sequence[str], topn: int, restrict_vocab: int | None, exclude_forms: bool
) -> str:
    """Return code for the neighbours of a word, a list (its mean) or a formula, `words` being what it names."""
    body = f"""{load_lines(model)}import numpy as np
from playground.words.query import read_query

query = read_query(vectors, {text!r}).vector  # of one word: vectors[word]
cosines = vectors.vectors @ (query / np.linalg.norm(query)) / vectors.norms
left_out = {list(words)!r}
"""
    if exclude_forms:
        body += """from playground.words.forms import word_forms
left_out += [form for word in left_out for form in word_forms(vectors, word)]
"""
    body += f"""cosines[[vectors.key_to_index[word] for word in left_out]] = -np.inf
answers = [(vectors.index_to_key[i], float(cosines[i])) for i in np.argsort(-cosines[:{restrict_vocab}])[:{topn}]]
print(answers)
"""
    if len(words) == 1 and not exclude_forms:
        body += f"""
# gensim has it ready-made:
print(vectors.most_similar({words[0]!r}, topn={topn}, restrict_vocab={restrict_vocab}))
"""
    return body


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


def projection_code(model: str, words: Sequence[str], dims: int, method: str = "pca", seed: int = 0) -> str:
    """Return code for the coordinates of words by PCA or t-SNE, which needs at least four words."""
    n = len(words)
    body = f"""{load_lines(model)}import numpy as np

words = {list(words)!r}
X = np.stack([pg.lookup(vectors, word).vector for word in words]).astype(np.float64)  # (n, d)
"""
    if method == "tsne":
        return f"""{body}
from sklearn.manifold import TSNE

tsne = TSNE({dims}, perplexity=min(30, (len(X) - 1) / 3), init="pca", random_state={seed})
points = tsne.fit_transform(X)  # (n, {dims})
print(points)
"""
    if n < 2:
        return f"""{body}points = np.zeros((len(words), {dims}))  # one word has no spread to show
print(points)
"""
    axes = min(dims, n - 1)
    filled = f"points = np.pad(points, [(0, 0), (0, {dims - axes})])  # axes that {n} words do not have\n"
    return f"""{body}
from sklearn.decomposition import PCA

pca = PCA(n_components={axes}, svd_solver="full").fit(X)
# an axis may point either way: here its largest loading is positive
largest = np.abs(pca.components_).argmax(axis=1)
axes = pca.components_ * np.sign(pca.components_[range(len(largest)), largest])[:, None]
points = (X - pca.mean_) @ axes.T  # (n, {axes})
{filled if axes < dims else ""}print(pca.explained_variance_ratio_, points)
"""


def odd_one_out_code(model: str, words: Sequence[str]) -> str:
    """Return code for the mean cosine of each word to the others."""
    return f"""{load_lines(model)}import numpy as np

words = {list(words)!r}
X = np.stack([pg.lookup(vectors, word).vector for word in words])  # (n, d)
X /= np.linalg.norm(X, axis=1, keepdims=True)
means = ((X @ X.T).sum(axis=1) - 1) / (len(words) - 1)  # without the word itself, whose cosine is 1
print(words[means.argmin()], dict(zip(words, means.round(3).tolist())))
"""


def axes_code(model: str, axes: Sequence[Sequence[tuple[str, str]]], words: Sequence[str]) -> str:
    """Return code for the places of words along one or two axes, each given by its pairs."""
    return f"""{load_lines(model)}import numpy as np


def unit(text):
    vector = pg.lookup(vectors, text).vector
    return vector / np.linalg.norm(vector)


axes = []
for pairs in {[list(pairs) for pairs in axes]!r}:
    mean = np.mean([unit(end) - unit(start) for start, end in pairs], axis=0)
    axes.append(mean / np.linalg.norm(mean))
words = {list(words)!r}
X = np.stack([unit(word) for word in words])  # (n, d)
places = X @ np.array(axes).T  # (n, axes)
mixture = np.linalg.lstsq(np.array(axes).T, X.T, rcond=None)[0]
left_out = ((X - mixture.T @ np.array(axes)) ** 2).sum(axis=1)  # what the axes do not hold of each word
print(dict(zip(words, places.round(3).tolist())), left_out)
"""


def score_code(model: str, source: str | None, analogies: bool, restrict_vocab: int | None, method: str) -> str:
    """Return code that runs a test list: a bundled one, or (None) a file of the reader's own."""
    given = repr(source) if source is not None else '"my_list.txt"'
    if not analogies:
        return f"""{load_lines(model)}
score = pg.score_pairs(vectors, {given}, restrict_vocab={restrict_vocab})
print(score.spearman, score.pearson)
"""
    gensims = ""
    if source is not None and method == "3cosadd":
        gensims = f"""
# gensim has it ready-made, some ten times slower:
# from gensim.test.utils import datapath
# vectors.evaluate_word_analogies(datapath("questions-words.txt"), restrict_vocab={restrict_vocab})
"""
    return f"""{load_lines(model)}
score = pg.score_analogies(vectors, {given}, restrict_vocab={restrict_vocab}, method={method!r})
for section in score.sections:
    print(section.name, section.correct, section.total)
print(score.accuracy)
{gensims}"""


def context_code(model: str, sentences: Sequence[tuple[Sequence[str], int]], options: dict[str, object]) -> str:
    """Return code that moves a word in two sentences, given as (tokens, position)."""
    given = [(list(tokens), position) for tokens, position in sentences]
    strength, block = options["strength"], options["block_diagonal"]
    remove, positions = options["remove_components"], options["positions"]
    added = "    S = S + pg.sinusoidal_positions(*S.shape)\n" if positions else ""
    blocked = "    scores[[token == tokens[place] for token in tokens]] = -np.inf  # not at itself\n" if block else ""
    return f"""{load_lines(model)}import numpy as np

X = vectors.vectors.astype(float)
X -= X.mean(axis=0)
_, axes = np.linalg.eigh(X.T @ X)  # the principal components, the strongest last
axes = axes[:, X.shape[1] - {remove}:]
X -= X @ axes @ axes.T
X *= np.sqrt(X.shape[1]) / np.linalg.norm(X, axis=1, keepdims=True)  # the prepared space

results = []
for tokens, place in {given!r}:
    tokens = [pg.tokenize(vectors, token)[0] for token in tokens]
    known = [token in vectors.key_to_index for token in tokens]
    place = sum(known[:place])
    tokens = [token for token, here in zip(tokens, known) if here]
    S = plain = X[[vectors.key_to_index[token] for token in tokens]]  # (n, d)
{added}    scores = S[place] @ S.T / np.sqrt(S.shape[1])
{blocked}    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    after = (1 - {strength}) * plain[place] + {strength} * weights @ S
    cosines = X @ after / np.linalg.norm(X, axis=1) / np.linalg.norm(after)
    cosines[[vectors.key_to_index[token] for token in tokens]] = -np.inf
    near = [vectors.index_to_key[i] for i in np.argsort(-cosines)[:8]]
    print(dict(zip(tokens, weights.round(3).tolist())), near)
    results.append((weights, near))
"""


def learned_code(tokens: Sequence[str]) -> str:
    """Return code for the weights of the learned heads over `tokens`."""
    return f"""import numpy as np
import playground as pg

vectors = pg.load("glove")
layer = pg.MultiHeadAttention.learned()
tokens = {list(tokens)!r}
X = layer.prepare(vectors, tokens)  # (1 + n, d_model): [start], then the words, positions added
for head, W_Q, W_K in zip(layer.heads, layer.w_q, layer.w_k):
    scaled = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])  # (1 + n, 1 + n)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    among = weights[1:, 1:] - np.eye(len(tokens))  # a word's look at itself does not count
    print(head.name, [(tokens[i], tokens[j]) for i, j in enumerate(among.argmax(axis=1))])

steps = layer(X)
assert np.allclose(weights, steps.weights[-1], atol=1e-5)  # the library does the same in one call
"""
