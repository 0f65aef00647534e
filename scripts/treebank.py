"""Read a treebank in CoNLL-U, and what each head is to look at in its sentences."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from playground.errors import PlaygroundError

COLUMNS = 10  # ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
Row = tuple[str, str, int, str]  # form, part of speech, position of the head, relation


@dataclass(frozen=True)
class Sentence:
    """The syntactic words of a sentence; `heads[i]` is the position of word i's head, −1 for the root."""

    forms: tuple[str, ...]
    tags: tuple[str, ...]  # universal parts of speech: "VERB", "NOUN", …
    heads: tuple[int, ...]
    relations: tuple[str, ...]  # of UD, subtypes included: "nsubj", "nsubj:pass", …


@dataclass(frozen=True)
class Relation:
    """What one head is taught: to look from a dependent to its head word, or, if `reverse`, back.

    `name` is what it does in plain words; `relation` is the label of UD, or "previous", the word before.
    With `to`, only head words of that part of speech count: in UD the subject of *she is happy* hangs on
    *happy*, which no reader would call the verb.
    """

    name: str
    relation: str
    to: str | None = None
    reverse: bool = False

    def targets(self, sentence: Sentence) -> np.ndarray:
        """Return for each word the position that it should look at `(n,)`; −1 where the relation is absent.

        A word with several dependents of the kind is to look at the first.
        """
        n = len(sentence.forms)
        if self.relation == "previous":
            return np.arange(n) - 1
        targets = np.full(n, -1)
        for dependent in reversed(range(n)):
            head = sentence.heads[dependent]
            if head < 0 or sentence.relations[dependent].split(":")[0] != self.relation:
                continue
            if self.to in (None, sentence.tags[head]):
                looker, target = (head, dependent) if self.reverse else (dependent, head)
                targets[looker] = target
        return targets


def read_conllu(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, plain or gzip (told by its first bytes).

    Of a multiword token (`3-4 don't`) the words count (`3 do`, `4 n't`), as they carry the relations; empty
    nodes (`5.1`), which stand for words left out, are skipped. Raises `PlaygroundError` with the line
    of what cannot be read.
    """
    rows: list[Row] = []
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8") if zipped else path.open(encoding="utf-8") as file:
            # only \n ends a line: a form may hold another character that Python's splitlines would split at
            for number, line in enumerate(file, 1):
                line = line.rstrip("\r\n")
                if line and not line.startswith("#"):
                    rows += _word(line, f"{path}, line {number}")
                elif not line and rows:
                    yield _sentence(rows, f"{path}, line {number}")
                    rows = []
        if rows:
            yield _sentence(rows, f"{path}, its end")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise PlaygroundError(f"{path} cannot be read as CoNLL-U: {error}.") from None


def _word(line: str, place: str) -> list[Row]:
    fields = line.split("\t")
    if len(fields) != COLUMNS:
        raise PlaygroundError(f"{place}: CoNLL-U has {COLUMNS} columns, and this line has {len(fields)}.")
    if "-" in fields[0] or "." in fields[0]:
        return []
    if not fields[6].isdecimal():
        raise PlaygroundError(f"{place}: the head of {fields[1]!r} is {fields[6]!r}, not a number.")
    return [(fields[1], fields[3], int(fields[6]) - 1, fields[7])]


def _sentence(rows: list[Row], place: str) -> Sentence:
    forms, tags, heads, relations = zip(*rows, strict=True)
    if max(heads) >= len(rows):
        raise PlaygroundError(f"{place}: a word's head is word {max(heads) + 1} of {len(rows)}.")
    return Sentence(forms, tags, heads, relations)
