"""The view of several heads."""

from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import playground as pg
from playground.app.head_parts import PARTS

STRANGE = ["", "king", "zzqxv", "the the", "king " * 500, "$x$ ** <b> :smile: king", "x" * 5000]


@pytest.fixture
def view(open_view):
    """Return a function that opens the view with query parameters."""
    return partial(open_view, "heads")


def said(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


def go(at: AppTest, **state: object) -> AppTest:
    for key, value in state.items():
        at.session_state[key] = value
    at.run()
    assert not at.exception
    return at


def test_where_each_head_looks_is_said_and_tabled(view, glove):
    at = view()
    tokens = ["my", "dog", "chased", "your", "black", "cat"]
    weights = pg.MultiHeadAttention.identity(100, 4)(pg.embed(glove, tokens)).weights
    table = at.dataframe[0].value
    assert table["looks most at"].tolist() == [tokens[i] for i in weights[:, 5].argmax(axis=1)]
    assert table["weight"].tolist() == pytest.approx(weights[:, 5].max(axis=1).tolist(), abs=1e-5)
    assert "cat looks most at dog (heads 1, 2) and at itself (heads 3, 4)." in said(at)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_works_with_any_number_of_heads(view, part):
    at = go(view(), heads_part=part, many_projections="random")
    for heads in (1, 12):
        go(at, many_heads=heads, many_head=heads)


def test_both_ways_to_project_are_shown_to_be_the_same_and_the_mistake_is_not(view):
    at = go(view(), heads_part="one big projection", many_projections="random")
    assert "Both ways give" in said(at) and "mixes words with heads" in said(at)
    table = at.dataframe[0].value.iloc[:, 1]
    assert table[1] < 1e-9 < 0.1 < table[2]


def test_a_head_taken_away_moves_the_output_by_its_own_part(view, glove):
    at = go(view(), heads_part="take one away", many_projections="random", many_head=2)
    layer = pg.MultiHeadAttention.random(100, 4, seed=0)
    steps = layer(pg.embed(glove, ["my", "dog", "chased", "your", "black", "cat"]).astype(float))
    own = np.linalg.norm(steps.heads[1, 5] @ layer.w_o[25:50])
    assert f"The output of cat moves by {own:.3f}" in said(at)


def test_learned_heads_can_be_looked_into_and_their_code_runs(view, glove):
    at = go(view(), many_projections="learned")
    tokens = ["[start]", "my", "dog", "chased", "your", "black", "cat"]
    layer = pg.MultiHeadAttention.learned()
    weights = layer(layer.prepare(glove, tokens[1:])).weights
    assert at.dataframe[0].value["looks most at"].tolist() == [tokens[i] for i in weights[:, 6].argmax(axis=1)]
    assert any("layer = pg.MultiHeadAttention.learned()" in code.value for code in at.code)
    for part in PARTS:
        go(at, heads_part=part)


def test_edits_and_masks_work_here_too(view):
    at = go(view(), many_edits="mask[6,2]=0", many_mask="causal")
    assert "1 edit: mask[6,2]=0" in said(at)
    assert "dog" not in at.dataframe[0].value["looks most at"].tolist()


@pytest.mark.parametrize("typed", STRANGE, ids=lambda text: text[:12] or "empty")
def test_any_sentence_is_taken(view, typed):
    at = view()
    at.text_input(key="many_sentence").set_value(typed).run()
    assert not at.exception
    assert at.text


@pytest.mark.parametrize("part", PARTS)
def test_one_word_is_enough_for_every_part(view, part):
    at = view()
    at.text_input(key="many_sentence").set_value("king").run()
    go(at, heads_part=part)


def test_the_view_works_in_chinese(view):
    assert any("\u4e00" <= letter <= "\u9fff" for letter in said(view(model="zh")))


def test_the_link_restores_the_view(view):
    at = go(view(), many_heads=3, many_head=2, heads_part="compare", many_temperature=2.0)
    shown = next(code.value for code in at.code if "model=" in code.value)
    for part in ("many_heads=3", "many_head=2", "heads_part=compare", "many_temperature=2.0"):
        assert part in shown
