"""The written forms of a word: capitals, plural, possessive, regular verb endings. A rule for English."""

import re
from typing import TYPE_CHECKING

from playground.words.lookup import in_any_case

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

_VOWEL = re.compile("[aeiouy]")
_SHORT = re.compile("[^aeiou]*[aeiou][^aeiouwxy]$")  # one syllable that doubles its end: stop, stopped
_ENDINGS = ("'s", "s'", "s", "es", "ies", "ed", "d", "ied", "ing")


def word_forms(vectors: "KeyedVectors", word: str) -> tuple[str, ...]:
    """Return the vocabulary entries that are forms of `word`, without itself.

    Two words are forms of each other if they differ only in case, or if both come from one vocabulary word
    by `'s`, the plural or the third person `-s`, `-ed`, or `-ing`, with the usual changes of spelling
    (city, cities; bake, baking; stop, stopped). The rule knows letters and no meaning: `men` is no form of
    `man`, `queenly` none of `queen`, and `news` counts as a form of `new`.
    """
    written = word.casefold().replace("’", "'")
    bases = [base for base in _possible_bases(written) if in_any_case(vectors, base)]
    forms = [form for base in (written, *bases) for form in (base, *_inflections(base))]
    entries = [entry for form in forms for entry in in_any_case(vectors, form)]
    return tuple(entry for entry in dict.fromkeys(entries) if entry != word)


def _possible_bases(word: str) -> list[str]:
    """Return every spelling that `word` could be a regular form of."""
    bases = []
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word:
            bases += [stem, stem + "e", stem + "y", stem[:-1]]  # bak-ing: bake, cit-ies: city, stopp-ed: stop
    return [base for base in dict.fromkeys(bases) if word in _inflections(base)]


def _inflections(base: str) -> list[str]:
    """Return the regular forms of `base` as English spells them; only the possessive for other letters."""
    if not base.isascii() or not base.isalpha() or len(base) < 2 or not _VOWEL.search(base):
        return [base + "'s"]
    possessive = [base + "'s", base + "s'"]
    if re.search("[^aeiou]y$", base):
        return [*possessive, base[:-1] + "ies", base[:-1] + "ied", base + "ing"]
    plural = [base + "es" if re.search("(s|x|z|ch|sh|o)$", base) else base + "s"]
    if base.endswith("o"):
        plural.append(base + "s")
    if len(base) == 2:
        return [*possessive, *plural, base + "ing"]  # going, being: but `king` is no form of `ke`
    if base.endswith("e"):
        stem = base if base.endswith(("ee", "oe", "ye")) else base[:-1]
        return [*possessive, *plural, base + "d", stem + "ing"]
    doubled = base + base[-1]
    ends = [doubled + "ed", doubled + "ing"]
    return [*possessive, *plural, *ends, *([] if _SHORT.match(base) else [base + "ed", base + "ing"])]
