"""The language of a vocabulary, as far as its letters tell."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

_LOOKED_AT = 500  # the most frequent words; rarer ones of any vocabulary come from many languages


def language_of(vectors: "KeyedVectors") -> str:
    """Return "Chinese" if most of the frequent words hold Chinese characters and no kana, else "" for not known."""
    words = vectors.index_to_key[:_LOOKED_AT]
    chinese = sum(any("一" <= letter <= "鿿" for letter in word) for word in words)
    kana = sum(any("぀" <= letter <= "ヿ" for letter in word) for word in words)
    return "Chinese" if 2 * chinese > len(words) and 10 * kana < len(words) else ""
