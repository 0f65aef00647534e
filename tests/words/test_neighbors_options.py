"""Which words may be neighbours, which are mutual, what two lists share, and the odd one out."""

import itertools

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg


def by_angle(**degrees: float) -> KeyedVectors:
    """Words as directions in a plane."""
    angles = np.radians(list(degrees.values()))
    vectors = KeyedVectors(2)
    vectors.add_vectors(list(degrees), np.float32(np.stack([np.cos(angles), np.sin(angles)], axis=1)))
    return vectors


def test_a_neighbour_has_its_place_in_the_vocabulary(glove: KeyedVectors) -> None:
    for one in pg.neighbors(glove, "king", topn=20):
        assert glove.index_to_key[one.frequency_rank - 1] == one.word
    assert pg.neighbors(by_angle(a=0, b=10, c=30), "c", topn=1) == [
        pg.Neighbor("b", pytest.approx(np.cos(np.radians(20))), 2)
    ]


def test_several_words_stand_for_the_mean_of_their_directions() -> None:
    vectors = by_angle(zero=0, ninety=90, forty=40, fifty=60, far=200)
    vectors.vectors[0] *= 100  # a long vector counts no more than a short one
    vectors.fill_norms(force=True)
    near = pg.neighbors(vectors, ["zero", "ninety"], topn=2)
    assert [one.word for one in near] == ["forty", "fifty"]  # 5 and 15 degrees from the mean at 45
    np.testing.assert_allclose([one.similarity for one in near], np.cos(np.radians([5, 15])), atol=1e-6)


def test_several_words_are_as_gensim_adds_them(glove: KeyedVectors) -> None:
    theirs = glove.most_similar(positive=["apple", "pear", "plum"], topn=10)
    assert [one.word for one in pg.neighbors(glove, ["apple", "pear", "plum"])] == [word for word, _ in theirs]


@pytest.mark.parametrize("words", [[], ["king", " "], ["king", "qqqq"]])
def test_no_words_or_an_unknown_one_have_no_mean(glove: KeyedVectors, words: list[str]) -> None:
    with pytest.raises(pg.PlaygroundError):
        pg.neighbors(glove, words)


def test_a_formula_has_neighbours_through_its_vector(glove: KeyedVectors) -> None:
    formula = pg.analogy(glove, "king - man + woman")
    found = pg.neighbors(glove, formula.vector, exclude=formula.excluded)
    assert [one.word for one in found] == [one.word for one in formula.answers]
    np.testing.assert_allclose([a.similarity for a in found], [b.similarity for b in formula.answers], atol=1e-6)


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("city", {"cities"}),
        ("cities", {"city"}),
        ("bake", {"bakes", "baked", "baking"}),
        ("baking", {"bake", "bakes", "baked"}),
        ("stopped", {"stop", "stops", "stopping"}),
        ("open", {"opens", "opened", "opening"}),
        ("king", {"kings"}),
        ("princess", {"princesses"}),
        ("go", {"goes", "gos", "going"}),
        ("queen's", {"queen", "queens"}),
        ("Apple", {"apple", "apples"}),
        ("car", {"cars"}),
        ("spring", {"springs", "springing"}),
        ("news", {"new"}),  # the rule knows letters and no meaning, as its docstring says
        ("man", {"mans", "manned", "manning"}),  # and no irregular plural
        ("2024", set()),
        ("qqqq", set()),
    ],
)
def test_the_forms_of_a_word_follow_english_spelling(glove: KeyedVectors, word: str, forms: set[str]) -> None:
    assert set(pg.word_forms(glove, word)) == forms


def test_words_in_other_capitals_are_forms(cased: KeyedVectors, zh: KeyedVectors) -> None:
    assert set(pg.word_forms(cased, "king")) == {"King", "KING"}
    assert set(pg.word_forms(cased, "KING")) == {"king", "King"}
    assert pg.word_forms(zh, "中国") == ()


def test_own_forms_can_be_left_out(glove: KeyedVectors, cased: KeyedVectors) -> None:
    plain = [one.word for one in pg.neighbors(glove, "stopped", topn=10)]
    without = [one.word for one in pg.neighbors(glove, "stopped", topn=10, exclude_forms=True)]
    assert {"stop", "stopping"} <= set(plain)
    assert not {"stop", "stopping", "stops"} & set(without)
    assert [word for word in plain if word in without] == without[: len(set(plain) & set(without))]
    assert pg.neighbors(cased, "king", topn=1)[0].word == "King"
    assert pg.neighbors(cased, "king", topn=1, exclude_forms=True)[0].word == "man"


@pytest.mark.parametrize("word", ["king", "apple", "the", "u.s."])
@pytest.mark.parametrize("limit", [None, 20_000])
def test_mutual_neighbours_have_the_word_in_their_own_list(glove: KeyedVectors, word: str, limit: int | None) -> None:
    found = pg.neighbors(glove, word, restrict_vocab=limit)
    lists = [dict(glove.most_similar(one.word, topn=10, restrict_vocab=limit)) for one in found]
    assert pg.are_mutual(glove, word, found, restrict_vocab=limit) == [word in one for one in lists]


