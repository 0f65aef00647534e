"""Does context move a word to the right meaning? Measured on a file of ambiguous words."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playground.context import ContextOptions, cosines_in_space, move_word, occurrences
from playground.errors import PlaygroundError
from playground.words.tokens import tokenize

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Sense:
    """One meaning of a word: words near it, and sentences in which the word has it."""

    anchors: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class AmbiguousWord:
    """A word with two meanings."""

    word: str
    senses: tuple[Sense, Sense]


@dataclass(frozen=True)
class SenseMove:
    """What one sentence did to its word.

    `before` and `after` are the mean cosine to the anchors of the sentence's own sense minus that to the
    other's. `number` is the sentence's place among those of its sense, from 0.
    """

    word: str
    sentence: str
    number: int
    before: float
    after: float

    @property
    def shift(self) -> float:
        """How far the word moved towards its own sense; above 0 is the right direction."""
        return self.after - self.before


@dataclass(frozen=True)
class SenseScore:
    """All moves of a sense file."""

    moves: tuple[SenseMove, ...]

    @property
    def right(self) -> int:
        """How many words moved in the right direction."""
        return sum(move.shift > 0 for move in self.moves)

    @property
    def accuracy(self) -> float:
        """The share that moved in the right direction, in [0, 1]."""
        return self.right / len(self.moves)

    @property
    def mean_shift(self) -> float:
        """The mean of the shifts."""
        return float(np.mean([move.shift for move in self.moves]))

    def of_sentence(self, number: int) -> "SenseScore":
        """Return the score of the sentences with one place, such as all first ones."""
        return SenseScore(tuple(move for move in self.moves if move.number == number))


def read_senses(path: str | Path) -> tuple[AmbiguousWord, ...]:
    """Return the words of a sense file.

    It is a JSON list of `{"word": …, "senses": [{"anchors": […], "sentences": […]}, …]}`, two senses a word.
    Raises `PlaygroundError` for a file that is missing or is none.
    """
    try:
        words = json.loads(Path(path).read_text(encoding="utf-8"))
        return tuple(_word(one) for one in words)
    except OSError as error:
        raise PlaygroundError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise PlaygroundError(
            f"{path} is no sense file ({error}): it is to be a JSON list of words, each with two senses, "
            "each with anchors and sentences."
        ) from None


def score_senses(
    vectors: "KeyedVectors", words: Sequence[AmbiguousWord], options: ContextOptions | None = None
) -> SenseScore:
    """Return how each sentence of each sense moves its word.

    Raises `PlaygroundError` for no words, for a word or anchor without a vector, and for a sentence without
    its word.
    """
    if not len(words):
        raise PlaygroundError("There are no ambiguous words to score: give at least one.")
    moves = []
    for one in words:
        for sense, other in (one.senses, one.senses[::-1]):
            for number, sentence in enumerate(sense.sentences):
                tokens = tokenize(vectors, sentence)
                position = occurrences(vectors, tokens, one.word)[0]
                move = move_word(vectors, tokens, position, options or ContextOptions())
                before, after = (
                    np.mean(cosines_in_space(vectors, vector, sense.anchors, move.space))
                    - np.mean(cosines_in_space(vectors, vector, other.anchors, move.space))
                    for vector in (move.before, move.moved.after)
                )
                moves.append(SenseMove(one.word, sentence, number, float(before), float(after)))
    return SenseScore(tuple(moves))


def _word(facts: dict[str, Any]) -> AmbiguousWord:
    first, second = (Sense(tuple(sense["anchors"]), tuple(sense["sentences"])) for sense in facts["senses"])
    if not all((first.anchors, first.sentences, second.anchors, second.sentences)):
        raise ValueError(f"a sense of {facts['word']!r} is empty")
    return AmbiguousWord(str(facts["word"]), (first, second))
