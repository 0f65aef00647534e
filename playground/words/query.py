"""What a reader may ask neighbours of: a word, a phrase, several words, or a formula."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from playground.errors import PlaygroundError, UnknownWordError
from playground.words.analogy import analogy
from playground.words.expression import parse
from playground.words.lookup import lookup, require
from playground.words.neighbors import unit
from playground.words.word_list import split_words

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


@dataclass(frozen=True)
class Query:
    """A vector to look around: `name` in words, `vector (d,)`, and the vocabulary words it was made of.

    `readings` says how words that were not found as typed were read.
    """

    name: str
    vector: np.ndarray
    words: tuple[str, ...]
    readings: tuple[str, ...]


def read_query(vectors: "KeyedVectors", text: str) -> Query:
    """Return what `text` asks for: a word or phrase first, then a list (its mean), then a formula.

    Raises `PlaygroundError` for an unknown word and for a formula that cannot be read.
    """
    found = lookup(vectors, text)
    if found.vector is not None:
        name = found.words[0] if len(found.words) == 1 else text.strip()
        return Query(name, found.vector, found.words, tuple(filter(None, [found.explanation])))
    listed = split_words(text)
    if len(listed) > 1 and any(mark in text for mark in ",;，、；\n"):
        lookups = [require(vectors, word) for word in listed]
        mean = np.mean([unit(one.vector) for one in lookups if one.vector is not None], axis=0)
        words = tuple(dict.fromkeys(word for one in lookups for word in one.words))
        readings = tuple(one.explanation for one in lookups if one.explanation)
        return Query(f"the mean of {', '.join(listed)}", mean.astype(np.float32), words, readings)
    try:
        single = len(parse(text)) == 1
    except PlaygroundError:
        single = len(text.split()) == 1
    if single:
        raise UnknownWordError(text.strip(), found.suggestions)
    result = analogy(vectors, text, topn=1)
    words = tuple(word for one in result.lookups for word in one.words)
    readings = tuple(one.explanation for one in result.lookups if one.explanation)
    return Query(result.expression, result.vector.astype(np.float32), words, readings)
