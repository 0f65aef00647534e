"""What the heads are taught, and how well they have learnt it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from treebank import Relation, Sentence

from playground.attention.learned import HeadCard, add_start_and_positions, resting, strongest_looks
from playground.attention.lessons import Lesson, pack
from playground.attention.multihead import MultiHeadAttention
from playground.attention.training import Parameters, Recipe, hide, look_for_hidden
from playground.words.tokens import known_form

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

RELATIONS = (
    Relation("subject → verb", "nsubj", to="VERB"),
    Relation("object → verb", "obj", to="VERB"),
    Relation("verb → its subject", "nsubj", to="VERB", reverse=True),
    Relation("verb → its object", "obj", to="VERB", reverse=True),
    Relation("determiner → noun", "det"),
    Relation("adjective → noun", "amod"),
    Relation("preposition → noun", "case"),
    Relation("previous word", "previous"),
)


@dataclass(frozen=True)
class WordTable:
    """The vectors of the words that occur, one row each, and a last row of zeros for those without one."""

    row_of: dict[str, int]  # by the form in the treebank
    table: np.ndarray  # (words + 1, d_model)

    @classmethod
    def of(cls, vectors: "KeyedVectors", sentences: Sequence[Sentence]) -> "WordTable":
        """Look each form of the treebank up as the app does with a reader's tokens."""
        forms = sorted({form for sentence in sentences for form in sentence.forms})
        entry_of = {form: entry for form in forms if (entry := known_form(vectors, form)) is not None}
        entries = sorted(set(entry_of.values()))
        rows = {entry: row for row, entry in enumerate(entries)}
        table = np.zeros((len(entries) + 1, vectors.vector_size), dtype=np.float32)
        table[:-1] = vectors.vectors[[vectors.key_to_index[entry] for entry in entries]]
        return cls({form: rows[entry] for form, entry in entry_of.items()}, table)

    @property
    def filler(self) -> int:
        """The row of zeros."""
        return len(self.table) - 1

    def lesson(self, sentence: Sentence) -> Lesson:
        """Return what the relations teach in a sentence."""
        rows = [self.row_of.get(form, self.filler) for form in sentence.forms]
        return Lesson(np.array(rows), np.stack([relation.targets(sentence) for relation in RELATIONS]))


def head_cards(learnt: Parameters, words: WordTable, scale: float, tests: Sequence[Lesson]) -> tuple[HeadCard, ...]:
    """Return the card of each head: how it does on the test sentences, and how the best fixed offset does."""
    layer = MultiHeadAttention(*(learnt[name] for name in ("w_q", "w_k", "w_v", "w_o")))
    bears, right, rests, distances = [], [], [], []
    for lesson in tests:
        weights = layer(add_start_and_positions(words.table[lesson.rows], learnt["start"], scale)).weights
        bears.append(lesson.targets >= 0)
        right.append(strongest_looks(weights) == lesson.targets)
        rests.append(resting(weights))
        distances.append(lesson.targets - np.arange(len(lesson.rows)))
    cards = []
    joined = (np.concatenate(part, axis=1) for part in (bears, right, rests, distances))  # each (h, words)
    for relation, bear, hit, rest, distance in zip(RELATIONS, *joined, strict=True):
        offsets, counts = np.unique(distance[bear], return_counts=True)
        cards.append(
            HeadCard(
                name=relation.name,
                relation=relation.relation,
                reverse=relation.reverse,
                accuracy=float(hit[bear].mean()),
                best_offset=int(offsets[counts.argmax()]),
                offset_accuracy=float(counts.max() / bear.sum()),
                examples=int(bear.sum()),
                rests=float(rest[~bear].mean()),
                rests_wrongly=float(rest[bear].mean()),
            )
        )
    return tuple(cards)


@dataclass(frozen=True)
class Guesses:
    """How often a hidden word fits better than its rivals, in [0, 1], and the outputs' mean length.

    `accuracy` is that of the layer's output, `mean_accuracy` that of the plain mean of the other words.
    """

    accuracy: float
    mean_accuracy: float
    length: float


def guess_hidden(learnt: Parameters, words: WordTable, recipe: Recipe, tests: Sequence[Lesson]) -> Guesses:
    """Hide words of the test sentences, and let the layer guess them."""
    generator = np.random.default_rng(recipe.seed)
    known = np.concatenate([lesson.rows for lesson in tests])
    known = known[known != words.filler]
    units = words.table / np.maximum(np.linalg.norm(words.table, axis=1, keepdims=True), 1e-9)
    hits, mean_hits, lengths = [], [], []
    for start in range(0, len(tests), 32):
        batch = pack(tests[start : start + 32], words.filler)
        hidden = hide(batch, words.filler, recipe.hidden_share, generator)
        truth, rivals = batch.rows[hidden], generator.choice(known, recipe.rivals)
        mixed = look_for_hidden(batch, hidden, words.table, learnt, recipe.position_scale)
        output = np.einsum("mhd,hdv->mhv", mixed, learnt["w_v"]).reshape(len(truth), -1) @ learnt["w_o"]
        seen = words.table[np.where(hidden, words.filler, batch.rows)].sum(axis=1)[np.nonzero(hidden)[0]]
        hits.append(_fits_best(output, words.table, truth, rivals))
        mean_hits.append(_fits_best(seen, units, truth, rivals))  # a mean's length says nothing: by cosine
        lengths.append(np.linalg.norm(output, axis=1))
    return Guesses(*(float(np.concatenate(part).mean()) for part in (hits, mean_hits, lengths)))


def _fits_best(guess: np.ndarray, table: np.ndarray, truth: np.ndarray, rivals: np.ndarray) -> np.ndarray:
    fit = np.sum(guess * table[truth], axis=1)
    rival_fit = np.where(rivals == truth[:, None], -np.inf, guess @ table[rivals].T)
    best: np.ndarray = fit > rival_fit.max(axis=1)
    return best
