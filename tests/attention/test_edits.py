"""Edited cells: as data, as a line, as a file; undone and redone."""

import json

import numpy as np
import pytest

import playground as pg
from playground.attention.edits import (
    MOST_IN_TEXT,
    Edit,
    History,
    apply_edits,
    differences,
    format_edits,
    matrices_from_json,
    matrices_to_json,
    parse_edits,
    waiting,
)


@pytest.fixture
def matrices() -> dict[str, np.ndarray]:
    return {"X": np.arange(6.0).reshape(3, 2), "W_Q": np.zeros((2, 2, 2)), "mask": np.ones((3, 3))}


def test_a_line_counts_from_one_and_the_data_from_zero():
    assert parse_edits("X[1,3]=0.5; W_Q[2,1,4]=-1; mask[1,2]=0") == (
        Edit("X", (0, 2), 0.5),
        Edit("W_Q", (1, 0, 3), -1.0),
        Edit("mask", (0, 1), 0.0),
    )


@pytest.mark.parametrize("text", ["", "X[1,3]=0.5", "X[1,3]=0.5; W_V[2,1,4]=-1e-05; mask[3,3]=1; X[1,3]=0.123457"])
def test_a_line_survives_being_read_and_written(text):
    assert format_edits(parse_edits(text)) == text


def test_a_line_is_read_as_people_type_it():
    assert parse_edits(" x[1, 3] = −2 ;; Mask[1,1]=0 \n w_q[1,1,1]=3") == parse_edits(
        "X[1,3]=-2; mask[1,1]=0; W_Q[1,1,1]=3"
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hello", "'hello'"),
        ("X[1,3]", "'X[1,3]'"),
        ("Y[1,3]=1", "no matrix 'Y'"),
        ("X[1]=1", "'X[1]=1'"),
        ("W_Q[1,1]=1", "W_Q"),
        ("X[0,1]=1", "'X[0,1]=1'"),
        ("X[1,1]=abc", "'abc'"),
        ("X[1,1]=nan", "'nan'"),
        ("X[1,1]=1e999", "'1e999'"),
        ("mask[1,1]=0.5", "0.5"),
        ("X[1,1]=1; " + "z" * 5000, "zzz…"),
        ("X[1,1]=1;" * (MOST_IN_TEXT + 1), f"at most {MOST_IN_TEXT}"),
    ],
)
def test_a_bad_line_is_one_sentence_that_names_the_part(text, named):
    with pytest.raises(pg.PlaygroundError) as error:
        parse_edits(text)
    assert named in str(error.value)
    assert len(str(error.value)) < 300


def test_a_later_edit_wins_and_the_given_matrices_stay(matrices):
    edited = apply_edits(matrices, parse_edits("X[1,2]=7; X[1,2]=8; W_Q[2,1,1]=3"))
    assert edited["X"].tolist() == [[0, 8], [2, 3], [4, 5]]
    assert edited["W_Q"][1, 0, 0] == 3
    assert matrices["X"][0, 1] == 1 and not matrices["W_Q"].any()
    assert edited["mask"] is matrices["mask"]


def test_an_edit_beyond_its_matrix_waits(matrices):
    edits = parse_edits("X[4,1]=7; X[3,2]=9")
    assert apply_edits(matrices, edits)["X"].tolist() == [[0, 1], [2, 3], [4, 9]]
    assert waiting(matrices, edits) == (Edit("X", (3, 0), 7.0),)


def test_undo_redo_and_reset_lose_nothing():
    one, two, three = parse_edits("X[1,1]=1; X[1,2]=2; X[2,1]=3")
    history = History().add(one).add(two)
    assert history.undo().done == (one,)
    assert history.undo().redo() == history
    assert history.undo().undo().undo().done == ()
    assert history.reset().done == ()
    assert history.reset().redo().redo() == history
    assert history.redo() == history
    assert history.undo().add(three) == History((one, three))


def test_differences_are_the_edits_that_lead_from_one_to_the_other(matrices):
    edits = parse_edits("X[1,2]=7; W_Q[2,1,1]=3; mask[1,3]=0")
    found = differences(matrices, apply_edits(matrices, edits))
    assert set(found) == set(edits)


def test_a_file_gives_back_the_same_numbers(matrices):
    matrices["X"] = matrices["X"] / 3
    again = matrices_from_json(matrices_to_json(matrices), matrices)
    assert again.keys() == matrices.keys()
    for name, matrix in matrices.items():
        np.testing.assert_array_equal(again[name], matrix)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"\xff\xfe", "not JSON"),
        (b"", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "by name"),
        ("{}", "by name"),
        ('{"Z": [[1]]}', "'Z'"),
        ('{"X": "text"}', "X in the file"),
        ('{"X": [[1, 2], [3]]}', "X in the file"),
        ('{"X": [[1, 2]]}', "(1, 2)"),
        ('{"X": [[1, 2], [3, 4], [5, NaN]]}', "not finite"),
        (json.dumps({"mask": [[2, 1, 1]] * 3}), "mask"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_bad_file_is_one_sentence_that_names_what_is_wrong(matrices, content, named):
    with pytest.raises(pg.PlaygroundError) as error:
        matrices_from_json(content, matrices)
    assert named in str(error.value)
