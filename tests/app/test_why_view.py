"""The why lab, run by Streamlit's own test runner: each experiment's sentence, inputs and code."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import playground.app

MAIN = Path(playground.app.__file__).with_name("main.py")
EXPERIMENTS = ["÷ √d_k", "Not an RNN", "Positions", "Several heads", "W_O", "Softmax", "A lesson's numbers"]
SENTENCES = {"Not an RNN": "why_text", "Positions": "why_shuffle", "W_O": "why_mixing"}


@pytest.fixture(scope="module")
def open_lab():
    """Return a function that opens one experiment and asserts that it shows no exception."""

    def opened(experiment: str, **state: object) -> AppTest:
        at = AppTest.from_file(str(MAIN), default_timeout=60)
        if "model" in state:
            at.query_params["model"] = str(state.pop("model"))
        at.run()
        at.switch_page("views/why.py").run()
        at.session_state["why"] = experiment
        for name, value in state.items():
            at.session_state[name] = value
        at.run()
        assert not at.exception
        return at

    return opened


def answer(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


@pytest.mark.parametrize("model", ["glove", "zh"])
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_has_a_question_an_answer_and_its_explanations(open_lab, experiment, model):
    at = open_lab(experiment, model=model)
    assert at.title[0].value.endswith("?")
    assert answer(at)
    assert len(at.get("vega_lite_chart")) >= 1
    assert len(at.dataframe) >= 2
    assert [expander.label for expander in at.expander] == [
        "The formula",
        "As Python",
        "Table of the picture",
        "Why is it so?",
    ]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_the_code_of_every_experiment_runs(open_lab, experiment, capsys):
    at = open_lab(experiment)
    code = next(one.value for one in at.code if one.language == "python")
    exec(compile(code, experiment, "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("experiment", SENTENCES)
def test_an_experiment_takes_any_sentence(open_lab, experiment):
    at = open_lab(experiment)
    for typed in ("paris", "zzqxv", "", "king " * 70, "$x$ **y** <b>", "的"):
        at.text_input(key=SENTENCES[experiment]).set_value(typed).run()
        assert not at.exception
        assert answer(at)


def test_without_the_division_one_word_takes_all(open_lab):
    at = open_lab("÷ √d_k")
    assert "one of 16 words gets 0.9995 of the weight" in answer(at)
    table = at.dataframe[0].value
    assert table["spread"].iloc[-1] == pytest.approx(512**0.5, rel=0.05)


def test_the_first_word_is_lost_to_the_rnn_but_not_to_attention(open_lab):
    said = answer(open_lab("Not an RNN"))
    assert "The first of 29 words has 0.005 % of the influence on the RNN's last state, and 3.4 % on attention" in said
    assert "29 steps that wait for one another; attention takes 1, with 841 dot products" in said


def test_shuffling_changes_exactly_nothing_without_positions(open_lab):
    said = answer(open_lab("Positions"))
    assert "the difference is exactly 0" in said
    assert "With positions, outputs change by" in said


def test_one_head_forgets_who_is_who(open_lab):
    assert "One head averages john and mary: exchanging them changes nothing (0)" in answer(open_lab("Several heads"))
    assert "mary is lost" in answer(open_lab("Several heads", why_share=1.0))
    assert "the same vector" in answer(open_lab("Several heads", why_second="john"))


def test_an_unknown_word_of_the_heads_is_named(open_lab):
    at = open_lab("Several heads", why_first="phne")
    assert "'phne'" in answer(at) and "Still shown: john" in answer(at)


def test_w_o_brings_every_head_to_every_column(open_lab):
    assert "each of 4 heads reaches 25 of 100 columns. Through W_O: all 100" in answer(open_lab("W_O"))


def test_plain_softmax_breaks_where_the_maximum_is_not_subtracted(open_lab):
    at = open_lab("Softmax", why_softmax="A constant added")
    assert "gives nan, nan, nan in float32" in answer(at)
    at = open_lab("Softmax", why_softmax="A constant added", why_precision="float64")
    assert "still gives 0.659, 0.242, 0.099" in answer(at)


@pytest.mark.parametrize(
    ("typed", "told"),
    [("2, x", "'x' is not a number"), ("1", "2 to 8 scores"), ("1, 1e9", "−1000 to 1000"), ("nan, 1", "")],
)
@pytest.mark.parametrize("mode", ["Temperature", "A constant added"])
def test_scores_that_are_none_are_explained_and_the_last_ones_stand(open_lab, mode, typed, told):
    said = answer(open_lab("Softmax", why_softmax=mode, why_scores=typed))
    assert told in said and "Still shown: 2, 1, 0.1" in said


def test_the_lessons_weights_follow_from_no_width(open_lab):
    said = answer(open_lab("A lesson's numbers"))
    assert "With d_k = 64 softmax gives 0.204, 0.163, 0.454, 0.180, not 0.30, 0.05, 0.50, 0.15" in said
    assert "company and phones ask for d_k = 0.53, apple and invented for 157.0" in said


def test_groups_of_w_belong_to_heads_and_not_to_words(open_lab):
    said = answer(open_lab("A lesson's numbers", why_lesson="8 to 16 groups of W"))
    assert "8 heads have 24 matrices W_Q, W_K, W_V, whatever the number of words" in said
    assert "they differ by exactly 0" in said


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_chip_of_try_next_leads_somewhere(open_lab, experiment):
    at = open_lab(experiment)
    chips = [button.key for button in at.button if button.key.startswith("try_")]
    assert 3 <= len(chips) <= 5
    for key in chips:
        before = answer(at)
        at.button(key=key).click().run()
        assert not at.exception
        assert answer(at) != before
