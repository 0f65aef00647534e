"""Every view, run by Streamlit's own test runner."""

import pytest
from streamlit.testing.v1 import AppTest

MANY = ", ".join(f"word{i} king" for i in range(200))
STRANGE = ["$x$ ** ![i](u) <b>x</b> :smile:", "\\", "שלום 🙂", "x" * 5000, '"{}%s']

# view → the keys of its text inputs
INPUTS = {
    "analogies": ["formula"],
    "neighbors": ["word"],
    "similarity": ["first", "second"],
    "word_map": ["map_words"],
    "attention": ["sentence"],
    "axes": ["axis_x", "axis_words"],
    "odd_one_out": ["odd_words"],
}


def field(at: AppTest, key: str):
    return at.text_area(key=key) if key == "map_words" else at.text_input(key=key)


@pytest.mark.parametrize("view", INPUTS)
def test_a_view_is_never_empty_on_arrival(open_view, view):
    at = open_view(view)
    assert at.title and at.text
    assert [expander.label for expander in at.expander] == [
        "The formula",
        "As Python",
        "Table of the picture",
        "Why is it so?",
    ]


@pytest.mark.parametrize("view", INPUTS)
def test_a_view_takes_any_text(open_view, said, view):
    """A known word, an unknown one, an empty field, 200 words, and texts that look like code."""
    at = open_view(view)
    for typed in ["paris", "zzqxv", "   ", MANY, *STRANGE]:
        for key in INPUTS[view]:
            field(at, key).set_value(typed)
        at.run()
        assert not at.exception, typed
        assert said(at), typed


@pytest.mark.parametrize("view", INPUTS)
def test_a_view_works_in_chinese(open_view, said, view):
    at = open_view(view, model="zh")
    assert not at.exception
    shown = said(at) + "".join(code.value for code in at.code)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in shown)


def test_king_minus_man_plus_woman_is_already_answered(open_view, said):
    assert "queen (0.770), then monarch (0.684) and throne (0.676)." in said(open_view("analogies"))


def test_with_the_input_words_allowed_king_itself_wins(open_view, said):
    at = open_view("analogies")
    at.toggle(key="exclude_inputs").set_value(False).run()
    assert "the nearest is king itself" in said(at)


def test_a_wrong_formula_is_explained_and_the_last_answer_stands(open_view, said):
    at = open_view("analogies")
    at.text_input(key="formula").set_value("paris - france + japan").run()
    at.text_input(key="formula").set_value("paris - - france").run()
    assert "column 9" in said(at)
    assert "tokyo" in said(at)


def test_an_unknown_word_is_named_with_near_spellings(open_view, said):
    at = open_view("neighbors")
    at.text_input(key="word").set_value("phne").run()
    assert "'phne'" in said(at) and "phone" in said(at)
    assert "Nearest to king" in said(at)


def test_words_that_the_map_does_not_know_are_named(open_view, said):
    at = open_view("word_map")
    at.text_area(key="map_words").set_value("king, queen, zzqxv, king").run()
    assert "zzqxv" in said(at)
    assert "Given twice, shown once: king." in said(at)


def test_one_word_has_no_spread_to_show(open_view, said):
    at = open_view("word_map")
    at.text_area(key="map_words").set_value("king").run()
    assert "no spread" in said(at)


def test_an_unknown_word_of_a_sentence_is_said_to_take_no_part(open_view, said):
    at = open_view("attention")
    at.text_input(key="sentence").set_value("apple zzqxv phones").run()
    assert "zzqxv has no vector here, so it takes no part." in said(at)


@pytest.mark.parametrize("step", ["X", "Q, K, V", "scores", "÷ √d_k", "softmax", "· V", "concat", "W_O"])
def test_every_step_of_attention_is_shown_with_its_shape(open_view, step):
    at = open_view("attention")
    at.number_input(key="heads").set_value(4).run()
    at.toggle(key="positions").set_value(True).run()
    at.session_state["step"] = step
    at.run()
    assert not at.exception
    assert len(at.get("vega_lite_chart")) >= 1


def test_random_projections_are_said_to_be_untrained(open_view, said):
    at = open_view("attention")
    at.button_group(key="projections").set_value("random").run()
    assert "untrained" in said(at)


def test_a_repeated_word_keeps_its_own_row(open_view):
    at = open_view("attention")
    at.text_input(key="sentence").set_value("the dog bites the man").run()
    assert not at.exception
    table = at.dataframe[0].value
    assert list(table["looks at"]) == ["the", "dog", "bites", "the", "man"]
    assert table["weight"].sum() == pytest.approx(1)


def test_the_chosen_query_survives_a_shorter_sentence(open_view, said):
    at = open_view("attention")
    at.number_input(key="sentence_query").set_value(4).run()
    at.text_input(key="sentence").set_value("two words").run()
    assert not at.exception
    assert "two looks most at" in said(at)


def test_more_than_64_words_are_cut_and_said(open_view, said):
    at = open_view("attention")
    at.text_input(key="sentence").set_value("king " * 70).run()
    assert "The first 64 of 70 words are shown" in said(at)


def test_the_link_restores_the_view(open_view):
    at = open_view("analogies", formula="king - man", exclude_inputs="false")
    assert at.text_input(key="formula").value == "king - man"
    assert at.toggle(key="exclude_inputs").value is False
    shown = "\n".join(code.value for code in at.code)
    assert "formula=king+-+man" in shown and "exclude_inputs=false" in shown and "model=glove" in shown
