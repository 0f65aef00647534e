"""The bundled heads that have learnt: their weights, their cards, and the input that they expect.

`scripts/train_heads.py` teaches them with a treebank and writes `data/heads`. The files hold plain arrays
and text; nothing is unpickled.
"""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from playground.attention.positions import sinusoidal_positions
from playground.attention.weights import Weights
from playground.bundled import read_files
from playground.errors import PlaygroundError

FILE = "layer.npz"


class WordVectors(Protocol):
    """What the layer needs of a model, such as gensim's `KeyedVectors`: rows, and the row of a word."""

    key_to_index: dict[str, int]
    vectors: np.ndarray  # (V, d_model)


@dataclass(frozen=True)
class HeadCard:
    """What one head was taught, and how well it does on sentences that it has never seen.

    `relation` is a label of Universal Dependencies ("nsubj", "obj", "det", "amod", "case") or "previous";
    `reverse` is True for a look from a head word to its dependent. `accuracy` is the share in [0, 1] of the
    `examples`, test words that bear the relation, whose strongest look (itself and [start] apart) is at
    the right word; `offset_accuracy` is that of always looking `best_offset` words further, the best that
    can be had without reading. `rests` is the share of the test words without the relation at which the
    head rests, with over half its weight on [start]; `rests_wrongly` that share of the words with it.
    """

    name: str
    relation: str
    reverse: bool
    accuracy: float
    best_offset: int
    offset_accuracy: float
    examples: int
    rests: float
    rests_wrongly: float


@dataclass(frozen=True)
class LayerCard:
    """How the learned layer came about.

    `masked_accuracy` is the share of hidden test words whose true word the layer's output fits better than
    `masked_rivals` words drawn at random; `masked_mean_accuracy` that of the plain mean of the sentence.
    `fingerprint` holds the first numbers of the vector of "the": other vectors do not fit this layer.
    """

    heads: tuple[HeadCard, ...]
    vectors: str
    position_scale: float
    treebank: str
    licence: str
    citation: str
    train_sentences: int
    test_sentences: int
    masked_accuracy: float
    masked_mean_accuracy: float
    masked_rivals: int
    unknown_words: str
    command: str
    date: str
    fingerprint: tuple[float, ...]

    @property
    def mean_accuracy(self) -> float:
        """The mean of the heads' accuracies."""
        return float(np.mean([head.accuracy for head in self.heads]))


def load_learned(folder: Path | None = None) -> tuple[Weights, np.ndarray, LayerCard]:
    """Return the projections, the [start] vector `(d_model,)` and the card of the bundled layer.

    Raises `PlaygroundError` if its file is missing or is not the one that the manifest names.
    """
    with np.load(io.BytesIO(read_files("heads", folder)[FILE]), allow_pickle=False) as arrays:
        weights = arrays["w_q"], arrays["w_k"], arrays["w_v"], arrays["w_o"]
        return weights, arrays["start"], card_from_json(str(arrays["card"]))


def card_from_json(text: str) -> LayerCard:
    """Return the card that `json.dumps(asdict(card))` wrote."""
    facts: dict[str, Any] = json.loads(text)
    facts["heads"] = tuple(HeadCard(**head) for head in facts["heads"])
    facts["fingerprint"] = tuple(facts["fingerprint"])
    return LayerCard(**facts)


def prepare(vectors: WordVectors, tokens: Sequence[str], start: np.ndarray, card: LayerCard) -> np.ndarray:
    """Return the input of the learned layer, float32 `(1 + n, d_model)`: row 0 is [start], row i word i.

    Each word's vector, as it is, plus `position_scale` · sinusoidal position (Vaswani et al. 2017, section
    3.5). A token without a vector, such as any number, is a zero vector plus its position. Raises
    `PlaygroundError` for no tokens, and for other word vectors than those the layer was taught with.
    """
    if isinstance(tokens, str):
        raise PlaygroundError("prepare takes a list of tokens: make one with tokenize(vectors, text).")
    if not len(tokens):
        raise PlaygroundError("The sentence is empty: type at least one word.")
    rows = word_rows(vectors, tokens)
    check_fingerprint(vectors, card)
    return add_start_and_positions(rows, start, card.position_scale)


def strongest_looks(weights: np.ndarray) -> np.ndarray:
    """Return the token that each token looks at most, itself and [start] apart: positions from 0, `(..., n)`.

    `weights (..., 1 + n, 1 + n)` are those of a prepared sentence. −1 where there is no other token.
    """
    among_words = weights[..., 1:, 1:].copy()  # (..., n, n)
    n = among_words.shape[-1]
    if n < 2:
        return np.full(among_words.shape[:-1], -1)
    among_words[..., np.arange(n), np.arange(n)] = -1
    looks: np.ndarray = among_words.argmax(axis=-1)
    return looks


def resting(weights: np.ndarray) -> np.ndarray:
    """Return where a head rests, over half its weight on [start]: it found nothing to look at. `(..., n)`.

    `weights (..., 1 + n, 1 + n)` are those of a prepared sentence. Heads of BERT rest in the same way on
    [SEP] (Clark et al. 2019, section 3.2); these heads were taught to.
    """
    rests: np.ndarray = weights[..., 1:, 0] > 0.5
    return rests


def word_rows(vectors: WordVectors, tokens: Sequence[str]) -> np.ndarray:
    """Return the vectors of `tokens (n, d_model)`, float32; zeros where neither it nor its lower case is known."""
    rows = np.zeros((len(tokens), vectors.vectors.shape[1]), dtype=np.float32)
    for position, token in enumerate(tokens):
        index = vectors.key_to_index.get(token, vectors.key_to_index.get(token.lower()))
        if index is not None:
            rows[position] = vectors.vectors[index]
    return rows


def add_start_and_positions(rows: np.ndarray, start: np.ndarray, position_scale: float, shift: int = 0) -> np.ndarray:
    """Return `rows (..., n, d_model)` behind a [start] row, all with their positions: `(..., 1 + n, d_model)`.

    Row 0 stands at position `shift`. Training and use share this one function.
    """
    *lead, n, d_model = rows.shape
    x = np.empty((*lead, n + 1, d_model), dtype=np.float32)
    x[..., 0, :], x[..., 1:, :] = start, rows
    x += (position_scale * sinusoidal_positions(n + 1, d_model, start=shift)).astype(np.float32)
    return x


def fingerprint(vectors: WordVectors) -> tuple[float, ...]:
    """Return the first eight numbers of the vector of "the" (of zeros without that word)."""
    return tuple(float(number) for number in word_rows(vectors, ["the"])[0, :8])


def check_fingerprint(vectors: WordVectors, card: LayerCard) -> None:
    """Raise `PlaygroundError` unless these are the word vectors that the layer was taught with."""
    if not np.allclose(fingerprint(vectors), card.fingerprint, atol=1e-3):
        raise PlaygroundError(
            f"The learned heads only fit the vectors that they were taught with: load {card.vectors!r}."
        )
