"""The attention view: steps, the numbers behind a cell, hand size, edits, code."""

import json
from functools import partial
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import playground as pg
from playground.app.attention_steps import step_names
from playground.attention.workbench import Setup, run_layer

SENTENCE = "apple company invented phones"


@pytest.fixture
def view(open_view):
    """Return a function that opens the attention view with query parameters."""
    return partial(open_view, "attention")


def said(at: AppTest) -> str:
    return "\n".join([text.value for text in at.text] + [caption.value for caption in at.caption])


def go(at: AppTest, **state: object) -> AppTest:
    for key, value in state.items():
        at.session_state[key] = value
    at.run()
    assert not at.exception
    return at


def link(at: AppTest) -> dict[str, str]:
    address = next(code.value for code in at.code if "model=" in code.value)
    return {name: values[0] for name, values in parse_qs(urlparse(address).query).items()}


@pytest.mark.parametrize(("hand", "mask"), [("no", "causal"), ("4", "padding")])
def test_the_whole_chain_can_be_walked(view, hand, mask):
    at = go(view(), heads=2, hand=hand, mask=mask, projections="random", positions=True)
    for step in step_names(2):
        go(at, step=step)


def test_a_score_is_taken_apart_into_its_largest_terms_and_the_rest(view, glove):
    at = go(view(), step="scores", column=2)
    a, b = pg.embed(glove, ["apple", "company"]).astype(float)
    terms = np.sort(np.abs(a * b))[::-1]
    table = at.dataframe[0].value
    assert list(np.abs(table["product"][:10])) == pytest.approx(list(terms[:10]))
    assert table.iloc[-1]["number"] == "the other 90"
    assert table["product"].sum() == pytest.approx(float(a @ b))
    assert f"query of apple · key of company = {a @ b:.3f}" in said(at)
    assert f"All 100 products add to {a @ b:.3f}: the number in the cell." in said(at)


def test_a_weight_is_shown_with_its_exponentials_and_their_sum(view):
    at = go(view(), step="softmax", column=2)
    table = at.dataframe[0].value
    powers = table["e^(masked − max)"]
    assert table["weight"].tolist() == pytest.approx((powers / powers.sum()).tolist())
    assert f"÷ {powers.sum():.3f} = {table['weight'][1]:.3f}" in said(at)


def test_an_output_is_the_weighted_sum_of_the_rows_of_v(view, glove):
    at = go(view(), step="· V")
    at.number_input(key="column").set_value(5).run()
    shown = run_layer(Setup(), pg.embed(glove, SENTENCE.split()))
    table = at.dataframe[0].value
    assert table["product"].sum() == pytest.approx(float(shown.steps.heads[0, 0, 4]))
    assert set(table["word"]) == set(SENTENCE.split())


@pytest.mark.parametrize(("step", "part"), [("Q, K, V", "K"), ("W_O", "output"), ("concat", None), ("÷ √d_k", None)])
def test_other_cells_are_explained_too(view, step, part):
    at = go(view(), heads=4, projections="random")
    go(at, step=step, **({"part": part} if part else {}))
    if part:
        assert "the number in the cell." in said(at)


def test_hand_size_says_what_it_is_and_shows_few_numbers(view):
    at = go(view(), hand="3", step="X")
    assert "Hand size: 3 numbers a word, the sentence's first principal components, to one decimal." in said(at)
    assert list(at.get("data_editor") or at.dataframe)  # numbers to type over


def test_hand_size_has_no_room_for_many_heads(view):
    at = go(view(), heads=8)
    go(at, hand="2")
    assert at.number_input(key="heads").value == 2


def test_an_edit_changes_what_follows_and_can_be_undone_and_redone(view):
    at = go(view(), step="softmax")
    before = at.dataframe[0].value["weight"].tolist()
    at.text_input(key="edits").set_value("X[2,1]=9").run()
    after = at.dataframe[0].value["weight"].tolist()
    assert after != before and "1 edit: X[2,1]=9" in said(at)
    assert link(at)["edits"] == "X[2,1]=9"
    at.button(key="undo_row").click().run()
    assert at.dataframe[0].value["weight"].tolist() == before
    at.button(key="redo_row").click().run()
    assert at.dataframe[0].value["weight"].tolist() == after
    at.button(key="reset_row").click().run()
    assert at.text_input(key="edits").value == ""
    assert at.dataframe[0].value["weight"].tolist() == before


def test_the_difference_from_before_is_shown(view):
    at = go(view(), edits="X[2,1]=9", step="softmax")
    for name in ("now", "before the edits", "difference"):
        at.button_group(key="view").set_value(name).run()
        for step in ("X", "mask", "softmax", "· V"):
            go(at, step=step)


