"""What a file that is no file of vectors looks like: told by its first bytes, for the sentence that refuses it."""

import re

from playground.errors import shorten

# What stands at the very start of files that people take for vectors.
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself: fetch it with `git lfs pull`"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89HDF\r\n", "an HDF5 file: save its vectors as text or as .npy with a list of words"),
    (b"SQLite format 3", "an SQLite database: save its vectors as text"),
    (b"PAR1", "a Parquet file: save its vectors as text or as .npy with a list of words"),
    (b"ARROW1", "an Arrow file: save its vectors as text or as .npy with a list of words"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"{\\rtf", "an RTF document"),
    (b"\xff\xfe", "text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it as UTF-8"),
)
_HTML = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--|[a-z]+[ >])", re.IGNORECASE)
_UTF16 = re.compile(rb"(?:\x00[\t\n\r -~]){16}|(?:[\t\n\r -~]\x00){16}")
_COMMA = re.compile(rb"[+-]?\d+,\d+")
_SPARSE = re.compile(rb"\d+:[+-]?\d[\d.eE+-]*")
_LISTED = re.compile(rb"\[?[+-]?\d[\d.eE+-]*[,;]")
_DECIMAL = re.compile(rb"[+-]?(?=.*[.eE])[\d.]+(?:[eE][+-]?\d+)?")


def foreign(start: bytes) -> str | None:
    """Return what a file without rows of vectors is, if its first bytes tell; else None."""
    for magic, what in _STARTS:
        if start.startswith(magic):
            return what
    if _HTML.match(start):
        return "an HTML page, as servers send in place of a file: fetch it again"
    if start.lstrip()[:1] in (b"{", b"[") and re.match(rb"[\[{]\s*[\"\[{\]}]", start.lstrip()):
        return "a JSON file: save its vectors as text, a word and its numbers on each line"
    return "text in UTF-16: save it as UTF-8" if _UTF16.match(start) else None


def is_number(field: bytes) -> bool:
    """Tell whether a field of a row is a number, as Python and gensim read them."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def conflict(line: bytes) -> bool:
    """Tell whether a line is the first mark of an unfinished merge; "<<<<<<<" is a word if numbers follow it."""
    fields = line.split(maxsplit=2)
    return line.startswith(b"<<<<<<< ") and len(fields) > 1 and not is_number(fields[1])


CONFLICT = "holds the marks of an unfinished Git merge ({line}): finish the merge, or fetch the file again"


def odd_rows(lines: list[bytes]) -> str | None:
    """Return what is foreign in lines that should be rows, if at least half of them have it; else None."""
    rows = [line.split() for line in lines]
    told = (
        (_COMMA, "writes its numbers with a decimal comma ({example}): write them with a point"),
        (_SPARSE, "holds sparse vectors ({example}: a place and its value), which cannot be read here"),
        (_LISTED, "sets commas between its numbers ({example}): separate the word and its numbers by spaces or tabs"),
    )
    for pattern, sentence in told:
        found = [field for row in rows if (field := next(filter(pattern.fullmatch, row[1:]), None)) is not None]
        if found and 2 * len(found) >= len(rows):
            return sentence.format(example=shorten(found[0].decode("ascii"), 30))
    wordless = [row[0] for row in rows if _DECIMAL.fullmatch(row[0])]
    if wordless and 4 * len(wordless) >= 3 * len(rows):
        example = shorten(wordless[0].decode("ascii"), 30)
        return f"holds numbers without words, as its rows begin with {example} and the like: put a word before each row"
    return None


def no_rows(lines: list[bytes]) -> str:
    """Return what text with few or no rows of vectors seems to be."""
    if all(len(line.split()) == 1 for line in lines):
        if all(line.count(b",") > 1 or line.count(b";") > 1 for line in lines):
            return "a table separated by commas: separate the word and its numbers by spaces or tabs"
        return "a list of words without numbers"
    return "text whose lines are not a word and numbers"
