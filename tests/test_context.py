"""Meaning in context, on the bundled vectors: the examples of the app, its failures, and bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import playground as pg
from playground.context import anchor_cosines, occurrences, prepared, prepared_space
from playground.words.store import keyed_vectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


def context(vectors: "KeyedVectors", word: str, sentence: str, **options: object) -> pg.Context:
    tokens = pg.tokenize(vectors, sentence)
    return pg.contextualize(vectors, tokens, occurrences(vectors, tokens, word)[0], **options)


def names(found: list[pg.Neighbor]) -> set[str]:
    return {one.word for one in found}


def test_apple_the_company_comes_near_other_companies(glove: "KeyedVectors") -> None:
    found = context(glove, "apple", "Apple company invented phones")
    assert {"motorola", "ibm", "nokia", "microsoft"} <= names(found.neighbors_after)


def test_apple_the_fruit_comes_near_other_fruit(glove: "KeyedVectors") -> None:
    found = context(glove, "apple", "apple pie with fruit juice")
    assert {"mango", "lemon", "pear", "pineapple"} <= names(found.neighbors_after)
    assert "microsoft" in names(found.neighbors_before)


def test_chinese_apple_moves_beside_phones_and_beside_fruit(zh: "KeyedVectors") -> None:
    phone, fruit = context(zh, "苹果", "苹果手机"), context(zh, "苹果", "苹果水果")
    table = anchor_cosines(zh, [phone, fruit], ["诺基亚", "香蕉"])  # Nokia, banana
    (before_phone, after_phone), (before_fruit, after_fruit) = table[..., 0] - table[..., 1]
    assert before_phone == before_fruit
    assert after_phone > before_phone
    assert after_fruit < before_fruit


def test_the_usual_weights_and_vectors_of_a_context(glove: "KeyedVectors") -> None:
    found = context(glove, "apple", "apple company invented phones")
    assert found.word == "apple"
    assert found.weights.shape == (4,)
    assert found.weights[0] == 0
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights.argmax() == 1  # company
    assert np.linalg.norm(found.before) == pytest.approx(10)  # √100
    assert not names(found.neighbors_after) & {"apple", "company", "invented", "phones"}
    assert len(found.neighbors_after) == 10


def test_with_the_diagonal_open_a_word_looks_at_itself(glove: "KeyedVectors") -> None:
    found = context(glove, "apple", "apple pie with fruit juice", block_diagonal=False)
    assert found.weights[0] > 0.95
    cosine = found.before @ found.after / np.linalg.norm(found.before) / np.linalg.norm(found.after)
    assert cosine > 0.999


def test_a_second_apple_is_no_context_of_the_first(glove: "KeyedVectors") -> None:
    once = context(glove, "apple", "the apple fell beside a computer")
    tokens = [*once.tokens, "apple"]
    assert occurrences(glove, tokens, "Apple") == [1, 6]
    for position in (1, 6):
        twice = pg.contextualize(glove, tokens, position)
        assert twice.weights[[1, 6]].tolist() == [0, 0]
        np.testing.assert_allclose(twice.after, once.after)


def test_a_stronger_context_leads_further_away(glove: "KeyedVectors") -> None:
    def cosine(strength: float) -> float:
        found = context(glove, "apple", "apple pie with fruit juice", strength=strength)
        return float(found.before @ found.after / np.linalg.norm(found.before) / np.linalg.norm(found.after))

    assert cosine(0.0) > cosine(0.3) > cosine(0.6) > cosine(0.9)


@pytest.mark.parametrize(
    ("word", "sentence", "wrong", "right"),
    [
        ("apple", "the apple fell on the computer", ["ibm", "software"], ["pear", "lemon"]),
        ("apple", "apple is not a fruit company", ["pear", "lemon"], ["ibm", "software"]),
        ("club", "the golfer chose a club from his bag", ["team", "league"], ["iron", "putter"]),
    ],
)
def test_the_failures_that_the_app_shows_are_failures(
    glove: "KeyedVectors", word: str, sentence: str, wrong: list[str], right: list[str]
) -> None:
    found = context(glove, word, sentence)
    assert anchor_cosines(glove, [found], wrong)[0, 1].mean() > anchor_cosines(glove, [found], right)[0, 1].mean()


def test_unknown_words_are_named_and_get_no_weight(glove: "KeyedVectors") -> None:
    found = pg.contextualize(glove, ["apple", "qqqqzzzz", "juice"], 0)
    assert found.unknown == ("qqqqzzzz",)
    assert found.weights.tolist() == [0, 0, 1]


def test_a_sentence_of_500_words_works(glove: "KeyedVectors") -> None:
    found = pg.contextualize(glove, ["apple", *["juice", "fruit", "the", "pie"] * 125][:500], 0)
    assert found.weights.shape == (500,)
    assert found.weights.sum() == pytest.approx(1)


def test_anchor_cosines_before_are_those_of_the_prepared_words(glove: "KeyedVectors") -> None:
    found = context(glove, "apple", "apple pie with fruit juice")
    rows = prepared(glove, ["apple", "pear"], prepared_space(glove))
    cosine = rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1])
    assert anchor_cosines(glove, [found], ["Pear"])[0, 0, 0] == pytest.approx(cosine)


def test_the_space_is_prepared_once_and_anew_for_other_words() -> None:
    table = np.random.default_rng(0).standard_normal((30, 6)).astype(np.float32)
    vectors = keyed_vectors([f"w{number}" for number in range(30)], table)
    assert prepared_space(vectors) is prepared_space(vectors)
    assert prepared_space(vectors, 2) is not prepared_space(vectors, 3)


@pytest.mark.parametrize(
    ("tokens", "position", "message"),
    [
        ([], 0, "The sentence is empty"),
        ("apple pie", 0, "list of tokens"),
        (["apple", "pie"], 2, "no position 2 in a sentence of 2 words: give one from 0 to 1"),
        (["apple", "pie"], -1, "no position -1"),
        (["apple", "pie"], 1.0, "whole number"),
        (["apple"], 0, "'apple' stands alone"),
        (["apple", "Apple"], 0, "'apple' stands alone"),
        (["apple", "qqqqzzzz"], 0, "'apple' stands alone"),
        (["qqqqzzzz", "wwwwzzzz"], 0, "I do not know 'qqqqzzzz'"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    glove: "KeyedVectors", tokens: list[str], position: int, message: str
) -> None:
    with pytest.raises(pg.PlaygroundError, match=message):
        pg.contextualize(glove, tokens, position)


def test_a_word_that_is_not_in_the_sentence_is_named(glove: "KeyedVectors") -> None:
    with pytest.raises(pg.PlaygroundError, match=r"'pear' is not in the sentence\. Its words are: apple, pie"):
        occurrences(glove, ["apple", "pie"], "pear")


def test_a_tiny_model_is_refused_with_the_reason() -> None:
    vectors = keyed_vectors(["a", "b", "c"], np.eye(3, 5, dtype=np.float32))
    with pytest.raises(pg.PlaygroundError, match="3 words with a direction: too few"):
        pg.contextualize(vectors, ["a", "b"], 0)


def test_the_benchmark_of_context_prints_all_settings(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    words = json.loads((root / "data" / "senses" / "senses.json").read_text(encoding="utf-8"))
    small = tmp_path / "senses.json"
    small.write_text(json.dumps([one for one in words if one["word"] in ("apple", "pitcher")]), encoding="utf-8")
    command = [sys.executable, str(root / "scripts" / "benchmark.py"), "context", "--senses", str(small)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", env={"PYTHONIOENCODING": "utf-8"})
    assert result.returncode == 0, result.stderr
    for setting in ("attention ", "plain mean", "diagonal not blocked", "components kept", "positions added"):
        assert setting in result.stdout
    assert "pitcher: pitcher threw strike batter game" in result.stdout