def test_a_cell_of_the_mask_is_switched_by_hand(view):
    at = go(view(), step="mask", column=2)
    button = next(button for button in at.button if button.label == "Block this cell")
    button.click().run()
    assert at.text_input(key="edits").value == "mask[1,2]=0"
    assert "apple may not look at company" in said(at)
    go(at, step="softmax")
    assert at.dataframe[0].value["weight"][1] == 0
    go(at, step="mask")
    next(button for button in at.button if button.label == "Allow this cell").click().run()
    assert "apple may look at company" in said(at)


def test_a_cell_is_changed_where_it_is_shown(view):
    at = go(view(), step="W", part="W_K", row=3, column=1)
    next(field for field in at.number_input if field.label == "Change W_K[1, 3, 1] to").set_value(2.5).run()
    assert not at.exception
    assert at.text_input(key="edits").value == "W_K[1,3,1]=2.5"


@pytest.mark.parametrize("typed", ["nonsense", "X[1,1]=", "X[0,0]=1", "<b>x</b>", "mask[1,1]=7", "X[1,1]=inf"])
def test_a_bad_edit_is_one_sentence_and_the_numbers_stay(view, typed):
    at = go(view(), step="softmax", edits="X[2,1]=9")
    before = at.dataframe[0].value["weight"].tolist()
    at.text_input(key="edits").set_value(typed).run()
    assert not at.exception
    assert "The numbers stay as they were." in said(at)
    assert at.dataframe[0].value["weight"].tolist() == before


def test_a_bad_link_is_one_sentence(view):
    at = view(
        edits="X[1,1]=5; and then some", step="nowhere", part="Z", column="900", sentence_query="77", heads="5000"
    )
    assert "'and then some'" in said(at)


def test_an_edit_beyond_a_shorter_sentence_waits(view):
    at = go(view(), edits="X[4,1]=9")
    at.text_input(key="sentence").set_value("two words").run()
    assert "X[4,1]=9: there is no such cell now, so the edit waits." in said(at)


def test_a_file_of_matrices_takes_the_place_of_the_numbers(view):
    at = go(view(), step="softmax")
    X = np.zeros((4, 100))
    at.file_uploader(key="file").set_value(("m.json", json.dumps({"X": X.tolist()}).encode(), "application/json")).run()
    assert not at.exception
    assert "cells come from your file" in said(at)
    assert at.dataframe[0].value["weight"].tolist() == [0.25] * 4


@pytest.mark.parametrize("content", [b"", b"{", b'{"X": [[1]]}', b'{"W": 1}', b"\x00\xff"])
def test_a_bad_file_is_one_sentence_and_the_numbers_stay(view, content):
    at = go(view(), step="softmax")
    before = at.dataframe[0].value["weight"].tolist()
    at.file_uploader(key="file").set_value(("m.json", content, "application/json")).run()
    assert not at.exception
    assert "The numbers stay as they were." in said(at)
    assert at.dataframe[0].value["weight"].tolist() == before


def test_options_are_said_and_carried_by_the_link(view):
    options = {
        "temperature": 2.0,
        "scale": False,
        "mask": "causal",
        "projections": "random",
        "seed": 5,
        "strength": 2.0,
    }
    at = go(view(), positions=True, heads=2, d_k=7, step="W", **options)
    assert "Temperature 2" in said(at) and "not divided by √d_k" in said(at) and "Causal mask" in said(at)
    again = view(**link(at))
    for key in ("temperature", "seed", "strength", "d_k", "heads"):
        assert again.number_input(key=key).value == at.number_input(key=key).value
    assert again.toggle(key="scale").value is False
    assert said(again) == said(at)


def test_the_code_is_there_in_three_frameworks(view):
    at = go(view(), mask="causal")
    assert [tab.label for tab in at.tabs] == ["NumPy", "PyTorch", "Keras"]
    codes = [code.value for code in at.code if "W_Q" in code.value]
    assert len(codes) == 3 and all("np.tri(len(X), dtype=bool)" in code for code in codes)


def test_a_word_that_may_look_nowhere_is_said_to(view):
    at = go(view(), mask="causal", edits="mask[1,1]=0", step="softmax")
    assert "apple may look nowhere: its weights and its output are 0." in said(at)


@pytest.mark.parametrize("sentence", ["king", "the the the", "king " * 500, "zzqxv king", "2024 $x$ ** king"])
def test_any_sentence_goes_through_the_chain(view, sentence):
    at = view()
    at.text_input(key="sentence").set_value(sentence).run()
    for step in ("all at once", "X", "Q, K, V", "· V"):
        go(at, step=step)
    go(at, hand="4", mask="padding")
