"""Test lists for word vectors: gensim's bundled ones or the reader's own, with errors by line."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from playground.errors import PlaygroundError, shorten

Words = tuple[str, ...]

ANALOGIES = {"google-analogies": ("Google analogies", "questions-words.txt")}
PAIRS = {
    "wordsim353": ("WordSim-353", "wordsim353.tsv"),
    "simlex999": ("SimLex-999", "simlex999.txt"),
}
LONGEST_LINE = 10_000  # bytes; a longer line is no question, and a file of another kind may have only one
SHOWN_ERRORS = 3


def read_questions(
    source: str | Path | Iterable[str],
) -> tuple[str, list[tuple[str, list[tuple[int, Words]]]]]:
    """Return a title and the sections `(name, [(line number, four words)])` of a list of analogies.

    `source` is "google-analogies", the path of a file, or its lines. A line `: name` begins a section;
    any other holds four words, "a is to b as c is to d". Raises `PlaygroundError` that names the lines.
    """
    title, lines = _open(source, ANALOGIES)
    sections: list[tuple[str, list[tuple[int, Words]]]] = []
    errors: list[str] = []
    for number, text in lines:
        words = tuple(text.split())
        if not words:
            continue
        if text.startswith(":"):
            name = text[1:].strip()
            sections.append((name, []))
            if not name:
                errors.append(f"line {number} begins a section and gives no name")
        elif len(words) != 4:
            count = "1 word" if len(words) == 1 else f"{len(words)} words"
            errors.append(f"line {number} has {count} instead of four ({shorten(text)!r})")
        else:
            if not sections:
                sections.append(("questions", []))
            sections[-1][1].append((number, words))
        if len(errors) == SHOWN_ERRORS:
            break
    _refuse(title, errors, "a question is four words, a section begins with ': name'")
    if not any(questions for _, questions in sections):
        raise PlaygroundError(f"{title} holds no question: a question is a line of four words.")
    return title, sections


def read_pairs(source: str | Path | Iterable[str]) -> tuple[str, list[tuple[int, str, str, float]]]:
    """Return a title and the pairs `(line number, first, second, human score)` of a similarity list.

    `source` is "wordsim353", "simlex999", the path of a file, or its lines: two words and a number, with
    tabs between (or blanks, where a line has no tab); lines that begin with # are comments. Raises
    `PlaygroundError` that names the lines.
    """
    title, lines = _open(source, PAIRS)
    pairs: list[tuple[int, str, str, float]] = []
    errors: list[str] = []
    for number, text in lines:
        if not text.strip() or text.startswith("#"):
            continue
        fields = [field.strip() for field in (text.split("\t") if "\t" in text else text.split())]
        score = _number(fields[-1])
        if len(fields) != 3 or not all(fields):
            errors.append(f"line {number} is not two words and a number ({shorten(text)!r})")
        elif score is None:
            errors.append(f"line {number} has {shorten(fields[2])!r} where the score should be")
        else:
            pairs.append((number, fields[0], fields[1], score))
        if len(errors) == SHOWN_ERRORS:
            break
    _refuse(title, errors, "a line is two words and a number, with tabs between")
    if not pairs:
        raise PlaygroundError(f"{title} holds no pair: a pair is a line of two words and a number.")
    return title, pairs


def _open(
    source: str | Path | Iterable[str], bundled: dict[str, tuple[str, str]]
) -> tuple[str, Iterator[tuple[int, str]]]:
    """Return a title and the numbered lines of `source`, without their ends."""
    if isinstance(source, str) and source in bundled:
        title, file_name = bundled[source]
        return title, _read_lines(_gensim_file(file_name), title)
    if isinstance(source, str | Path):
        path = Path(source).expanduser()
        return shorten(path.name), _read_lines(path, shorten(path.name))
    return "The list", ((number, line.rstrip("\r\n")) for number, line in enumerate(source, start=1))


def _gensim_file(file_name: str) -> Path:
    from gensim.test.utils import datapath

    return Path(datapath(file_name))


def _read_lines(path: Path, title: str) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE:
                    raise PlaygroundError(
                        f"{title} is no list of questions: line {number} is longer than {LONGEST_LINE:,} bytes."
                    )
                # only the line feed ends a line: words may hold what str.splitlines would also split at
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise PlaygroundError(f"{title} is not UTF-8 text: see line {number}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, PlaygroundError):
            raise
        raise PlaygroundError(f"{title} cannot be opened: {error}.") from None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _refuse(title: str, errors: list[str], rule: str) -> None:
    if errors:
        more = " There may be more." if len(errors) == SHOWN_ERRORS else ""
        raise PlaygroundError(f"{title} cannot be used: {'; '.join(errors)}. In it, {rule}.{more}")
