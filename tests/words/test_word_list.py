import pytest

from playground.errors import PlaygroundError
from playground.words.word_list import read_word_list, split_groups, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("king, queen", ["king", "queen"]),
        ("king queen", ["king", "queen"]),
        ("new york, paris", ["new york", "paris"]),
        ("new york;paris\nrome", ["new york", "paris", "rome"]),
        ("国王、女王，苹果", ["国王", "女王", "苹果"]),
        ("new york,", ["new york"]),
        (" , ,", []),
        ("", []),
    ],
)
def test_a_list_is_split_where_people_separate_words(text, words):
    assert split_words(text) == words


def test_a_line_with_a_colon_names_a_group():
    text = "animals: dog, cat\nred\n水果：苹果、香蕉\n3:30 http://x"
    assert split_groups(text) == [
        ("animals", "dog"),
        ("animals", "cat"),
        ("", "red"),
        ("水果", "苹果"),
        ("水果", "香蕉"),
        ("", "3:30"),
        ("", "http://x"),
    ]


def test_nothing_is_dropped_in_silence(glove):
    found = read_word_list(glove, "king, King, zzqxv, New York, dog, cat", limit=3)
    assert found.words == ("king", "new-york", "dog")
    assert found.matrix.shape == (3, 100)
    assert found.repeated == ("king",)
    assert [one.text for one in found.unknown] == ["zzqxv"]
    assert found.left_out == 1
    notes = " ".join(found.notes)
    for said in ("zzqxv", "king", "new-york", "1 more"):
        assert said in notes


def test_a_phrase_without_an_entry_stands_as_typed(glove):
    assert read_word_list(glove, "red-haired girl, king").words == ("red-haired girl", "king")


@pytest.mark.parametrize("text", ["", "   ", "zzqxv", "king", "king, king"])
def test_too_few_words_are_refused_in_one_sentence(glove, text):
    with pytest.raises(PlaygroundError, match="at least 2 different words"):
        read_word_list(glove, text, least=2)


def test_five_thousand_words_are_read_up_to_the_limit(glove):
    found = read_word_list(glove, ", ".join(glove.index_to_key[1000:6000]), limit=200)
    assert len(found.words) == 200
    assert found.left_out == 4800
