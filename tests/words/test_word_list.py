import pytest

from playground.errors import PlaygroundError
from playground.words.word_list import read_word_list, split_arrows, split_groups, split_words, without_words


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


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("man -> king", ["man", "king"]),
        ("new york→paris", ["new york", "paris"]),
        ("big -> bigger -> biggest", ["big", "bigger", "biggest"]),
        ("king", ["king"]),
        ("->", ["->"]),
        ("man ->", ["man ->"]),
    ],
)
def test_an_arrow_joins_two_words(piece, words):
    assert split_arrows(piece) == words


def test_arrows_are_pairs_of_rows(glove):
    found = read_word_list(glove, "royal: king, queen\nman -> king, woman -> Queen\nnew york -> zzqxv -> paris")
    assert found.words == ("king", "queen", "man", "woman", "new-york", "paris")
    assert found.pairs == ((2, 0), (3, 1))  # an unknown word breaks its chain
    assert found.repeated == ()  # a word may stand at several arrows
    assert [one.text for one in found.unknown] == ["zzqxv"]


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        ("a: king, Queen\nb: dog, cat", {"queen"}, "a: king\nb: dog, cat"),
        ("a: king\nb: dog", {"king"}, "b: dog"),
        ("man -> king, woman -> queen", {"king"}, "man, woman -> queen"),
        ("big -> bigger -> biggest", {"bigger"}, "big -> biggest"),
        ("king queen", {"king"}, "queen"),
        ("red-haired girl, king", {"king"}, "red-haired girl,"),
        ("one,two;three\n\nfour", {"zebra"}, "one,two;three\n\nfour"),
        ("king", {"king"}, ""),
    ],
)
def test_words_are_taken_out_and_the_rest_stands_as_typed(glove, text, gone, left):
    assert without_words(glove, text, gone) == left


def test_a_vector_without_a_direction_is_left_out_and_said():
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(2)
    vectors.add_vectors(["good", "zero", "wild"], [[1.0, 2.0], [0.0, 0.0], [float("nan"), 1.0]])
    found = read_word_list(vectors, "good, zero, wild")
    assert found.words == ("good",)
    assert "zero is zero or not finite" in " ".join(found.notes) and "wild is" in " ".join(found.notes)
