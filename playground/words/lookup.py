"""Typed text → vocabulary entries, and how each was found."""

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from playground.errors import PlaygroundError, UnknownWordError, shorten
from playground.words.remembered import remembered

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

How = Literal["exact", "case", "unicode", "joined", "mean", "subwords", "missing"]

# A longer text is never a word; comparing it with 100,000 spellings would only cost time.
LONGEST_WORD = 60

_PLAIN_QUOTES = str.maketrans({"‘": "'", "’": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‐": "-", "‑": "-"})


@dataclass(frozen=True)
class Lookup:
    """What a typed text stands for in a vocabulary.

    `words` are the vocabulary entries, one unless `how` is "mean" (then the vector is the mean of theirs);
    `vector (d,)` is None if `how` is "missing". `twins` are entries that differ from `words` only in case;
    `suggestions` are near spellings, given only for a missing text.
    """

    text: str
    words: tuple[str, ...]
    how: How
    vector: np.ndarray | None
    twins: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def explanation(self) -> str:
        """One sentence that says how the text was read; empty if it was found as typed."""
        text = shorten(self.text.strip())
        found = ", ".join(self.words)
        match self.how:
            case "exact":
                return f"Differing only in case: {', '.join(self.twins)}." if self.twins else ""
            case "case" | "unicode" | "joined":
                return f"{text} was read as {found.removesuffix('.')}."
            case "mean":
                return f"{text} is no entry: the mean of {found} stands for it."
            case "subwords":
                return f"{text} is no entry: its vector is built from pieces of words."
            case "missing":
                return str(UnknownWordError(text, self.suggestions))


def lookup(vectors: "KeyedVectors", text: str, suggest: bool = True) -> Lookup:
    """Return what `text` stands for in the vocabulary; a text without a vector is "missing", no error.

    Tried in this order: exact; another case; Unicode forms (NFC, NFKC, curly quotes, full width); a phrase
    joined by `_`, `-` or nothing; the mean of a phrase's words; fastText subwords where the model has
    them. Digits are words, never row numbers. Raises `PlaygroundError` for an empty text.
    """
    if not isinstance(text, str):
        raise PlaygroundError(f"A word must be text, not {type(text).__name__}: write {str(text)!r} in quotes.")
    if not text.strip():
        raise PlaygroundError("The word is empty: type one, such as king.")
    for how, candidates in _single_entries(text):
        for candidate in candidates:
            if candidate in vectors.key_to_index:
                found = candidate
                return Lookup(text, (found,), how, _row(vectors, found), _case_twins(vectors, found))
    if len(text) <= LONGEST_WORD and (
        found_any_case := in_any_case(vectors, unicodedata.normalize("NFKC", text.strip()))
    ):
        found = found_any_case[0]
        return Lookup(text, (found,), "case", _row(vectors, found), found_any_case[1:])
    if parts := _phrase_parts(vectors, text):
        mean = np.mean([_row(vectors, part) for part in parts], axis=0)
        return Lookup(text, parts, "mean", mean)
    if (pieces := _from_subwords(vectors, text.strip())) is not None:
        return Lookup(text, (), "subwords", pieces)
    return Lookup(text, (), "missing", None, suggestions=near_spellings(vectors, text) if suggest else ())


def require(vectors: "KeyedVectors", text: str) -> Lookup:
    """Return the lookup of `text`; raises `UnknownWordError` with near spellings if it is missing."""
    found = lookup(vectors, text)
    if found.vector is None:
        raise UnknownWordError(text.strip(), found.suggestions)
    return found


def vector_of(vectors: "KeyedVectors", query: "str | np.ndarray") -> np.ndarray:
    """Return the vector `(d,)` of a typed word or phrase, or of a vector itself, as float32.

    Raises `PlaygroundError` for an unknown word, a wrong shape, or a vector without a direction.
    """
    if isinstance(query, str):
        vector, name = require(vectors, query).vector, repr(shorten(query))
        assert vector is not None
    else:
        vector, name = np.asarray(query, dtype=np.float32), "The vector"
        if vector.shape != (vectors.vector_size,):
            raise PlaygroundError(f"A vector for this model has shape ({vectors.vector_size},), not {vector.shape}.")
    if not np.isfinite(vector).all() or not np.any(vector):
        raise PlaygroundError(f"{name} is zero or not finite, so it has no direction to compare.")
    return vector


def near_spellings(vectors: "KeyedVectors", text: str, topn: int = 5) -> tuple[str, ...]:
    """Return the `topn` vocabulary words of smallest edit distance to `text`, more frequent first.

    The distance counts insertions, deletions, substitutions and swaps of neighbours (optimal string
    alignment), whatever the case; wrong accents count together as one third of an error, since leaving them
    out is the likeliest slip. Nothing is returned beyond a third of the word's length.
    """
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cdist

    typed = unicodedata.normalize("NFC", text.strip()).casefold()
    if not typed or len(typed) > LONGEST_WORD:
        return ()
    most = round(len(typed) / 3)  # none for a single letter, to which every other one would be as near
    words, accented = _small_letters(vectors)
    distances = cdist([typed], words, scorer=OSA.distance, score_cutoff=most, dtype=np.uint8)[0].astype(float)
    plain = _without_accents(typed)
    alike = [row for row in accented if len(words[row]) == len(plain) and _without_accents(words[row]) == plain]
    if plain != typed:
        alike += [vectors.key_to_index[word] for word in in_any_case(vectors, plain)]
    distances[alike] = 1 / 3
    order = np.argsort(distances, kind="stable")[:topn]  # stable: equal distances stay in order of frequency
    return tuple(vectors.index_to_key[index] for index in order if distances[index] <= max(most, 1 / 3))


def _single_entries(text: str) -> list[tuple[How, list[str]]]:
    typed = text.strip()
    forms = [
        unicodedata.normalize("NFC", typed),
        unicodedata.normalize("NFKC", typed),
        unicodedata.normalize("NFKC", typed).translate(_PLAIN_QUOTES),
    ]
    attempts: list[tuple[How, list[str]]] = [
        # the text as it is first: some vocabularies hold entries that begin or end with a space
        ("exact", [text, typed]),
        ("case", case_variants(typed)),
        ("unicode", [variant for form in forms for variant in (form, *case_variants(form))]),
    ]
    parts = forms[-1].replace("_", " ").split()
    if len(parts) > 1:
        joined = [glue.join(parts) for glue in ("_", "-", "")]
        attempts.append(("joined", [variant for form in joined for variant in (form, *case_variants(form))]))
    return attempts


def case_variants(word: str) -> list[str]:
    """Return the usual ways to write `word` in capitals and small letters, without `word` itself."""
    variants = [word.lower(), word.capitalize(), word.title(), word.upper(), word.casefold()]
    return [variant for variant in dict.fromkeys(variants) if variant != word]


def in_any_case(vectors: "KeyedVectors", word: str) -> tuple[str, ...]:
    """Return all vocabulary entries that are `word` but for capitals, the one without capitals first."""
    folded = word.casefold()
    small = (folded,) if folded in vectors.key_to_index else ()
    return (*small, *_cased_words(vectors).get(folded, ()))


def _case_twins(vectors: "KeyedVectors", word: str) -> tuple[str, ...]:
    return tuple(form for form in in_any_case(vectors, word) if form != word)


@remembered
def _cased_words(vectors: "KeyedVectors") -> dict[str, tuple[str, ...]]:
    """Return the entries that have capitals, by their folded form."""
    folded: dict[str, tuple[str, ...]] = {}
    for word in vectors.index_to_key:
        key = word.casefold()
        if key != word:
            folded[key] = (*folded.get(key, ()), word)
    return folded


@remembered
def _small_letters(vectors: "KeyedVectors") -> tuple[list[str], list[int]]:
    """Return all entries in small letters, and the rows of those that may have accents."""
    words = [word.casefold() for word in vectors.index_to_key]
    return words, [row for row, word in enumerate(words) if not word.isascii()]


def _phrase_parts(vectors: "KeyedVectors", text: str) -> tuple[str, ...]:
    parts = text.replace("_", " ").split()
    if not 1 < len(parts) <= 20:
        return ()
    found = [lookup(vectors, part, suggest=False) for part in parts]
    if any(len(part.words) != 1 for part in found):
        return ()
    return tuple(part.words[0] for part in found)


def _from_subwords(vectors: "KeyedVectors", text: str) -> np.ndarray | None:
    from gensim.models.fasttext import FastTextKeyedVectors

    if not isinstance(vectors, FastTextKeyedVectors) or len(text) > LONGEST_WORD:
        return None
    vector: np.ndarray = vectors.get_vector(text)
    return vector if np.any(vector) else None


def _row(vectors: "KeyedVectors", word: str) -> np.ndarray:
    row: np.ndarray = vectors.vectors[vectors.key_to_index[word]]
    return row


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(mark for mark in unicodedata.normalize("NFD", text) if not unicodedata.combining(mark))
