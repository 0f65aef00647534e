"""Words on the disk answer as a list and a dictionary do."""

import copy
import pickle
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.words.stored_words import StoredIndex, StoredWords, word_arrays

ODD = ["king", "\n", "two words", "naïve", "苹果", "🙂", "\x00", "a\nb\n", "x" * 70_000, " king", "e\u0301"]


def stored(words: list[str]) -> tuple[StoredWords, StoredIndex]:
    arrays = word_arrays(words)
    kept = StoredWords(arrays)
    return kept, StoredIndex(kept, arrays)


@given(st.lists(st.text(), min_size=1, unique=True))
def test_any_words_come_back_in_order_and_have_their_rows(words: list[str]) -> None:
    kept, index = stored(words)
    assert list(kept) == kept[:] == words
    assert [kept[row] for row in range(len(words))] == words
    assert [index[word] for word in words] == list(range(len(words)))


@given(st.lists(st.text("ab\n\0", max_size=4), min_size=1, unique=True), st.slices(12))
def test_parts_of_the_words_are_those_of_a_list(words: list[str], part: slice) -> None:
    assert stored(words)[0][part] == words[part]


def test_odd_words_are_kept() -> None:
    kept, index = stored(ODD)
    assert list(kept) == ODD
    assert {word: index[word] for word in ODD} == {word: row for row, word in enumerate(ODD)}


def test_places_count_from_both_ends_and_end_in_an_error() -> None:
    kept, _ = stored(ODD)
    assert kept[-1] == ODD[-1] and kept[np.int64(2)] == "two words" and kept[::-1] == ODD[::-1]
    for row in (len(ODD), -len(ODD) - 1):
        with pytest.raises(IndexError):
            kept[row]


def test_equal_to_a_list_of_the_same_words() -> None:
    kept, index = stored(ODD)
    plain = list(ODD)
    assert kept == plain and plain == kept and kept == stored(ODD)[0]
    assert kept != ODD[:-1] and kept != [*ODD[:-1], "other"] and kept != tuple(ODD)
    assert index == {word: row for row, word in enumerate(ODD)}


def test_unknown_words_are_not_found() -> None:
    _, index = stored(ODD)
    assert "queen" not in index and index.get("queen", -1) == -1 and index.get(0, -1) == -1
    with pytest.raises(KeyError, match="queen"):
        index["queen"]


def test_words_of_one_checksum_are_told_apart() -> None:
    assert crc32(b"plumless") == crc32(b"buckeroo")
    _, index = stored(["plumless", *map(str, range(100)), "buckeroo"])
    assert (index["plumless"], index["buckeroo"]) == (0, 101)
    _, index = stored(["plumless", *map(str, range(100))])
    assert "buckeroo" not in index


def test_many_questions_are_answered_as_the_first_are() -> None:
    words = [f"w{number}" for number in range(500)]
    _, index = stored(words)
    for _ in range(3):
        assert [index[word] for word in words] == list(range(500))
        assert "v1" not in index
    assert dict(index.items()) == dict(index) == dict(zip(words, range(500), strict=True))
    assert list(index) == words and len(index) == 500


def test_copies_and_pickles_are_plain_lists_and_dictionaries() -> None:
    kept, index = stored(ODD)
    for again in (copy.deepcopy, copy.copy, lambda one: pickle.loads(pickle.dumps(one))):
        assert type(again(kept)) is list and again(kept) == ODD
        assert type(again(index)) is dict and again(index)["two words"] == 2


def test_half_a_character_cannot_be_stored() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        word_arrays(["king", "\ud800"])


def test_words_that_use_every_character_of_ascii_cannot_be_stored() -> None:
    with pytest.raises(ValueError, match="no character is free"):
        word_arrays([chr(number) for number in range(128)])