def test_mutual_by_hand() -> None:
    vectors = by_angle(q=0, a=10, b=12, c=-20)
    first = pg.neighbors(vectors, "q", topn=1)
    assert [one.word for one in first] == ["a"]
    assert pg.are_mutual(vectors, "q", first) == [False]  # b is nearer to a than q is
    two = pg.neighbors(vectors, "q", topn=2)
    assert pg.are_mutual(vectors, "q", two) == [True, True]
    assert pg.are_mutual(vectors, "q", []) == []
    assert pg.are_mutual(vectors, np.array([1.0, 0.0]), first) == [False]  # a vector can be asked about too


def test_forms_take_no_place_in_mutual_lists() -> None:
    vectors = by_angle(cat=0, dog=10, dogs=12)
    found = pg.neighbors(vectors, "cat", topn=1, exclude_forms=True)
    assert pg.are_mutual(vectors, "cat", found) == [False]
    assert pg.are_mutual(vectors, "cat", found, exclude_forms=True) == [True]


def test_the_overlap_of_two_lists() -> None:
    first = [pg.Neighbor(word, 0.5, 1) for word in ("Queen", "prince", "crown", "throne")]
    second = [pg.Neighbor(word, 0.9, 7) for word in ("queen", "monarch", "PRINCE")]
    found = pg.overlap(first, second)
    assert found == pg.Overlap(("Queen", "prince"), ("crown", "throne"), ("monarch",), 0.5)
    assert pg.overlap(first, first).share == 1
    assert pg.overlap(first, []).share == pg.overlap([], []).share == 0


def test_two_models_share_neighbours(glove: KeyedVectors) -> None:
    smaller = pg.load(limit=20_000)
    found = pg.overlap(pg.neighbors(glove, "king"), pg.neighbors(smaller, "king"))
    assert found.shared == tuple(one.word for one in pg.neighbors(glove, "king") if one.frequency_rank <= 20_000)


def test_the_odd_one_out_by_hand() -> None:
    odd = pg.odd_one_out(by_angle(a=0, b=20, c=60), ["a", "b", "c"])
    cosine = {gap: np.cos(np.radians(gap)) for gap in (20, 40, 60)}
    means = [(cosine[20] + cosine[60]) / 2, (cosine[20] + cosine[40]) / 2, (cosine[40] + cosine[60]) / 2]
    assert (odd.word, odd.words) == ("c", ("a", "b", "c"))
    np.testing.assert_allclose(odd.means, means, atol=1e-7)
    assert odd.margin == pytest.approx(means[0] - means[2])


@pytest.mark.parametrize("words", ["breakfast cereal dinner lunch", "cat dog king horse", "paris london apple rome"])
def test_the_odd_one_out_is_that_of_gensim(glove: KeyedVectors, words: str) -> None:
    assert pg.odd_one_out(glove, words.split()).word == glove.doesnt_match(words.split())


def test_the_order_of_the_words_does_not_matter(glove: KeyedVectors) -> None:
    words = ["cat", "dog", "horse", "apple"]
    assert {pg.odd_one_out(glove, order).word for order in itertools.permutations(words)} == {"apple"}


def test_a_word_given_twice_counts_once(glove: KeyedVectors) -> None:
    odd = pg.odd_one_out(glove, ["king", "King", "queen", "apple", "apple"])
    assert odd.words == ("king", "queen", "apple")
    assert odd.word == "apple"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "here are 0"),
        (["king"], "here are 1"),
        (["king", "queen"], "at least three different words, and here are 2"),
        (["king", "king", "King", "queen"], "here are 2"),
        (["king", "queen", ""], "The word is empty"),
        (["king", "queen", "  "], "The word is empty"),
        (["king", "queen", "applle"], "I do not know 'applle'.*apple"),
        (["king", "queen", "x" * 10_000], "I do not know"),
        (["king", "queen", "שלום"], "I do not know 'שלום'"),
        (["king", "queen", "🙂"], "I do not know '🙂'"),
        (["king", "queen", "<b>x</b>"], "I do not know '<b>x</b>'"),
        (["king", "queen", 3], "A word must be text, not int"),
        ("king queen apple", "takes a list of words"),
    ],
)
def test_too_few_or_unknown_words_have_no_odd_one(glove: KeyedVectors, words: list[str], told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told) as caught:
        pg.odd_one_out(glove, words)
    assert len(str(caught.value)) < 300


def test_five_thousand_words_have_an_odd_one(glove: KeyedVectors) -> None:
    odd = pg.odd_one_out(glove, glove.index_to_key[:5000])
    assert odd.means.shape == (5000,) and odd.word == odd.words[int(odd.means.argmin())]
