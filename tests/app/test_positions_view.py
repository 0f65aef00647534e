"""Positions and word order, run by Streamlit's own test runner."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import playground.app

MAIN = Path(playground.app.__file__).with_name("main.py")
VIEWS = ["The matrix", "One pair as waves", "Products and distance"]


@pytest.fixture(scope="module")
def open_page():
    """Return a function that opens a page with inputs and asserts that it shows no exception."""

    def opened(page: str, **state: object) -> AppTest:
        at = AppTest.from_file(str(MAIN), default_timeout=60)
        if "model" in state:
            at.query_params["model"] = str(state.pop("model"))
        at.run()
        at.switch_page(f"views/{page}.py").run()
        for name, value in state.items():
            at.session_state[name] = value
        if state:
            at.run()
        assert not at.exception
        return at

    return opened


def answer(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_picture_takes_every_width(open_page, view, layout):
    at = open_page("positions", pe_view=view, pe_layout=layout)
    for d_model in (1, 2, 7, 512):
        at.number_input(key="pe_d").set_value(d_model).run()
        assert not at.exception
        assert len(at.get("vega_lite_chart")) == 1
        assert [expander.label for expander in at.expander][-1] == "Why is it so?"


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_the_code_of_positions_runs(open_page, layout, capsys):
    at = open_page("positions", pe_layout=layout, pe_d=7)
    code = next(one.value for one in at.code if one.language == "python")
    exec(compile(code, "positions", "exec"), {})
    assert capsys.readouterr().out.startswith("0 ")


def test_products_depend_on_the_distance_alone(open_page):
    assert "All 1,275 pairs of places fall on 50 values" in answer(open_page("positions", pe_view=VIEWS[2]))


def test_an_odd_width_is_said_to_break_the_curve(open_page):
    said = answer(open_page("positions", pe_view=VIEWS[2], pe_d=5, pe_base=10.0))
    assert "do not fall on one curve" in said and "the last sine has no cosine" in said


def test_a_pair_of_waves_names_its_columns_and_its_length(open_page):
    said = answer(open_page("positions", pe_view=VIEWS[1]))
    assert "Columns 1 and 2 turn once in 6.28 places" in said
    said = answer(open_page("positions", pe_view=VIEWS[1], pe_layout="concatenated"))
    assert "Columns 1 and 33 turn once" in said


def test_a_pair_that_is_gone_gives_way_to_the_first(open_page):
    at = open_page("positions", pe_view=VIEWS[1], pe_pair=32)
    at.number_input(key="pe_d").set_value(4).run()
    assert not at.exception
    assert "Columns 1 and 2" in answer(at)


def test_john_hits_mary_as_mary_hits_john_until_positions_are_added(open_page):
    at = open_page("word_order")
    assert "Without positions each word's output is exactly the same in both: difference 0." in answer(at)
    assert "With positions that of mary moves by 2.36." in answer(at)
    table = at.dataframe[0].value
    assert table["length, without positions"].tolist() == [0, 0, 0]
    assert (table["length, with positions"] > 0).all()


@pytest.mark.parametrize("projections", ["identity", "random"])
def test_chinese_words_say_the_same(open_page, projections):
    at = open_page("word_order", model="zh", order_projections=projections)
    assert "exactly the same in both" in answer(at)
    assert at.dataframe[0].value["word"].tolist() == ["老师", "批评", "学生"]


def test_other_words_are_named_and_differ_without_positions(open_page):
    said = answer(open_page("word_order", order_second="john hit bill"))
    assert "Even without positions the output of" in said
    assert "Not the same number of times in both: mary, bill." in said


def test_positions_times_nothing_are_none(open_page):
    assert "And with positions too" in answer(open_page("word_order", order_strength=0.0))


def test_word_order_takes_any_text(open_page):
    at = open_page("word_order")
    for typed in ("zzqxv", "", "paris", "king " * 70, "$x$ **y** <b>", "x" * 900):
        for key in ("order_first", "order_second"):
            at.text_input(key=key).set_value(typed).run()
            assert not at.exception
            assert answer(at)


def test_the_code_of_word_order_gives_the_numbers_of_the_view(open_page, capsys):
    at = open_page("word_order", order_first="the dog bites the man", order_second="the man bites the dog")
    code = next(one.value for one in at.code if one.language == "python")
    exec(compile(code, "word_order", "exec"), {})
    printed = [float(line.split()[2]) for line in capsys.readouterr().out.splitlines()]
    assert printed == pytest.approx(at.dataframe[0].value["length, with positions"].tolist(), abs=1e-9)
