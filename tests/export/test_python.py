"""Each "As Python" panel, run as it stands, gives the numbers of its view."""

import contextlib
import io

import numpy as np
import pytest

import playground as pg
from playground.export import python
from playground.words.axes import axis, place
from playground.words.forms import word_forms
from playground.words.neighbors import odd_one_out
from playground.words.query import read_query

INJECTION = "king'); raise SystemExit('"


def run(code: str) -> dict:
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "panel", "exec"), names)
    return names


@pytest.mark.parametrize("exclude", [True, False])
@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
@pytest.mark.parametrize("formula", ["king - man + woman", '2 * "red-haired girl" - man'])
def test_the_analogy_panel_gives_the_answers_of_the_view(glove, formula, method, exclude):
    shown = pg.analogy(glove, formula, topn=5, method=method, exclude_inputs=exclude)
    terms = [(term.factor, found.words) for term, found in zip(shown.terms, shown.lookups, strict=True)]
    answers = run(python.analogy_code("glove", terms, method, exclude, 5))["answers"]
    assert [word for word, _ in answers] == [one.word for one in shown.answers]
    assert [score for _, score in answers] == pytest.approx([one.similarity for one in shown.answers], abs=1e-5)


@pytest.mark.parametrize("exclude_forms", [False, True])
@pytest.mark.parametrize("restrict_vocab", [None, 5000])
@pytest.mark.parametrize("text", ["apple", "apple, pear", "king - man"])
def test_the_neighbours_panel_gives_the_neighbours_of_the_view(glove, text, restrict_vocab, exclude_forms):
    query = read_query(glove, text)
    forms = {form for word in query.words for form in word_forms(glove, word)} if exclude_forms else set()
    shown = pg.neighbors(glove, query.vector, 5, exclude={*query.words, *forms}, restrict_vocab=restrict_vocab)
    code = python.query_code("glove", text, query.words, 5, restrict_vocab, exclude_forms)
    answers = run(code)["answers"]
    assert [word for word, _ in answers] == [one.word for one in shown]
    assert [score for _, score in answers] == pytest.approx([one.similarity for one in shown], abs=1e-5)


def test_the_similarity_panels_give_the_cosines_of_the_view(glove):
    cosine = run(python.similarity_code("glove", ["king"], ["queen"]))["cosine"]
    assert cosine == pytest.approx(pg.similarity(glove, "king", "queen"), abs=1e-5)
    words = ["king", "queen", "apple", "red-haired girl"]
    cosines = run(python.similarity_matrix_code("glove", words))["cosines"]
    np.testing.assert_allclose(cosines, pg.similarity_matrix(glove, words), atol=1e-5)


@pytest.mark.parametrize("dims", [2, 3])
def test_the_map_panel_gives_the_points_of_the_view(glove, dims):
    words = ["king", "queen", "man", "woman", "apple"]
    points = run(python.projection_code("glove", words, dims))["points"]
    shown = pg.project(pg.embed(glove, words), dims=dims)
    np.testing.assert_allclose(points, shown.points, atol=1e-5)


def test_the_odd_one_out_panel_gives_the_means_of_the_view(glove):
    words = ["breakfast", "lunch", "dinner", "cereal"]
    means = run(python.odd_one_out_code("glove", words))["means"]
    np.testing.assert_allclose(means, odd_one_out(glove, words).means, atol=1e-5)


def test_the_axes_panel_gives_the_places_of_the_view(glove):
    pairs = [[("poor", "rich"), ("cheap", "expensive")], [("safe", "dangerous")]]
    words = ["king", "beggar", "red-haired girl"]
    names = run(python.axes_code("glove", pairs, words))
    shown = place(glove, words, [axis(glove, one) for one in pairs])
    np.testing.assert_allclose(names["places"], shown.points, atol=1e-5)
    np.testing.assert_allclose(names["left_out"], shown.residual, atol=1e-5)


def test_no_word_can_become_code():
    """The words of the panel are literals: compiled, they are constants and nothing else."""
    for code in (
        python.query_code("glove", INJECTION, [INJECTION], 5, None, False),
        python.similarity_matrix_code("glove", [INJECTION, '"""', "\\", "\n"]),
    ):
        import ast

        constants = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
        assert INJECTION in constants
        assert not any(isinstance(node, ast.Raise) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize("words", [["king"], ["king", "queen"], ["king", "queen", "man"]])
def test_the_map_panel_runs_for_few_words(glove, words):
    points = run(python.projection_code("glove", words, 3))["points"]
    np.testing.assert_allclose(points, pg.project(pg.embed(glove, words), dims=3).points, atol=1e-5)


@pytest.mark.parametrize("dims", [2, 3])
def test_the_tsne_panel_gives_the_points_of_the_view(glove, dims):
    words = ["king", "queen", "man", "woman", "apple", "pear", "dog"]
    points = run(python.projection_code("glove", words, dims, "tsne", 5))["points"]
    shown = pg.project(pg.embed(glove, words), "tsne", dims, seed=5)
    np.testing.assert_allclose(points, shown.points, rtol=1e-4)


@pytest.mark.parametrize("source", ["wordsim353", "simlex999"])
def test_the_panel_of_a_list_of_pairs_gives_the_correlation_of_the_view(glove, source):
    score = run(python.score_code("glove", source, False, 20_000, "3cosadd"))["score"]
    assert score.spearman == pg.score_pairs(glove, source, restrict_vocab=20_000).spearman


def test_the_panel_of_the_analogies_gives_the_accuracy_of_the_view(glove):
    score = run(python.score_code("glove", "google-analogies", True, 3_000, "3cosmul"))["score"]
    assert score.correct == pg.score_analogies(glove, restrict_vocab=3_000, method="3cosmul").correct


@pytest.mark.parametrize(
    "options",
    [
        {"strength": 0.6, "block_diagonal": True, "remove_components": 3, "positions": False},
        {"strength": 0.3, "block_diagonal": False, "remove_components": 0, "positions": True},
    ],
)
def test_the_panel_of_meaning_in_context_gives_weights_and_neighbours_of_the_view(glove, options):
    sentences = [
        (pg.tokenize(glove, text), 0) for text in ("apple company invented phones", "apple pie with fruit juice")
    ]
    results = run(python.context_code("glove", sentences, options))["results"]
    for (tokens, position), (weights, near) in zip(sentences, results, strict=True):
        shown = pg.contextualize(glove, tokens, position, topn=8, **options)
        np.testing.assert_allclose(weights, shown.weights, atol=1e-4)
        assert near == [one.word for one in shown.neighbors_after]


def test_the_panel_of_the_learned_heads_agrees_with_the_library(glove):
    tokens = ["the", "dog", "bites", "the", "man"]
    names = run(python.learned_code(tokens))  # the code itself asserts that the weights are the layer's
    assert names["weights"].shape == (6, 6)
    np.testing.assert_allclose(names["weights"].sum(axis=1), 1, atol=1e-5)
