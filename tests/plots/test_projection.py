"""Pictures of vectors: PCA as scikit-learn's, its signs fixed, and little data said to be little."""

from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg

CASES = Path(__file__).resolve().parents[1] / "cases"
FAMILY = ["king", "queen", "man", "woman", "prince", "princess", "boy", "girl", "father", "mother"]


def case(name: str) -> np.ndarray:
    return np.load(CASES / f"{name}.npz", allow_pickle=False)["X"]


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_pca_is_that_of_scikit_learn_but_for_the_signs(glove: KeyedVectors, dims: int) -> None:
    from sklearn.decomposition import PCA

    x = pg.embed(glove, FAMILY)
    ours, theirs = pg.project(x, dims=dims), PCA(dims, svd_solver="full").fit(x.astype(np.float64))
    signs = np.sign(np.sum(ours.components * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.components, theirs.components_ * signs[:, None], atol=1e-9)
    np.testing.assert_allclose(ours.points, theirs.transform(x) * signs, atol=1e-5)
    np.testing.assert_allclose(ours.explained_variance_ratio, theirs.explained_variance_ratio_, atol=1e-9)
    np.testing.assert_allclose(ours.mean, x.mean(axis=0), atol=1e-6)
    assert ours.note == ""


def test_shares_of_variance_by_hand() -> None:
    # Two axes at right angles: variances 2·3²/3 and 2·1²/3, so 0.9 and 0.1 of the whole.
    found = pg.project(np.array([[3, 0], [-3, 0], [0, 1], [0, -1]]))
    np.testing.assert_allclose(found.explained_variance_ratio, [0.9, 0.1])
    np.testing.assert_allclose(found.points, [[3, 0], [-3, 0], [0, 1], [0, -1]], atol=1e-12)


def test_the_largest_loading_of_each_axis_is_positive(glove: KeyedVectors) -> None:
    for x in (case("p05_sign"), -case("p05_sign"), pg.embed(glove, FAMILY)):
        axes = pg.project(x, dims=3).components
        assert (axes.max(axis=1) == np.abs(axes).max(axis=1)).all()


def test_signs_do_not_depend_on_the_solver_nor_turn_with_one_word_more() -> None:
    x = case("p05_sign")
    axes = pg.project(x).components
    # scikit-learn turns both axes of these rows over when the eighth comes.
    assert (np.sum(pg.project(x[:7]).components * axes, axis=1) > 0).all()
    # The order of the rows, and all of them twice, change what a solver meets, but not the axes.
    for other in (x[::-1], np.vstack([x, x])):
        np.testing.assert_allclose(pg.project(other).components, axes, atol=1e-9)


def test_of_equally_large_loadings_the_first_is_positive() -> None:
    # All four loadings are 1/2 but for rounding; scikit-learn's sign then changes with the size of the numbers.
    along = np.array([1.0, -1.0, 1.0, -1.0])
    for size in (1, 1 / 3, 0.1, 7, 0.7, -0.7):
        axis = pg.project(size * np.outer([1.0, 2.0, 4.0, 7.0], along)).components[0]
        np.testing.assert_allclose(axis, along / 2, atol=1e-9)


def test_two_words_spread_along_one_axis() -> None:
    x = case("p01_two_words")
    found = pg.project(x, dims=3)
    np.testing.assert_allclose(np.abs(found.points[:, 0]), np.linalg.norm(x[0] - x[1]) / 2)
    np.testing.assert_array_equal(found.points[:, 1:], 0)
    np.testing.assert_allclose(found.explained_variance_ratio, [1, 0, 0])
    assert found.note == "2 words spread along 1 axis only."


def test_words_on_a_line_spread_along_one_axis() -> None:
    found = pg.project(case("p06_collinear"))
    # Steps of (1, 2, 3, 4), whose length is √30 = 5.477226.
    np.testing.assert_allclose(found.points[:, 0], 5.477226 * np.arange(-2, 3), atol=1e-5)
    np.testing.assert_array_equal(found.points[:, 1], 0)
    assert found.note == "5 words spread along 1 axis only."


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_one_word_and_identical_words_have_no_spread(method: str) -> None:
    for x in (np.ones((1, 5)), np.full((4, 5), 0.1), np.zeros((6, 3)), np.full((5, 2), 1e30)):
        found = pg.project(x, method=method, dims=3)
        np.testing.assert_array_equal(found.points, np.zeros((len(x), 3)))
        assert ("no spread" if method == "pca" else "at least four different words") in found.note


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_a_row_that_is_not_finite_is_named(method: str) -> None:
    with pytest.raises(pg.PlaygroundError, match="Row 3 of 5 is not finite"):
        pg.project(case("p04_nan"), method=method)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_the_size_of_the_numbers_does_not_matter(size: float) -> None:
    x = case("p05_sign")
    np.testing.assert_allclose(pg.project(x * size).points / size, pg.project(x).points, atol=1e-9)


def test_tsne_is_the_same_for_the_same_seed(glove: KeyedVectors) -> None:
    x = pg.embed(glove, FAMILY)
    first, again = (pg.project(x, method="tsne", seed=3) for _ in range(2))
    assert first.points.shape == (10, 2)
    assert np.isfinite(first.points).all()
    np.testing.assert_array_equal(first.points, again.points)
    assert first.explained_variance_ratio is None
    assert first.note == ""


def test_tsne_of_too_few_words_or_columns_is_pca_and_says_so() -> None:
    for x, dims in ((case("p05_sign")[:3], 2), (case("p05_sign")[:, :2], 3)):
        found = pg.project(x, method="tsne", dims=dims)
        np.testing.assert_array_equal(found.points, pg.project(x, dims=dims).points)
        assert found.note.endswith("this is PCA.")


@pytest.mark.parametrize(
    ("x", "options", "told"),
    [
        (np.ones(4), {}, r"needs a matrix \(n, d\)"),
        (np.empty((0, 4)), {}, "at least one row"),
        (np.eye(4), {"dims": 4}, "1, 2 or 3 dimensions, not 4"),
        (np.eye(4), {"dims": 2.0}, "1, 2 or 3 dimensions, not 2.0"),
        (np.eye(4), {"dims": True}, "1, 2 or 3 dimensions"),
        (np.eye(4), {"method": "umap"}, "pca or tsne, not 'umap'"),
        (np.eye(4), {"method": "tsne", "seed": -1}, "seed must be a whole number"),
    ],
)
def test_what_cannot_be_projected_is_named(x: np.ndarray, options: dict, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.project(x, **options)
