"""Word expressions such as `king - man + woman`: text → terms, or an error that points at the column."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from playground.errors import PlaygroundError

MINUS_SIGNS = "-−–—﹣－"
PLUS_SIGNS = "+＋"
TIMES_SIGNS = "*×·"
OPERATORS = MINUS_SIGNS + PLUS_SIGNS + TIMES_SIGNS
# Longer texts are a slip of the clipboard; asking the vocabulary for every beginning of them takes minutes.
LONGEST_FORMULA = 2_000
LONGEST_HYPHENATED = 60
_QUOTES = {'"': '"', "“": "”", "”": "”", "„": "“", "「": "」", "«": "»"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")


@dataclass(frozen=True)
class Term:
    """One word of an expression: its signed factor, the word as typed, and its column (from 1)."""

    factor: float
    text: str
    column: int


def parse(text: str, known: Callable[[str], bool] = lambda word: False) -> tuple[Term, ...]:
    """Return the terms of `text`, in order.

    Signs are +, - and the typographic minus and dashes; a number before `*` is a factor (`2 * king`), any
    other number is a word; a phrase stands in double quotes. A sign inside a word (`king-man`, `c++`)
    belongs to the word if `known` says that the whole is one. Raises `PlaygroundError` with the column.
    """
    terms: list[Term] = []
    position = _skip_spaces(text, 0)
    if position == len(text):
        raise PlaygroundError("The formula is empty: type one, such as king - man + woman.")
    if len(text) > LONGEST_FORMULA:
        raise PlaygroundError(f"The formula has {len(text):,} characters: at most {LONGEST_FORMULA:,} can be read.")
    while position < len(text):
        sign, position = _read_sign(text, position, first=not terms)
        factor, position = _read_factor(text, position)
        column = position + 1
        word, position = _read_word(text, position, known)
        terms.append(Term(sign * factor, word, column))
        position = _skip_spaces(text, position)
    return tuple(terms)


def format_terms(terms: tuple[Term, ...]) -> str:
    """Return the expression as plain text that `parse` reads back to the same terms."""
    pieces = []
    for index, term in enumerate(terms):
        sign = "-" if term.factor < 0 else "+"
        factor = "" if abs(term.factor) == 1 else f"{_plain_number(abs(term.factor))} * "
        lead = ("-" if sign == "-" else "") if index == 0 else f" {sign} "
        pieces.append(f"{lead}{factor}{_quoted_if_needed(term.text)}")
    return "".join(pieces)


def _plain_number(number: float) -> str:
    """Return `number` with all its digits and no exponent, as a formula writes it: 2, 0.1234567."""
    return f"{Decimal(repr(number)):f}".removesuffix(".0")


def _quoted_if_needed(word: str) -> str:
    if word[0] not in _QUOTES and not any(sign.isspace() or sign in OPERATORS for sign in word):
        return word
    opening, closing = next((pair for pair in _QUOTES.items() if pair[1] not in word), ('"', '"'))
    return f"{opening}{word}{closing}"


def _skip_spaces(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _error(text: str, position: int, what: str) -> PlaygroundError:
    shown = text if len(text) <= 80 else text[:79] + "…"
    return PlaygroundError(f"In the formula {shown!r}, column {position + 1}: {what}")


def _read_sign(text: str, position: int, first: bool) -> tuple[float, int]:
    character = text[position]
    if character in MINUS_SIGNS or character in PLUS_SIGNS:
        after = _skip_spaces(text, position + 1)
        if after == len(text):
            raise _error(text, position, f"a word is missing after {character!r}.")
        return (-1.0 if character in MINUS_SIGNS else 1.0), after
    if first:
        return 1.0, position
    if character in TIMES_SIGNS:
        raise _error(text, position, "a factor is a number before the word, such as 2 * king.")
    raise _error(text, position, "expected + or - here; write a phrase in double quotes.")


def _read_factor(text: str, position: int) -> tuple[float, int]:
    number = _NUMBER.match(text, position)
    if not number:
        return 1.0, position
    after = _skip_spaces(text, number.end())
    if after == len(text) or text[after] not in TIMES_SIGNS:
        return 1.0, position  # a number that is a word, such as 2008
    factor = float(number.group())
    if factor == 0:
        raise _error(text, position, "a factor of 0 takes the word away: leave the term out.")
    if not math.isfinite(factor):
        raise _error(text, position, "this factor is too large to be a number.")
    return factor, _skip_spaces(text, after + 1)


def _read_word(text: str, position: int, known: Callable[[str], bool]) -> tuple[str, int]:
    if position == len(text):
        raise _error(text, position, "a word is missing at the end.")
    start = text[position]
    if start in _QUOTES:
        end = text.find(_QUOTES[start], position + 1)
        if end < 0:
            raise _error(text, position, f"the quotation mark {start} is never closed.")
        word = text[position + 1 : end].strip()
        if not word:
            raise _error(text, position, "there is no word between the quotation marks.")
        return word, end + 1
    if start in OPERATORS:
        raise _error(text, position, f"expected a word, found {start!r}.")
    end = position
    while end < len(text) and not text[end].isspace():
        end += 1
    run = text[position:end]
    signs = [index for index, character in enumerate(run) if character in OPERATORS]
    # the longest known beginning before a sign, so that `vice-president-man` keeps its first hyphen
    for length in (len(run), *reversed(signs[1:])):
        if length <= LONGEST_HYPHENATED and known(run[:length]):
            return run[:length], position + length
    length = signs[0] if signs else len(run)
    if length < len(run) and run[length] in TIMES_SIGNS:
        raise _error(text, position + length, "a factor is a number before the word, such as 2 * king.")
    return run[:length], position + length
