"""What a typed text is read as, and that the reader is told."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg
from playground.words.lookup import near_spellings, require, vector_of


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@pytest.fixture
def small() -> Callable[..., KeyedVectors]:
    """Return a function that makes vectors of the given words, in order of frequency."""

    def make(*words: str) -> KeyedVectors:
        vectors = KeyedVectors(3)
        vectors.add_vectors(list(words), np.eye(len(words), 3, dtype=np.float32) + 1)
        return vectors

    return make


@pytest.mark.parametrize(
    ("typed", "words", "how"),
    [
        ("king", ("king",), "exact"),
        ("King", ("King",), "exact"),
        ("KING", ("KING",), "exact"),
        ("kInG", ("king",), "case"),
        ("  king ", ("king",), "exact"),
        ("Plum", ("plum",), "case"),
        ("new_york", ("New_York",), "case"),
        ("STRASSE", ("straße",), "case"),
        ("2024", ("2024",), "exact"),
        ("２０２４", ("2024",), "unicode"),
        ("ＫＩＮＧ", ("KING",), "unicode"),
        (decomposed("café"), ("café",), "unicode"),
        (decomposed("CAFÉ"), ("café",), "unicode"),
        ("New York", ("New_York",), "joined"),
        ("new\u00a0  york", ("New_York",), "joined"),
        ("ＮＥＷ ＹＯＲＫ", ("New_York",), "joined"),
        ("plum moss", ("plum", "moss"), "mean"),
        ("Plum_Moss", ("plum", "moss"), "mean"),
        ("quince", (), "missing"),
        ("plum quince", (), "missing"),
    ],
)
def test_a_text_is_found_in_the_stated_way(cased: KeyedVectors, typed: str, words: tuple[str, ...], how: str) -> None:
    found = pg.lookup(cased, typed)
    assert (found.text, found.words, found.how) == (typed, words, how)
    if words:
        rows = [cased.key_to_index[word] for word in words]
        np.testing.assert_allclose(found.vector, cased.vectors[rows].mean(axis=0))
    else:
        assert found.vector is None


def test_what_was_typed_comes_before_another_case_and_before_a_phrase(small: Callable) -> None:
    vectors = small("Polish", "polish", "new york", "new_york", "new-york", "newyork")
    assert pg.lookup(vectors, "polish").words == ("polish",)
    assert pg.lookup(vectors, "Polish").words == ("Polish",)
    assert pg.lookup(vectors, "new york").how == "exact"  # an entry with a space in it
    assert pg.lookup(vectors, "New York").words == ("new york",)


@pytest.mark.parametrize(
    ("vocabulary", "entry"),
    [
        (("new", "york", "newyork", "new-york", "new_york"), "new_york"),
        (("new", "york", "newyork", "new-york"), "new-york"),
        (("new", "york", "newyork"), "newyork"),
    ],
)
@pytest.mark.parametrize("typed", ["new york", "New York"])
def test_a_phrase_is_joined_by_underscore_hyphen_or_nothing(
    small: Callable, vocabulary: tuple[str, ...], entry: str, typed: str
) -> None:
    found = pg.lookup(small(*vocabulary), typed)
    assert (found.words, found.how) == ((entry,), "joined")


def test_phrases_of_the_bundled_vectors(glove: KeyedVectors) -> None:
    found = {text: pg.lookup(glove, text).words for text in ("New York", "new_york", "ice cream", "hot dog")}
    assert found == {
        "New York": ("new-york",),
        "new_york": ("new-york",),
        "ice cream": ("ice-cream",),
        "hot dog": ("hotdog",),
    }
    city = pg.lookup(glove, "New York City")
    assert (city.words, city.how) == (("new", "york", "city"), "mean")
    rows = [glove.key_to_index[word] for word in city.words]
    np.testing.assert_allclose(city.vector, glove.vectors[rows].mean(axis=0), rtol=1e-6)


@pytest.mark.parametrize(("typed", "entry"), [("’s", "'s"), ("n’t", "n't")])
def test_curly_quotes_stand_for_straight_ones(glove: KeyedVectors, typed: str, entry: str) -> None:
    found = pg.lookup(glove, typed)
    assert (found.words, found.how) == ((entry,), "unicode")


def test_digits_are_words_and_never_row_numbers(cased: KeyedVectors, small: Callable) -> None:
    assert pg.lookup(cased, "3").how == "missing"
    vectors = small("zero", "one", "3")
    assert pg.lookup(vectors, "3").words == ("3",)
    assert pg.lookup(vectors, "0").how == "missing"
    with pytest.raises(pg.PlaygroundError, match="A word must be text, not int: write '3' in quotes"):
        pg.lookup(vectors, 3)


def test_case_twins_are_named(cased: KeyedVectors, small: Callable) -> None:
    assert pg.lookup(cased, "king").twins == ("King", "KING")
    assert pg.lookup(cased, "King").twins == ("king", "KING")
    assert pg.lookup(cased, "plum").twins == ()
    # Capitals in the middle of a word are found as well.
    assert pg.lookup(small("iphone", "iPhone"), "iphone").twins == ("iPhone",)


def test_each_way_is_explained_in_a_sentence(cased: KeyedVectors, glove: KeyedVectors) -> None:
    explained = {text: pg.lookup(cased, text).explanation for text in ("plum", "Plum", "New York", "plum moss")}
    assert explained == {
        "plum": "",
        "Plum": "Plum was read as plum.",
        "New York": "New York was read as New_York.",
        "plum moss": "plum moss is no entry: the mean of plum, moss stands for it.",
    }
    assert pg.lookup(cased, "king").explanation == "Differing only in case: King, KING."
    assert pg.lookup(glove, "U.S.").explanation == "U.S. was read as u.s."
    assert "Near spellings: plum." in pg.lookup(cased, "plumm").explanation


@pytest.mark.parametrize(
    ("typed", "first"),
    [("recieve", "receive"), ("bcak", "back"), ("naïve", "naive"), ("café", "cafe"), ("qwueen", "queen")],
)
def test_the_likeliest_spelling_of_an_unknown_word_comes_first(glove: KeyedVectors, typed: str, first: str) -> None:
    found = pg.lookup(glove, typed)
    assert found.how == "missing"
    assert found.suggestions[0] == first
    assert len(found.suggestions) <= 5


def test_spellings_equally_near_come_in_order_of_frequency(glove: KeyedVectors) -> None:
    # All are one letter away from "qeen"; "queen" is rarer than "been" and "seen", and more frequent than "teen".
    near = near_spellings(glove, "qeen")
    assert near[:3] == ("been", "seen", "queen")
    ranks = [glove.key_to_index[word] for word in near]
    assert ranks == sorted(ranks)


def test_missing_accents_come_before_a_wrong_letter(small: Callable) -> None:
    vectors = small("dejas", "cape", "café", "déjà", "dejan")
    assert near_spellings(vectors, "cafe") == ("café", "cape")
    assert near_spellings(vectors, "deja")[0] == "déjà"  # two accents are still the likeliest slip
    assert near_spellings(vectors, "çafè")[0] == "café"
    assert near_spellings(small("kong", "king"), "kïng") == ("king", "kong")


def test_spellings_are_compared_whatever_their_case(small: Callable) -> None:
    assert near_spellings(small("Kong", "KING"), "Kng") == ("Kong", "KING")


def test_nothing_is_suggested_for_a_single_unknown_letter_or_a_long_text(glove: KeyedVectors) -> None:
    assert near_spellings(glove, "😀") == ()
    assert near_spellings(glove, "king" * 2500) == ()


def test_an_unknown_word_is_refused_with_near_spellings(glove: KeyedVectors) -> None:
    with pytest.raises(pg.UnknownWordError, match=r"I do not know 'quen'.*Near spellings: .*queen") as raised:
        require(glove, " quen ")
    assert raised.value.text == "quen"
    assert "queen" in raised.value.suggestions


ODD = {
    "10,000 characters": "x" * 10_000,
    "10,000 words": "king " * 10_000,
    "emoji": "👩‍🚀",
    "right to left": "שלום",
    "turned direction": "\u202eking",
    "bold": "**",
    "formula": "$x$",
    "tag": "<b>",
    "newline": "king\nqueen",
    "backslash": "\\",
    "zero": "\0",
    "half a character": "\udc80",
    "quotes": "''\"\"“”",
    "only underscores": "__",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_text_is_found_or_missing(glove: KeyedVectors, cased: KeyedVectors, text: str) -> None:
    for vectors in (glove, cased):
        found = pg.lookup(vectors, text)
        assert (found.vector is None) == (found.how == "missing")
        assert len(found.explanation) < 300


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_an_empty_text_is_refused(glove: KeyedVectors, text: str) -> None:
    with pytest.raises(pg.PlaygroundError, match="The word is empty"):
        pg.lookup(glove, text)


def test_fasttext_builds_unknown_words_from_pieces_and_says_so(cases: Path) -> None:
    from gensim.models.fasttext import load_facebook_vectors

    vectors = load_facebook_vectors(str(cases / "f01_small.bin"))
    assert pg.lookup(vectors, "moss").how == "exact"
    built = pg.lookup(vectors, "mosses")
    assert (built.how, built.words) == ("subwords", ())
    np.testing.assert_array_equal(built.vector, vectors.get_vector("mosses"))
    assert built.explanation == "mosses is no entry: its vector is built from pieces of words."


def test_a_vector_must_fit_and_have_a_direction(cased: KeyedVectors) -> None:
    np.testing.assert_array_equal(vector_of(cased, np.array([1, 2, 3, 4])), np.float32([1, 2, 3, 4]))
    with pytest.raises(pg.PlaygroundError, match=r"shape \(4,\), not \(3,\)"):
        vector_of(cased, np.ones(3))
    for bad in (np.zeros(4), np.array([1, np.nan, 0, 0]), np.array([np.inf, 0, 0, 0])):
        with pytest.raises(pg.PlaygroundError, match="no direction"):
            vector_of(cased, bad)
