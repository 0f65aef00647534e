"""The view "What have these heads learnt?"."""

import pytest


def test_the_dog_bites_and_the_man_bites_come_out_differently(open_view, said):
    at = open_view("learned", taught_head="verb → its subject")
    assert "bites → dog" in said(at)
    at.text_input(key="taught_sentence").set_value("the man bites the dog").run()
    assert "bites → man" in said(at)


def test_all_eight_heads_are_shown_with_their_accuracy_and_baseline(open_view):
    at = open_view("learned")
    cards = next(frame.value for frame in at.dataframe if "its accuracy" in frame.value)
    assert len(cards) == 8
    learnt = cards[cards["head"] != "previous word"]  # which is a fixed distance
    assert (learnt["accuracy"] > learnt["its accuracy"] + 0.04).all()
    assert cards["accuracy"].mean() > 0.75


@pytest.mark.parametrize("typed", ["", "   ", "zzqxv", "in 2008 he won 3 prizes", "$x$ <b> **", "king " * 500, "dog"])
def test_any_text_is_taken(open_view, said, typed):
    at = open_view("learned")
    at.text_input(key="taught_sentence").set_value(typed).run()
    assert not at.exception
    assert said(at)


def test_words_without_a_vector_are_named(open_view, said):
    at = open_view("learned")
    at.text_input(key="taught_sentence").set_value("he won 3 prizes in 2008").run()
    assert "Without a vector, so known to the heads by place alone: 3, 2008." in said(at)


def test_the_view_answers_in_english_whatever_vectors_are_chosen(open_view, said):
    assert "dog" in said(open_view("learned", model="zh"))
