"""Word arithmetic: queen comes out, with gensim's own numbers."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg

FORMULAS = {
    "king - man + woman": (["king", "woman"], ["man"]),
    "paris - france + italy": (["paris", "italy"], ["france"]),
    "bigger - big + small": (["bigger", "small"], ["big"]),
    "king + queen": (["king", "queen"], []),
    "-man": ([], ["man"]),
    "son - boy - child + girl + parent": (["son", "girl", "parent"], ["boy", "child"]),
}


def test_king_minus_man_plus_woman_is_queen(glove: KeyedVectors) -> None:
    found = pg.analogy(glove, "king - man + woman")
    assert found.answers[0].word == "queen"
    assert found.answers[0].similarity == pytest.approx(0.7699, abs=0.001)
    assert (found.positive, found.negative) == (("king", "woman"), ("man",))
    assert len(found.answers) == 10


@pytest.mark.parametrize(
    ("formula", "answer", "cosine"),
    [("父亲 - 男人 + 女人", "母亲", 0.88), ("东京－日本＋法国", "巴黎", 0.89)],
)
def test_chinese_analogies(zh: KeyedVectors, formula: str, answer: str, cosine: float) -> None:
    best = pg.analogy(zh, formula).answers[0]
    assert (best.word, round(best.similarity, 2)) == (answer, cosine)


@pytest.mark.parametrize("formula", FORMULAS)
def test_3cosadd_is_that_of_gensim(glove: KeyedVectors, formula: str) -> None:
    positive, negative = FORMULAS[formula]
    theirs = glove.most_similar(positive=positive, negative=negative, topn=20)
    ours = pg.analogy(glove, formula, topn=20).answers
    assert [one.word for one in ours] == [word for word, _ in theirs]
    np.testing.assert_allclose([one.similarity for one in ours], [cosine for _, cosine in theirs], atol=1e-5)


# gensim calls an old method of its own, and cannot multiply for a formula with nothing but subtracted words.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("formula", [formula for formula in FORMULAS if FORMULAS[formula][0]])
def test_3cosmul_is_that_of_gensim(glove: KeyedVectors, formula: str) -> None:
    positive, negative = FORMULAS[formula]
    theirs = glove.most_similar_cosmul(positive=positive, negative=negative, topn=20)
    ours = pg.analogy(glove, formula, topn=20, method="3cosmul").answers
    assert [one.word for one in ours] == [word for word, _ in theirs]
    np.testing.assert_allclose([one.similarity for one in ours], [score for _, score in theirs], rtol=1e-5)


def test_factors_weigh_the_words_as_in_gensim(glove: KeyedVectors) -> None:
    theirs = glove.most_similar(positive=[("king", 2.0), ("woman", 0.5)], negative=[("man", -1.5)], topn=5)
    ours = pg.analogy(glove, "2 * king - 1.5 * man + .5 × woman", topn=5).answers
    assert [one.word for one in ours] == [word for word, _ in theirs]
    np.testing.assert_allclose([one.similarity for one in ours], [cosine for _, cosine in theirs], atol=1e-5)


def test_the_sum_is_one_of_unit_vectors(cased: KeyedVectors) -> None:
    found = pg.analogy(cased, "2 * plum - moss")
    plum, moss = (cased[word] / np.linalg.norm(cased[word]) for word in ("plum", "moss"))
    np.testing.assert_allclose(found.vector, 2 * plum - moss, atol=1e-6)


def test_without_the_rule_an_input_word_comes_first(glove: KeyedVectors) -> None:
    honest = pg.analogy(glove, "king - man + woman", exclude_inputs=False)
    assert honest.answers[0].word == "king"
    assert honest.excluded == ()
    assert pg.analogy(glove, "king - man + woman").excluded == ("king", "man", "woman")


def test_input_words_are_no_answers_in_any_case(cased: KeyedVectors) -> None:
    found = pg.analogy(cased, "King - man + woman")
    assert {"king", "King", "KING", "man", "woman"} == set(found.excluded)
    assert not {"king", "King", "KING", "man", "woman"} & {one.word for one in found.answers}
    assert found.answers[0].word == "queen"
    odd_case = KeyedVectors(2)
    odd_case.add_vectors(["iphone", "iPhone", "nokia"], np.float32([[1, 0], [1, 0.1], [1, 0.5]]))
    assert [one.word for one in pg.analogy(odd_case, "iphone").answers] == ["nokia"]


def test_each_word_is_told_how_it_was_read(cased: KeyedVectors) -> None:
    found = pg.analogy(cased, 'Plum + "New York" - kInG')
    assert [one.how for one in found.lookups] == ["case", "joined", "case"]
    assert (found.positive, found.negative) == (("plum", "New_York"), ("king",))
    assert found.expression == 'Plum + "New York" - kInG'


def test_hyphens_belong_to_known_words_and_are_minus_elsewhere(glove: KeyedVectors) -> None:
    assert pg.analogy(glove, "vice-president").positive == ("vice-president",)
    assert pg.analogy(glove, "king-man+woman").answers[0].word == "queen"
    assert pg.analogy(glove, "vice-president-man").negative == ("man",)


def test_only_the_frequent_words_answer_on_demand(glove: KeyedVectors) -> None:
    answers = pg.analogy(glove, "king - man + woman", restrict_vocab=1500).answers
    assert all(glove.key_to_index[one.word] < 1500 for one in answers)
    theirs = glove.most_similar(positive=["king", "woman"], negative=["man"], restrict_vocab=1500)
    assert [one.word for one in answers] == [word for word, _ in theirs]


@pytest.mark.parametrize("formula", ["king - king", "king - 2 * queen - king + 2 * queen"])
def test_a_sum_of_zero_is_near_no_word(glove: KeyedVectors, formula: str) -> None:
    with pytest.raises(pg.PlaygroundError, match="adds up to the zero vector"):
        pg.analogy(glove, formula)


def test_a_word_without_a_direction_is_named_with_its_column() -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["king", "void"], np.float32([[1, 0], [0, 0]]))
    with pytest.raises(pg.PlaygroundError, match=r"'void' \(column 8\) has no direction"):
        pg.analogy(vectors, "king - void")


@pytest.mark.parametrize(
    ("formula", "options", "told"),
    [
        ("king - quen", {}, "I do not know 'quen'.*Near spellings: .*queen"),
        ("king -", {}, "column 6: a word is missing"),
        ("", {}, "The formula is empty"),
        ("king", {"method": "4cosadd"}, "3cosadd or 3cosmul, not '4cosadd'"),
        ("king", {"topn": 0}, "topn must be a whole number of at least 1, not 0"),
        ("king", {"restrict_vocab": True}, "restrict_vocab must be a whole number"),
    ],
)
def test_what_cannot_be_answered_is_named(glove: KeyedVectors, formula: str, options: dict, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.analogy(glove, formula, **options)
