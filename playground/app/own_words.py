"""An example for any vectors: a view's first input, said in words that these vectors hold."""

import re
from itertools import cycle, islice
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

_WORD = re.compile(r"[^\W\d_]+")
_SEARCHED = 100  # the most frequent words, of which some are surely plain


def in_own_words(vectors: "KeyedVectors", text: str) -> str:
    """Return `text` with each word replaced by a frequent one of the vocabulary: "king - man" → "den - som"."""
    plain = [word for word in vectors.index_to_key[:_SEARCHED] if _WORD.fullmatch(word)]
    longer = [word for word in plain if len(word) > 2 or not word.isascii()]
    own = longer or plain or vectors.index_to_key[:_SEARCHED]
    typed = list(dict.fromkeys(_WORD.findall(text)))
    first = crc32(text.encode()) % len(own)  # another place for another text: a view of two inputs gets two words
    stand_in = dict(zip(typed, islice(cycle(own), first, first + len(typed)), strict=True))
    return _WORD.sub(lambda found: stand_in[found.group()], text)
