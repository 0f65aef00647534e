"""The view "Which apple?"."""

import pytest


def test_apple_moves_to_firms_in_one_sentence_and_to_fruits_in_the_other(open_view, said):
    shown = said(open_view("meaning"))
    assert "apple: beside company it moves toward motorola" in shown
    assert "beside juice it moves toward lemon, mango, pear" in shown


def test_the_chinese_apple_moves_too(open_view, said):
    shown = said(open_view("meaning", model="zh"))
    assert "智能手机" in shown and "蔬菜" in shown


def test_without_strength_nothing_moves(open_view, said):
    at = open_view("meaning")
    at.slider(key="meaning_strength").set_value(0.0).run()
    table = next(frame.value for frame in at.dataframe if "first − second" in frame.value)
    assert table["first − second"].abs().max() == pytest.approx(0)


def test_a_word_that_may_look_at_itself_hardly_moves(open_view):
    at = open_view("meaning")
    at.toggle(key="meaning_block").set_value(False).run()
    table = next(frame.value for frame in at.dataframe if "first − second" in frame.value)
    assert table["first − second"].abs().max() < 0.05


@pytest.mark.parametrize(
    ("key", "typed", "sentence"),
    [
        ("meaning_one", "pears and plums", "'apple' is not in the sentence"),
        ("meaning_one", "apple", "stands alone"),
        ("meaning_one", "", "The sentence is empty"),
        ("meaning_one", "zzqxv zzqxw", "'apple' is not in the sentence"),
        ("meaning_word", "zzqxv", "'zzqxv' is not in the sentence"),
        ("meaning_anchors", "zzqxv", "'zzqxv'"),
    ],
)
def test_bad_input_is_explained_and_the_last_answer_stands(open_view, said, key, typed, sentence):
    at = open_view("meaning")
    at.text_input(key=key).set_value(typed).run()
    assert not at.exception
    assert sentence in said(at)
    assert "apple: beside company it moves toward motorola" in said(at)


def test_of_a_repeated_word_the_place_can_be_chosen(open_view):
    at = open_view("meaning")
    at.text_input(key="meaning_one").set_value("apple company and apple pie").run()
    assert at.number_input(key="meaning_one_place").max == 2
    at.number_input(key="meaning_one_place").set_value(2).run()
    assert not at.exception


def test_five_hundred_words_are_read(open_view, said):
    at = open_view("meaning")
    at.text_input(key="meaning_one").set_value("apple " + "company phones software invented " * 125).run()
    assert not at.exception
    assert "apple: beside" in said(at)
