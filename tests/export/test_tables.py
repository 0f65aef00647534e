"""Tables to take away come back as they were, and no word in them can do harm."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from gensim.models import KeyedVectors

import playground as pg
from playground.export.tables import coordinates_csv, projector_metadata, projector_vectors, similarity_csv

STRANGE = [
    "king",
    'say "hi"',
    "a,b;c",
    "two\nlines",
    "cr\rhere",
    "tab\there",
    " edge ",
    "",
    "北京",
    "שלום",
    "🙂",
    "2024",
    "1e5",
    "nan",
    "<b>x</b>",
    "$x$",
    "\\",
    "'s",
]
FORMULAS = ["=1+1", "+cmd", "-x", "-", "--", "@home", "\t=1", "\r=1", "\n=1", "＝1+1", "＠x", "－5"]


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_coordinates_come_back_as_they_were() -> None:
    points = np.random.default_rng(0).normal(size=(len(STRANGE), 2)) * [1, 1e-9]
    header, *rows = read(coordinates_csv(STRANGE, points, ["x", "y"], guard=False))
    assert header == ["word", "x", "y"]
    assert [row[0] for row in rows] == STRANGE
    assert [[float(cell) for cell in row[1:]] for row in rows] == points.tolist()


def test_pandas_reads_similarities_with_their_words(glove: KeyedVectors) -> None:
    words = ["king", "queen", "2024", "king"]
    matrix = pg.similarity_matrix(glove, ["king", "queen", "apple", "king"])
    table = pd.read_csv(io.StringIO(similarity_csv(words, matrix)))
    assert table["word"].tolist() == words
    assert list(table.columns)[:4] == ["word", "king", "queen", "2024"]
    np.testing.assert_array_equal(table.iloc[:, 1:].to_numpy(), matrix)


def test_no_word_is_a_formula_in_a_spreadsheet() -> None:
    words = [*FORMULAS, *STRANGE]
    points = np.full((len(words), 2), -0.5)
    for text in (coordinates_csv(words, points, ["=x", "y"]), similarity_csv(words, np.eye(len(words)))):
        for cell in [cell for row in read(text) for cell in row]:
            assert not cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) or float(cell) == -0.5
    rows = read(coordinates_csv(words, points, ["x", "y"]))[1:]
    assert [row[0] for row in rows] == ["'" + word for word in FORMULAS] + STRANGE


def test_words_stand_as_they_are_for_programs() -> None:
    rows = read(similarity_csv(FORMULAS, np.eye(len(FORMULAS)), guard=False))
    assert rows[0] == ["word", *FORMULAS]
    assert [row[0] for row in rows[1:]] == FORMULAS


def projector(vectors: str, metadata: str) -> tuple[list[list[float]], list[str]]:
    """Read the two files as the Embedding Projector does: lines of blanks are passed over."""
    blanks = " \t\n\r\v\f\ufeff\u00a0\u2028\u2029\u3000"
    rows = [line.strip(blanks).split("\t") for line in vectors.split("\n") if line.strip(blanks)]
    labels = [line for line in metadata.split("\n") if line.strip(blanks)]
    assert "\t" not in labels[0]  # a tab in the first line would make it a header
    return [[float(cell) for cell in row] for row in rows], [label.split("\t")[0] for label in labels]


def test_the_projector_finds_a_label_for_each_vector(glove: KeyedVectors) -> None:
    words = ["tab\there", *STRANGE, "\u00a0", " \t", "\ufeff", "\u3000", *FORMULAS]
    matrix = glove.vectors[: len(words)]
    rows, labels = projector(projector_vectors(matrix), projector_metadata(words))
    np.testing.assert_array_equal(np.float32(rows), matrix)
    assert len(labels) == len(words)
    for word, label in zip(words, labels, strict=True):
        if word.strip("\ufeff \t\u00a0\u3000") and not set(word) & set("\t\r\n"):
            assert label == word
    assert labels[0] == "tab\\there" and labels[words.index("two\nlines")] == "two\\nlines"
    assert labels[words.index("")] == "(empty)" and labels[words.index("\u00a0")] == "U+00A0"


def test_vectors_are_written_short_and_whole(glove: KeyedVectors) -> None:
    line = projector_vectors(np.float32([[0.1, -2.5e-7]]))
    assert line == "0.1\t-2.5e-07\n"


@pytest.mark.parametrize(
    ("words", "points", "axes"),
    [
        (["a"], np.zeros((2, 2)), ["x", "y"]),
        (["a", "b"], np.zeros((2, 3)), ["x", "y"]),
        (["a", "b"], np.zeros(2), ["x", "y"]),
        (["a"], np.array([[np.nan, 0]]), ["x", "y"]),
    ],
)
def test_a_table_that_does_not_fit_is_refused(words: list[str], points: np.ndarray, axes: list[str]) -> None:
    with pytest.raises(pg.PlaygroundError, match="The table"):
        coordinates_csv(words, points, axes)


def test_the_other_tables_must_fit_too() -> None:
    with pytest.raises(pg.PlaygroundError, match=r"shape \(2, 2\), and has \(2, 3\)"):
        similarity_csv(["a", "b"], np.zeros((2, 3)))
    with pytest.raises(pg.PlaygroundError, match="not finite"):
        projector_vectors(np.array([[1.0, np.inf]]))
    with pytest.raises(pg.PlaygroundError, match="at least two numbers"):
        projector_vectors(np.ones((3, 1)))
    with pytest.raises(pg.PlaygroundError, match="shape"):
        projector_vectors(np.ones(3))
