"""The map: what is drawn, selected, added, removed and taken away."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

import playground.app
from playground.app.map_selection import with_neighbors

MAIN = Path(playground.app.__file__).with_name("main.py")


@pytest.fixture
def open_map():
    """Return a function that opens the map with query parameters and asserts that it shows no exception."""

    def opened(**parameters: str | list[str]) -> AppTest:
        at = AppTest.from_file(str(MAIN), default_timeout=120)
        at.run()
        for name, value in parameters.items():
            at.query_params[name] = value
        at.switch_page("views/word_map.py").run()
        assert not at.exception
        return at

    return opened


def said(at: AppTest) -> str:
    return "\n".join(text.value for text in at.text)


def retype(at: AppTest, text: str) -> AppTest:
    at.text_area(key="map_words").set_value(text).run()
    assert not at.exception
    return at


def link_of(at: AppTest) -> dict[str, list[str]]:
    return parse_qs(urlsplit(at.code[-1].value).query)


def spec(at: AppTest) -> dict:
    return json.loads(at.get("vega_lite_chart")[0].proto.spec)


def test_the_variance_and_what_the_picture_keeps_are_said(open_map):
    at = open_map()
    assert re.search(r"These two axes hold \d+ % of the differences among 17 words\.", said(at))
    assert re.search(r"The picture keeps [\d.]+ of each word's 8 truly nearest words", said(at))


def test_tsne_is_said_to_have_no_axes(open_map):
    at = open_map()
    at.button_group(key="map_method").set_value("t-SNE").run()
    assert not at.exception
    assert "t-SNE tries to put each of 17 words" in said(at)
    assert "t-SNE has no axes" in json.dumps(spec(at))


@pytest.mark.parametrize("method", ["PCA", "t-SNE"])
def test_three_dimensions_are_drawn(open_map, method):
    at = open_map()
    at.button_group(key="map_method").set_value(method)
    at.button_group(key="map_dims").set_value("3-D").run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 1


def test_the_link_holds_every_choice_and_restores_it(open_map):
    at = open_map()
    retype(at, "kings: king, queen, prince\nman -> woman, dog, cat")
    at.button_group(key="map_method").set_value("t-SNE")
    at.button_group(key="map_dims").set_value("3-D")
    at.number_input(key="map_seed").set_value(7)
    at.number_input(key="map_font").set_value(18)
    at.toggle(key="map_links").set_value(True)
    at.multiselect(key="map_selected").set_value(["king", "dog"]).run()
    parameters = link_of(at)
    assert parameters["map_words"] == ["kings: king, queen, prince\nman -> woman, dog, cat"]
    assert parameters["map_selected"] == ["king", "dog"]
    again = open_map(**{name: values if len(values) > 1 else values[0] for name, values in parameters.items()})
    assert link_of(again) == parameters
    assert again.number_input(key="map_seed").value == 7 and again.toggle(key="map_links").value
    assert again.multiselect(key="map_selected").value == ["king", "dog"]


def test_neighbours_of_the_selection_join_the_list(open_map):
    at = open_map()
    at.multiselect(key="map_selected").set_value(["lion"]).run()
    at.button(key="map_add").click().run()
    assert not at.exception
    added = at.text_area(key="map_words").value.splitlines()[-1]
    assert added.startswith("near lion: ") and "dragon" in added
    assert at.multiselect(key="map_selected").value == ["lion"]
    at.multiselect(key="map_selected").set_value(["lion", "dragon"]).run()
    at.button(key="map_remove").click().run()
    assert not re.search("lion, |dragon", at.text_area(key="map_words").value)
    assert at.multiselect(key="map_selected").value == []


def test_a_neighbour_that_would_be_read_as_punctuation_is_not_added(glove):
    text = with_neighbors(glove, "and: ,", ["and"], [","])
    assert not re.search(r"[;:]", text.splitlines()[-1].partition(": ")[2])


def test_nothing_can_be_done_with_no_selection(open_map):
    at = open_map()
    assert at.button(key="map_add").disabled and at.button(key="map_remove").disabled


def test_a_removed_word_leaves_the_selection(open_map):
    at = open_map()
    at.multiselect(key="map_selected").set_value(["king", "dog"]).run()
    retype(at, "king, queen, prince")
    assert at.multiselect(key="map_selected").value == ["king"]


def test_the_selection_shows_words_as_they_are(open_map):
    at = open_map()
    retype(at, "king, queen, $, *, **, prince")
    assert "$" in at.multiselect(key="map_selected").options


def test_each_file_is_offered(open_map):
    at = open_map()
    names = ["map.png", "map.svg", "coordinates.csv", "similarities.csv", "vectors.tsv", "metadata.tsv"]
    assert [button.proto.label for button in at.get("download_button")] == [f"Download {name}" for name in names]
    at.button_group(key="map_dims").set_value("3-D").run()
    offered = [button.proto.label for button in at.get("download_button")]
    assert offered == [f"Download {name}" for name in names[2:]]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Type at least one word"),
        ("king", "no spread"),
        ("king, queen", "2 words spread along 1 axis only"),
        ("king, king, king", "Given twice, shown once: king."),
        ("king, queen, zzqxv", "zzqxv"),
        ("x" * 10_000, "…"),
        ("king -> queen -> king", "spread along 1 axis"),
        ("->", "'->'"),
    ],
    ids=["empty", "one", "two", "thrice", "unknown", "long", "there and back", "arrow alone"],
)
@pytest.mark.parametrize("method", ["PCA", "t-SNE"])
def test_what_cannot_be_drawn_is_explained(open_map, method, typed, told):
    at = open_map()
    at.button_group(key="map_method").set_value(method)
    retype(at, typed)
    assert told in said(at)


@pytest.mark.parametrize("dims", ["2-D", "3-D"])
def test_five_thousand_words_are_drawn_up_to_the_limit(open_map, glove, dims):
    at = open_map()
    at.button_group(key="map_dims").set_value(dims)
    retype(at, ", ".join(glove.index_to_key[1000:6000]))
    assert "among 2000 words" in said(at)
    assert "Only the first 2000 words are shown; 3000 more were given." in said(at)
