"""The bundled heads on sentences that nobody has taught them, written for these tests."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import playground as pg
from playground.attention.learned import card_from_json, load_learned, resting, strongest_looks
from playground.attention.multihead import MultiHeadAttention

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

DATA = Path(__file__).parents[2] / "data"
HEADS = (
    "subject → verb",
    "object → verb",
    "verb → its subject",
    "verb → its object",
    "determiner → noun",
    "adjective → noun",
    "preposition → noun",
    "previous word",
)

# What a reader would draw: for each sentence, by head, who is to look at whom (positions, from 0).
SENTENCES = {
    "the dog bites the man": "1>2, 4>2, 2>1, 2>4, 0>1 3>4, , ",
    "the man bites the dog": "1>2, 4>2, 2>1, 2>4, 0>1 3>4, , ",
    "john hit mary": "0>1, 2>1, 1>0, 1>2, , , ",
    "mary hit john": "0>1, 2>1, 1>0, 1>2, , , ",
    "the cat sat on the mat": "1>2, , 2>1, , 0>1 4>5, , 3>5",
    "my brother bought a new car in london": "1>2, 5>2, 2>1, 2>5, 3>5, 4>5, 6>7",
    "the old man gave the book to a young girl": "2>3, 5>3, 3>2, 3>5, 0>2 4>5 7>9, 1>2 8>9, 6>9",
    "she reads a long letter from her mother": "0>1, 4>1, 1>0, 1>4, 2>4, 3>4, 5>7",
    "the teacher praised the student": "1>2, 4>2, 2>1, 2>4, 0>1 3>4, , ",
    "the student praised the teacher": "1>2, 4>2, 2>1, 2>4, 0>1 3>4, , ",
    "a small child ate the red apple": "2>3, 6>3, 3>2, 3>6, 0>2 4>6, 1>2 5>6, ",
    "the company sold its old factory to a rival": "1>2, 5>2, 2>1, 2>5, 0>1 7>8, 4>5, 6>8",
}


@pytest.fixture(scope="module")
def layer() -> MultiHeadAttention:
    return pg.MultiHeadAttention.learned()


@pytest.fixture(scope="module")
def looks(layer: MultiHeadAttention, glove: "KeyedVectors") -> dict[str, np.ndarray]:
    """The strongest look of each word, by sentence, `(8, n)`."""
    return {sentence: strongest_looks(layer(layer.prepare(glove, sentence.split())).weights) for sentence in SENTENCES}


def test_the_layer_has_eight_heads_over_glove(layer: MultiHeadAttention) -> None:
    assert tuple(head.name for head in layer.heads) == HEADS
    assert (layer.num_heads, layer.d_model) == (8, 100)
    assert {head.relation for head in layer.heads} == {"nsubj", "obj", "det", "amod", "case", "previous"}
    assert [head.name for head in layer.heads if head.reverse] == ["verb → its subject", "verb → its object"]


def test_other_layers_have_no_cards_and_prepare_nothing(glove: "KeyedVectors") -> None:
    layer = pg.MultiHeadAttention.random(100, 8)
    assert layer.heads == ()
    with pytest.raises(pg.PlaygroundError, match="Only a learned layer prepares its input"):
        layer.prepare(glove, ["apple"])


def test_the_cards_reach_what_was_asked_of_them(layer: MultiHeadAttention) -> None:
    accuracy = {head.name: head.accuracy for head in layer.heads}
    assert np.mean(list(accuracy.values())) >= 0.75
    assert accuracy["subject → verb"] >= 0.64
    assert accuracy["object → verb"] >= 0.75
    assert accuracy["verb → its subject"] >= 0.72
    assert accuracy["determiner → noun"] >= 0.75
    assert accuracy["adjective → noun"] >= 0.79
    assert accuracy["previous word"] >= 0.98
    for head in layer.heads[:-1]:
        assert head.accuracy >= head.offset_accuracy + 0.04
        assert head.examples > 1000


def test_heads_rest_more_often_where_their_relation_is_absent(layer: MultiHeadAttention) -> None:
    for head in layer.heads:
        assert head.rests > 0.5
        assert head.rests_wrongly < 0.15


def test_the_card_tells_where_the_layer_comes_from(layer: MultiHeadAttention) -> None:
    assert layer.card is not None
    manifest = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))["heads"]
    assert layer.card.licence == manifest["licence"] == "CC-BY-SA-4.0"
    assert layer.card.date == manifest["date"]
    assert layer.card.command == manifest["command"]
    assert (layer.card.train_sentences, layer.card.test_sentences) == (12_526, 2_001)
    assert 0 < layer.card.masked_mean_accuracy < layer.card.masked_accuracy < 1
    assert manifest["accuracy"] == {head.name: round(head.accuracy, 4) for head in layer.heads}


def test_a_card_survives_being_written_and_read(layer: MultiHeadAttention) -> None:
    assert layer.card is not None
    assert card_from_json(json.dumps(asdict(layer.card))) == layer.card


def test_the_files_of_the_heads_are_small() -> None:
    assert sum(file.stat().st_size for file in (DATA / "heads").iterdir()) < 1_000_000


def test_prepare_puts_start_first_and_adds_two_positions(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    x = layer.prepare(glove, ["apple", "company"])
    assert x.shape == (3, 100)
    assert x.dtype == np.float32
    positions = pg.sinusoidal_positions(3, 100)
    np.testing.assert_allclose(x[1] - 2 * positions[1], glove["apple"], atol=1e-5)
    np.testing.assert_allclose(x[2] - 2 * positions[2], glove["company"], atol=1e-5)
    np.testing.assert_allclose(x[0] - 2 * positions[0], layer.start, atol=1e-5)


def test_an_unknown_word_is_its_position_alone(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    x = layer.prepare(glove, ["in", "2024", "qqqqzzzz"])
    np.testing.assert_allclose(x[2:], 2 * pg.sinusoidal_positions(4, 100)[2:], atol=1e-6)


def test_capitals_do_not_matter(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    np.testing.assert_array_equal(layer.prepare(glove, ["The", "Dog"]), layer.prepare(glove, ["the", "dog"]))


def test_rows_of_weights_add_to_one(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    steps = layer(layer.prepare(glove, ["the", "dog", "bites", "the", "man"]))
    assert steps.weights.shape == (8, 6, 6)
    np.testing.assert_allclose(steps.weights.sum(axis=-1), 1, atol=1e-5)


def test_a_sentence_of_500_words_works(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    steps = layer(layer.prepare(glove, ["dog"] * 500))
    np.testing.assert_allclose(steps.weights.sum(axis=-1), 1, atol=1e-4)


@pytest.mark.parametrize("head", ["subject → verb", "object → verb", "verb → its subject", "verb → its object"])
@pytest.mark.parametrize("sentence", ["the dog bites the man", "the man bites the dog"])
def test_who_bites_whom_comes_right(looks: dict[str, np.ndarray], sentence: str, head: str) -> None:
    number = HEADS.index(head)
    pairs = SENTENCES[sentence].split(",")[number].split()
    for looker, target in (map(int, pair.split(">")) for pair in pairs):
        assert looks[sentence][number, looker] == target


def test_each_the_looks_at_its_own_noun(looks: dict[str, np.ndarray]) -> None:
    determiner = looks["the dog bites the man"][HEADS.index("determiner → noun")]
    assert (determiner[0], determiner[3]) == (1, 4)


def test_the_previous_word_is_nearly_always_found(looks: dict[str, np.ndarray]) -> None:
    right = np.concatenate([found[7, 1:] == np.arange(found.shape[1] - 1) for found in looks.values()])
    assert right.mean() > 0.95


def test_the_figures_hold_on_a_readers_sentences(looks: dict[str, np.ndarray]) -> None:
    right = []
    for sentence, drawn in SENTENCES.items():
        for number, pairs in enumerate(drawn.split(",")):
            for looker, target in (map(int, pair.split(">")) for pair in pairs.split()):
                right.append(looks[sentence][number, looker] == target)
    assert len(right) == 77
    assert np.mean(right) > 0.8


def test_without_positions_the_two_bites_are_one(layer: MultiHeadAttention, glove: "KeyedVectors") -> None:
    def weights_of_verb(sentence: str) -> dict[str, float]:
        x = layer.prepare(glove, sentence.split()) - 2 * pg.sinusoidal_positions(6, 100).astype(np.float32)
        weights = layer(x).weights[HEADS.index("verb → its subject"), 3, 1:]
        return dict(zip(sentence.split(), weights, strict=True))

    one, other = weights_of_verb("the dog bites the man"), weights_of_verb("the man bites the dog")
    for word in ("dog", "man"):
        assert one[word] == pytest.approx(other[word], abs=1e-5)


def test_strongest_looks_leave_out_start_and_the_word_itself() -> None:
    weights = np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.7, 0.1, 0.05, 0.15],
            [0.1, 0.3, 0.6, 0.0],
            [0.5, 0.0, 0.5, 0.0],
        ]
    )
    assert strongest_looks(weights).tolist() == [2, 0, 1]
    assert resting(weights).tolist() == [True, False, False]
    assert strongest_looks(weights[:2, :2]).tolist() == [-1]


@pytest.mark.parametrize(
    ("tokens", "message"), [([], "The sentence is empty"), ("the dog", "prepare takes a list of tokens")]
)
def test_bad_sentences_are_refused(
    layer: MultiHeadAttention, glove: "KeyedVectors", tokens: list[str], message: str
) -> None:
    with pytest.raises(pg.PlaygroundError, match=message):
        layer.prepare(glove, tokens)


def test_other_vectors_do_not_fit(layer: MultiHeadAttention, zh: "KeyedVectors") -> None:
    narrow = SimpleNamespace(key_to_index={"the": 0}, vectors=np.ones((1, 50), dtype=np.float32))
    for vectors in (zh, narrow):
        with pytest.raises(pg.PlaygroundError, match="only fit the vectors that they were taught with: load 'glove'"):
            layer.prepare(vectors, ["the"])


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    shutil.copytree(DATA / "heads", tmp_path / "heads")
    shutil.copyfile(DATA / "manifest.json", tmp_path / "manifest.json")
    weights, start, _ = load_learned(tmp_path)
    assert len(weights) == 4
    assert start.shape == (100,)
    content = bytearray((tmp_path / "heads" / "layer.npz").read_bytes())
    content[1000] ^= 1
    (tmp_path / "heads" / "layer.npz").write_bytes(content)
    with pytest.raises(pg.PlaygroundError, match=r"layer.npz is damaged.*train_heads.py"):
        load_learned(tmp_path)
    (tmp_path / "heads" / "layer.npz").unlink()
    with pytest.raises(pg.PlaygroundError, match=r"layer.npz is missing"):
        load_learned(tmp_path)
