"""Context moves ambiguous words to the right side, on words of a file that was made for it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from playground.context import ContextOptions
from playground.errors import PlaygroundError, UnknownWordError
from playground.senses import AmbiguousWord, Sense, SenseScore, read_senses, score_senses

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

SENSES = Path(__file__).parents[1] / "data" / "senses" / "senses.json"


@pytest.fixture(scope="module")
def words() -> tuple[AmbiguousWord, ...]:
    return read_senses(SENSES)


@pytest.fixture(scope="module")
def attention(glove: "KeyedVectors", words: tuple[AmbiguousWord, ...]) -> SenseScore:
    return score_senses(glove, words)


def test_the_file_holds_22_words_with_two_senses_of_two_sentences(words: tuple[AmbiguousWord, ...]) -> None:
    assert len(words) == 22
    assert {len(sense.sentences) for one in words for sense in one.senses} == {2}


def test_a_dozen_words_move_to_the_right_side(glove: "KeyedVectors", words: tuple[AmbiguousWord, ...]) -> None:
    score = score_senses(glove, words[:12])
    assert len(score.moves) == 48
    assert score.accuracy > 0.9
    assert score.mean_shift > 0.15


def test_attention_reaches_its_figures_on_the_whole_file(attention: SenseScore) -> None:
    assert len(attention.moves) == 88
    assert attention.right == sum(move.after > move.before for move in attention.moves)
    assert attention.accuracy >= 0.94
    assert attention.mean_shift >= 0.20


def test_attention_beats_the_plain_mean_on_natural_sentences(
    glove: "KeyedVectors", words: tuple[AmbiguousWord, ...], attention: SenseScore
) -> None:
    mean = score_senses(glove, words, ContextOptions(scale=0))
    assert attention.of_sentence(1).mean_shift > mean.of_sentence(1).mean_shift + 0.04
    assert attention.of_sentence(1).accuracy > mean.of_sentence(1).accuracy


def test_without_blocking_the_diagonal_nothing_moves(glove: "KeyedVectors", words: tuple[AmbiguousWord, ...]) -> None:
    assert abs(score_senses(glove, words, ContextOptions(block_diagonal=False)).mean_shift) < 0.01


def test_positions_do_harm(glove: "KeyedVectors", words: tuple[AmbiguousWord, ...], attention: SenseScore) -> None:
    assert score_senses(glove, words, ContextOptions(positions=True)).accuracy < attention.accuracy


def test_a_sense_without_its_word_or_with_an_unknown_anchor_is_refused(glove: "KeyedVectors") -> None:
    fine, other = Sense(("pear",), ("an apple pie",)), Sense(("ibm",), ("apple sells phones",))
    with pytest.raises(UnknownWordError, match="qqqqzzzz"):
        score_senses(glove, [AmbiguousWord("apple", (Sense(("qqqqzzzz",), fine.sentences), other))])
    with pytest.raises(PlaygroundError, match="'apple' is not in the sentence"):
        score_senses(glove, [AmbiguousWord("apple", (Sense(fine.anchors, ("a pear pie",)), other))])
    with pytest.raises(PlaygroundError, match="no ambiguous words"):
        score_senses(glove, [])


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[1]",
        '[{"word": "apple"}]',
        json.dumps([{"word": "apple", "senses": [{"anchors": ["pear"], "sentences": ["apple pie"]}]}]),
        json.dumps([{"word": "apple", "senses": 2 * [{"anchors": [], "sentences": ["apple pie"]}]}]),
    ],
)
def test_what_is_no_sense_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "senses.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PlaygroundError, match="is no sense file"):
        read_senses(path)


def test_a_missing_sense_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlaygroundError, match=r"none\.json cannot be read"):
        read_senses(tmp_path / "none.json")
