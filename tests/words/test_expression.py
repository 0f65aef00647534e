"""Formulas of words: what is read, and the column of what cannot be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.errors import PlaygroundError
from playground.words.expression import MINUS_SIGNS, Term, format_terms, parse

KNOWN = {"vice-president", "c++", "follow-up", "follow-up-study", "20-20"}


def terms(text: str) -> list[tuple[float, str]]:
    return [(term.factor, term.text) for term in parse(text, known=KNOWN.__contains__)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("king", [(1, "king")]),
        ("king - man + woman", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("king-man+woman", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("  king-  man +woman ", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("king −man – woman ＋ son", [(1, "king"), (-1, "man"), (-1, "woman"), (1, "son")]),
        ("king — boy － girl﹣man", [(1, "king"), (-1, "boy"), (-1, "girl"), (-1, "man")]),
        ("- man + king", [(-1, "man"), (1, "king")]),
        ("+king", [(1, "king")]),
        ("a + b + c - d - e - f", [(1, "a"), (1, "b"), (1, "c"), (-1, "d"), (-1, "e"), (-1, "f")]),
        ("king\n-\tman", [(1, "king"), (-1, "man")]),
        ("2 * king - man", [(2, "king"), (-1, "man")]),
        ("2*king-.5×man + 1.25 · woman", [(2, "king"), (-0.5, "man"), (1.25, "woman")]),
        ("- 3 * king", [(-3, "king")]),
        ("2008 - 2004", [(1, "2008"), (-1, "2004")]),
        ("2 * 2008", [(2, "2008")]),
        ("3", [(1, "3")]),
        ('"New York" - new', [(1, "New York"), (-1, "new")]),
        ("“New York” + 「東京 都」 - «a - b»", [(1, "New York"), (1, "東京 都"), (-1, "a - b")]),
        ('" king  "', [(1, "king")]),
        ('"king"-"man"', [(1, "king"), (-1, "man")]),
        ("vice-president - man", [(1, "vice-president"), (-1, "man")]),
        ("vice-president-man", [(1, "vice-president"), (-1, "man")]),
        ("follow-up-study", [(1, "follow-up-study")]),
        ("follow-up-work", [(1, "follow-up"), (-1, "work")]),
        ("c++ + java", [(1, "c++"), (1, "java")]),
        ("c+++java", [(1, "c++"), (1, "java")]),
        ("20-20", [(1, "20-20")]),
        ("20-10", [(1, "20"), (-1, "10")]),
        ("u.s. - don't", [(1, "u.s."), (-1, "don't")]),
        ("父亲-男人+女人", [(1, "父亲"), (-1, "男人"), (1, "女人")]),
        ("<b> + $x$ - \\", [(1, "<b>"), (1, "$x$"), (-1, "\\")]),
    ],
)
def test_a_formula_is_read_term_by_term(text: str, read: list[tuple[float, str]]) -> None:
    assert terms(text) == read


def test_each_term_knows_its_column() -> None:
    assert [term.column for term in parse('king - 2 * man + "New York"')] == [1, 12, 18]


@pytest.mark.parametrize(
    ("text", "column", "told"),
    [
        ("king -", 6, "a word is missing after '-'"),
        ("king + ", 6, r"a word is missing after '\+'"),
        ("-", 1, "a word is missing after '-'"),
        ("king man", 6, r"expected \+ or - here; write a phrase in double quotes"),
        ("2 king", 3, r"expected \+ or - here"),
        ("king - - man", 8, "expected a word, found '-'"),
        ("king + -man", 8, "expected a word, found '-'"),
        ("--king", 2, "expected a word, found '-'"),
        ("* king", 1, r"expected a word, found '\*'"),
        ("king * 2", 6, "a factor is a number before the word"),
        ("king*2", 5, "a factor is a number before the word"),
        ("man * king", 5, "a factor is a number before the word"),
        ("2 * 3 * king", 7, "a factor is a number before the word"),
        ("2 *", 4, "a word is missing at the end"),
        ("king - 2 * ", 12, "a word is missing at the end"),
        ("king - 0 * man", 8, "a factor of 0"),
        ("9" * 400 + " * king", 1, "too large to be a number"),
        ('king - "New York', 8, 'the quotation mark " is never closed'),
        ('king + "  "', 8, "no word between the quotation marks"),
        ('"New York" new', 12, r"expected \+ or - here"),
        ("東京 − 日本 法国", 9, r"expected \+ or - here"),
    ],
)
def test_an_error_points_at_its_column(text: str, column: int, told: str) -> None:
    with pytest.raises(PlaygroundError, match=rf"In the formula .*, column {column}: .*{told}"):
        parse(text)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_formula_is_refused(text: str) -> None:
    with pytest.raises(PlaygroundError, match="The formula is empty"):
        parse(text)


def test_a_formula_longer_than_a_page_is_refused() -> None:
    with pytest.raises(PlaygroundError, match="has 10,000 characters: at most 2,000"):
        parse("x" * 10_000)


def test_the_vocabulary_is_asked_for_few_beginnings_of_a_long_run() -> None:
    asked: list[str] = []

    def known(word: str) -> bool:
        asked.append(word)
        return False

    assert len(parse("a-" * 900 + "king", known)) == 901
    assert max(len(word) for word in asked) <= 60
    assert len(asked) < 901 * 31  # and not 901 · 900 / 2


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" king−man +woman", "king - man + woman"),
        ("-man+king", "-man + king"),
        ("2.50*king - 0.1234567 * man", "2.5 * king - 0.1234567 * man"),
        ("1 * king - 2 * New", "king - 2 * New"),
        ("1234567 * king", "1234567 * king"),
        ("0.0000001 * king", "0.0000001 * king"),
        ("“New York”", '"New York"'),
        ("“a–b” + “x×y”", '"a–b" + "x×y"'),
        ('“5" disk”', '“5" disk”'),
    ],
)
def test_a_formula_is_written_plainly_and_without_rounding(text: str, written: str) -> None:
    assert format_terms(parse(text)) == written


factors = st.floats(1e-9, 1e9).flatmap(lambda size: st.sampled_from([size, -size, 1.0, -1.0]))
# A text that holds every closing quotation mark cannot be quoted, nor can anybody type it as one word.
words = (
    st.text(st.characters(codec="utf-8") | st.sampled_from([*MINUS_SIGNS, *'+*×· "“「«2.']), min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda word: word and not all(mark in word for mark in '"”“」»'))
)


@settings(derandomize=True, max_examples=100, deadline=None, database=None)
@given(st.lists(st.builds(Term, factors, words, st.just(0)), min_size=1, max_size=4))
def test_a_written_formula_is_read_back_to_the_same_terms(terms: list[Term]) -> None:
    again = parse(format_terms(tuple(terms)))
    assert [(term.factor, term.text) for term in again] == [(term.factor, term.text) for term in terms]


@settings(derandomize=True, max_examples=300, deadline=None, database=None)
@given(st.lists(st.sampled_from([*'-−+*×"“”「」 \t\n2é\0', ".5", "king", "man", "c++"]), max_size=12).map("".join))
def test_any_text_ends_in_terms_or_in_one_sentence(text: str) -> None:
    try:
        found = parse(text, known=KNOWN.__contains__)
    except PlaygroundError as error:
        assert str(error).endswith(".")
    else:
        assert all(term.text.strip() and term.factor for term in found)
        assert all(text.startswith(term.text, term.column - 1) or text[term.column - 1] in '"“”「' for term in found)
