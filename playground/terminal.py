"""Words, tables and JSON in a terminal, which no word of a strange file can steer."""

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

UNITS = (" bytes", " byte", " kB", " MB", " GB", " TB")


def print_json(value: Any) -> int:
    """Print `value` as JSON; return the exit code 0."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # JSON's own escapes leave out some control characters, such as the one-byte form of Escape [
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))
    return 0


def say(sentence: str) -> None:
    """Print a sentence, if there is one."""
    if sentence:
        print(printable(sentence))


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print left-aligned words and right-aligned numbers; a Chinese character is two columns wide."""
    cells = [[printable(cell) for cell in row] for row in (titles, *rows)]
    widths = [max(_width(row[i]) for row in cells) for i in range(len(titles))]
    numeric = [all(_is_number(row[i]) for row in rows) for i in range(len(titles))]
    for row in cells:
        padded = [
            " " * (width - _width(cell)) + cell if number else cell + " " * (width - _width(cell))
            for cell, width, number in zip(row, widths, numeric, strict=True)
        ]
        print("  ".join(padded).rstrip())


def printable(text: str) -> str:
    """Return `text` without control characters: a word of a strange file must not steer the terminal."""
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Zs" else "�" for c in text)


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.category(character) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _is_number(text: str) -> bool:
    for unit in UNITS:
        text = text.removesuffix(unit)
    try:
        float(text.replace(",", ""))
    except ValueError:
        return text == ""
    return True
