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
