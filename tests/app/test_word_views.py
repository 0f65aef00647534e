"""The word views: what is particular to each."""

import pytest


def test_the_expected_answer_is_given_its_rank_and_margin(open_view, said):
    at = open_view("analogies")
    at.text_input(key="expected").set_value("princess").run()
    assert "You expected princess: it comes at rank 5" in said(at)
    at.text_input(key="expected").set_value("zzqxv").run()
    assert "'zzqxv'" in said(at) and "queen (0.770)" in said(at)


def test_king_minus_male_does_not_give_queen(open_view, said):
    at = open_view("analogies")
    at.text_input(key="formula").set_value("king - male").run()
    answer = next(text.value for text in at.text if "(" in text.value)
    assert "queen" not in answer


def test_the_true_angle_of_the_parallelogram_is_written_beside_the_picture(open_view, said):
    assert "stand at an angle of 41°" in said(open_view("analogies"))


def test_the_contributions_add_up_to_the_cosine(open_view):
    at = open_view("analogies")
    table = next(frame.value for frame in at.dataframe if "adds" in frame.value)
    assert table["adds"].sum() == pytest.approx(0.7699, abs=1e-3)


def test_3cosmul_ranks_by_products(open_view, said):
    at = open_view("analogies")
    at.button_group(key="method").set_value("3CosMul").run()
    assert "queen (0.896)" in said(at)


def test_two_sets_of_vectors_answer_side_by_side(open_view, said):
    at = open_view("neighbors", word="apple", neighbors_other="zh")
    assert "neighbours are the same in both: macintosh" in said(at)


def test_words_of_the_other_language_are_said_to_be_missing(open_view, said):
    at = open_view("neighbors", word="throne", neighbors_other="zh")
    assert "'throne'" in said(at) and "Nearest to throne" in said(at)


@pytest.mark.parametrize(
    ("typed", "name"),
    [("apple, pear", "the mean of apple, pear"), ("king - man", "king - man"), ("New York", "new-york")],
)
def test_neighbours_of_a_list_of_a_formula_and_of_a_phrase(open_view, said, typed, name):
    at = open_view("neighbors")
    at.text_input(key="word").set_value(typed).run()
    assert f"Nearest to {name}: " in said(at)


def test_own_forms_can_be_left_out(open_view, said):
    at = open_view("neighbors", word="apple")
    at.text_input(key="word").set_value("dog").run()
    assert "dogs" in said(at)
    at.toggle(key="no_forms").set_value(True).run()
    assert "dogs" not in said(at)


def test_the_20_000_most_frequent_words_can_be_asked_alone(open_view):
    at = open_view("neighbors", word="sushi", among="5,000 most frequent")
    table = next(frame.value for frame in at.dataframe if "rank by frequency" in frame.value)
    assert table["rank by frequency"].max() <= 5000


def test_a_pair_that_is_none_is_named(open_view, said):
    at = open_view("axes")
    at.text_input(key="axis_x").set_value("poor rich").run()
    assert "'poor rich' is not a pair" in said(at) and "Nearest to rich: millionaire" in said(at)


def test_a_second_axis_says_at_which_angle_it_stands(open_view, said):
    at = open_view("axes")
    at.text_input(key="axis_y").set_value("safe − dangerous").run()
    assert "The two axes stand at 84°" in said(at)


def test_the_odd_one_is_named_with_its_margin(open_view, said):
    assert "cereal is the odd one out" in said(open_view("odd_one_out"))


@pytest.mark.parametrize("typed", ["king", "king, queen", "king, king, king"])
def test_odd_one_out_needs_three_different_words(open_view, said, typed):
    at = open_view("odd_one_out")
    at.text_input(key="odd_words").set_value(typed).run()
    assert "at least three different words" in said(at) and "cereal" in said(at)


def test_pairs_are_scored_on_arrival(open_view, said):
    assert "Rank correlation with people's judgement: 0.533" in said(open_view("scores"))


def test_analogies_are_scored_on_a_click_and_their_failures_can_be_browsed(open_view, said):
    at = open_view("scores", score_list="Google analogies", score_limit="10,000 most frequent")
    assert "Not run yet" in said(at)
    at.button(key="score_run").click().run()
    assert not at.exception
    assert "5,122 of 7,038 analogies are right" in said(at)
    questions = next(frame.value for frame in at.dataframe if "expected" in frame.value)
    assert (questions["expected"].str.lower() != questions["answered"]).all()


def test_pairs_that_the_vectors_do_not_hold_are_counted(open_view, said):
    assert "279 of 353 pairs have a word without a vector." in said(open_view("scores", model="zh"))
