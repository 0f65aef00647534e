"""The CoNLL-U reader, on a small file written by hand, and what the relations make of it."""

import gzip
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from playground.errors import PlaygroundError

SCRIPT = Path(__file__).parents[2] / "scripts" / "treebank.py"

# Two sentences: a multiword token (don't), an empty node (5.1) and a comment; a sentence without a verb.
WORDS = """
# text = We don't see the old man
1 We we PRON _ _ 4 nsubj _ _
2-3 don't _ _ _ _ _ _ _ _
2 do do AUX _ _ 4 aux _ _
3 n't not PART _ _ 4 advmod _ _
4 see see VERB _ _ 0 root _ _
5 the the DET _ _ 7 det _ _
5.1 good good ADJ _ _ _ _ 7:amod _
6 old old ADJ _ _ 7 amod _ _
7 man man NOUN _ _ 4 obj _ SpaceAfter=No

# text = She is happy at home
1 She she PRON _ _ 3 nsubj:outer _ _
2 is be AUX _ _ 3 cop _ _
3 happy happy ADJ _ _ 0 root _ _
4 at at ADP _ _ 5 case _ _
5 home home NOUN _ _ 3 obl _ _
"""
TEXT = "\n".join(line if line.startswith("#") else line.replace(" ", "\t") for line in WORDS.strip().split("\n")) + "\n"


@pytest.fixture(scope="module")
def treebank() -> ModuleType:
    spec = importlib.util.spec_from_file_location("treebank", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["treebank"] = module  # dataclasses looks its module up by name
    spec.loader.exec_module(module)
    return module


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_words_count_and_multiword_tokens_and_empty_nodes_do_not(treebank: ModuleType, tmp_path: Path) -> None:
    first, second = treebank.read_conllu(write(tmp_path / "small.conllu", TEXT))
    assert first.forms == ("We", "do", "n't", "see", "the", "old", "man")
    assert first.heads == (3, 3, 3, -1, 6, 6, 3)
    assert first.relations == ("nsubj", "aux", "advmod", "root", "det", "amod", "obj")
    assert first.tags[3:5] == ("VERB", "DET")
    assert second.forms == ("She", "is", "happy", "at", "home")


@pytest.mark.parametrize("name", ["small.conllu.gz", "misnamed.conllu"])
def test_gzip_is_told_by_its_content(treebank: ModuleType, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(TEXT.encode()))
    assert [len(sentence.forms) for sentence in treebank.read_conllu(tmp_path / name)] == [7, 5]


def test_line_ends_of_windows_and_a_missing_last_one_do_not_matter(treebank: ModuleType, tmp_path: Path) -> None:
    path = write(tmp_path / "crlf.conllu", TEXT.strip().replace("\n", "\r\n"))
    assert [sentence.forms[-1] for sentence in treebank.read_conllu(path)] == ["man", "home"]


def test_a_form_may_hold_spaces_and_unusual_separators(treebank: ModuleType, tmp_path: Path) -> None:
    path = write(tmp_path / "odd.conllu", "1\tnew york\u2028\x85\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n")
    assert next(treebank.read_conllu(path)).forms == ("new york\u2028\x85",)


@pytest.mark.parametrize(
    ("relation", "to", "reverse", "targets"),
    [
        ("nsubj", "VERB", False, [3, -1, -1, -1, -1, -1, -1]),
        ("nsubj", "VERB", True, [-1, -1, -1, 0, -1, -1, -1]),
        ("obj", None, True, [-1, -1, -1, 6, -1, -1, -1]),
        ("det", None, False, [-1, -1, -1, -1, 6, -1, -1]),
        ("amod", None, False, [-1, -1, -1, -1, -1, 6, -1]),  # not the empty node's
        ("case", None, False, [-1] * 7),
        ("previous", None, False, [-1, 0, 1, 2, 3, 4, 5]),
    ],
)
def test_a_relation_says_where_to_look(
    treebank: ModuleType, tmp_path: Path, relation: str, to: str | None, reverse: bool, targets: list[int]
) -> None:
    first = next(treebank.read_conllu(write(tmp_path / "small.conllu", TEXT)))
    assert treebank.Relation("name", relation, to, reverse).targets(first).tolist() == targets


def test_the_subject_of_an_adjective_has_no_verb_to_look_at(treebank: ModuleType, tmp_path: Path) -> None:
    _, second = treebank.read_conllu(write(tmp_path / "small.conllu", TEXT))
    assert treebank.Relation("name", "nsubj", to="VERB").targets(second).tolist() == [-1] * 5
    assert treebank.Relation("name", "nsubj").targets(second).tolist() == [2, -1, -1, -1, -1]


def test_of_two_dependents_the_first_is_looked_at(treebank: ModuleType) -> None:
    sentence = treebank.Sentence(("big", "red", "dog"), ("ADJ", "ADJ", "NOUN"), (2, 2, -1), ("amod", "amod", "root"))
    assert treebank.Relation("name", "amod", reverse=True).targets(sentence).tolist() == [-1, -1, 0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tword\t_\t_\t_\t_\t0\troot\t_", "line 1: CoNLL-U has 10 columns, and this line has 9"),
        ("1 word _ _ _ _ 0 root _ _", "line 1: CoNLL-U has 10 columns, and this line has 1"),
        ("1\tword\t_\t_\t_\t_\t_\troot\t_\t_", "line 1: the head of 'word' is '_', not a number"),
        ("1\tword\t_\t_\t_\t_\t2\troot\t_\t_", "a word's head is word 2 of 1"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(treebank: ModuleType, tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(PlaygroundError, match=message):
        list(treebank.read_conllu(write(tmp_path / "bad.conllu", line + "\n\n")))


@pytest.mark.parametrize(
    "content", [b"\xff\xfe1\tbad", gzip.compress(TEXT.encode(), mtime=0)[:60]], ids=["not UTF-8", "cut short"]
)
def test_a_file_that_is_damaged_or_missing_is_named(treebank: ModuleType, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.conllu").write_bytes(content)
    for name in ("bad.conllu", "missing.conllu"):
        with pytest.raises(PlaygroundError, match=f"{name} cannot be read"):
            list(treebank.read_conllu(tmp_path / name))
