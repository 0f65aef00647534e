"""A sentence into tokens, nothing lost on the way, and tokens into the matrix X."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import example, given, settings
from hypothesis import strategies as st

import playground as pg

STRAIGHT = str.maketrans("‘’‛“”„‐‑", "'''\"\"\"--")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # Contractions and possessives, as in the Penn Treebank.
        ("I don't know", "i do n't know"),
        ("It’s John's.", "it 's john 's ."),
        ("CAN'T", "ca n't"),
        ("I'd've gone", "i 'd 've gone"),
        ("They'll isn't", "they 'll is n't"),
        # Punctuation stands apart.
        ("apple, company; phones!", "apple , company ; phones !"),
        ('He said: "why?"', 'he said : " why ? "'),
        ("(yes)", "( yes )"),
        ("so?!", "so ? !"),
        ("wait... what -- why", "wait ... what -- why"),
        ("``well''", "`` well ''"),
        # A full stop belongs to an abbreviation, and ends a sentence elsewhere.
        ("the U.S. economy", "the u.s. economy"),
        ("in the U.S.", "in the u.s."),
        ("the U.S.?", "the u.s. ?"),
        ("the u.s...", "the u.s. .."),
        ("I said no.", "i said no ."),
        # A hyphen stays where the vocabulary holds the whole, and splits what it does not hold.
        ("a well-known co-operation", "a well-known co-operation"),
        ("apple-pie", "apple - pie"),
        ("a U.S.-backed apple/pear", "a u.s. - backed apple / pear"),
        ("apple-qwertzuiop", "apple - qwertzuiop"),
        ("end.start", "end . start"),
        # What the vocabulary lacks stays as it was typed.
        ("Qwertzuiop 3.14 3,000", "Qwertzuiop 3.14 3,000"),
        ("the the", "the the"),
    ],
)
def test_english_is_split_as_in_the_texts_of_glove(glove: KeyedVectors, text: str, tokens: str) -> None:
    assert pg.tokenize(glove, text) == tokens.split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("苹果公司发明手机", "苹果公司 发明 手机"),
        ("约翰打玛丽", "约翰 打 玛丽"),
        ("我爱北京天安门。", "我 爱 北京 天安门 。"),
        ("我爱NBA比赛", "我 爱 NBA 比赛"),
        ("apple公司 nba", "Apple 公司 NBA"),
        ("北京, 上海!", "北京 , 上海 !"),
    ],
)
def test_chinese_is_split_into_words(zh: KeyedVectors, text: str, tokens: str) -> None:
    assert pg.tokenize(zh, text) == tokens.split()


def test_a_chinese_run_that_the_vocabulary_lacks_is_split_by_longest_match() -> None:
    vectors = KeyedVectors(1)
    vectors.add_vectors(["北", "北京", "京大"], np.ones((3, 1), dtype=np.float32))
    assert pg.tokenize(vectors, "北京大学") == ["北京", "大学"]
    assert pg.tokenize(vectors, "学京大") == ["学", "京大"]


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_an_empty_text_has_no_tokens(glove: KeyedVectors, text: str) -> None:
    assert pg.tokenize(glove, text) == []


def plain(text: str) -> str:
    """Return what is left of a text without spaces, capitals and the writing of accents and quotes."""
    joined = "".join(unicodedata.normalize("NFKC", text).translate(STRAIGHT).casefold().split())
    return unicodedata.normalize("NFC", joined)


ENGLISH = ["don't", "U.S.", "u.s", "n't", "'s", "...", "well-known", "apple", "King", " ", ".", "-", "_", "''", "``"]
OTHERS = ["苹果", "公司", "的", "NBA", "，", "“", "’s", "é", "e\u0301", "ｋｉｎｇ", "日本の", "👩‍🚀", "हिन्दी", "مرحبا"]
pieces = st.one_of(st.text(max_size=6), st.sampled_from(ENGLISH), st.sampled_from(OTHERS))


@settings(derandomize=True, max_examples=250, deadline=None, database=None)
@given(st.lists(pieces, max_size=8).map("".join))
@example("u.s...")
@example("(U.S.-led) 3,000 o'clock''")
@example("x" * 10_000)
def test_nothing_is_dropped_and_nothing_added(glove: KeyedVectors, zh: KeyedVectors, text: str) -> None:
    for vectors in (glove, zh):
        tokens = pg.tokenize(vectors, text)
        assert all(tokens)
        assert plain("".join(tokens)) == plain(text)


def test_x_holds_the_vector_of_each_token_in_order(glove: KeyedVectors) -> None:
    x = pg.embed(glove, ["the", "King", "the"])
    assert x.dtype == np.float32
    np.testing.assert_array_equal(x, [glove["the"], glove["king"], glove["the"]])


def test_every_token_that_is_known_can_be_embedded(glove: KeyedVectors) -> None:
    tokens = pg.tokenize(glove, "It’s the U.S. economy: “well-known”, isn't it?")
    assert pg.embed(glove, tokens).shape == (len(tokens), 100)


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        ([], "The sentence is empty"),
        ("the king", "takes a list of tokens"),
        (["the", "kingg"], "I do not know 'kingg'.*Near spellings: king"),
        (["the", " "], "The word is empty"),
    ],
)
def test_what_has_no_vector_is_named(glove: KeyedVectors, tokens: list[str], told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.embed(glove, tokens)


def test_a_token_is_never_read_as_a_row_number(cases: Path) -> None:
    vectors = pg.load(cases / "q_words.txt")
    assert pg.tokenize(vectors, "plum 3 2024") == ["plum", "3", "2024"]
    with pytest.raises(pg.UnknownWordError, match="'3'"):
        pg.embed(vectors, ["3"])
