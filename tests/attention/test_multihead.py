"""Several heads: against PyTorch's layer, and in the shapes that its own documentation states."""

import math
from types import ModuleType

import numpy as np
import pytest

import playground as pg
from playground.attention.multihead import join_heads, split_heads


def random_layer(heads: int, d_model: int, d_k: int, d_v: int, seed: int = 0) -> pg.MultiHeadAttention:
    random = np.random.default_rng(seed)
    return pg.MultiHeadAttention(
        random.standard_normal((heads, d_model, d_k)),
        random.standard_normal((heads, d_model, d_k)),
        random.standard_normal((heads, d_model, d_v)),
        random.standard_normal((heads * d_v, d_model)),
    )


def test_two_heads_by_hand() -> None:
    # Two words, d_model = 2, two heads of one number each: head 1 reads column 1, head 2 column 2.
    # W_Q is 0, so all scores are 0, both weights 1/2, and each head gives the mean of its column: 2 and 3.
    # W_O exchanges the two and doubles the second head: output (2·3, 2).
    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    columns = np.array([[[1.0], [0.0]], [[0.0], [1.0]]])
    s = pg.MultiHeadAttention(np.zeros((2, 2, 1)), columns, columns, np.array([[0.0, 1.0], [2.0, 0.0]]))(x)
    np.testing.assert_array_equal(s.key, [[[1], [3]], [[2], [4]]])
    np.testing.assert_array_equal(s.weights, np.full((2, 2, 2), 0.5))
    np.testing.assert_array_equal(s.heads, [[[2], [2]], [[3], [3]]])
    np.testing.assert_array_equal(s.concat, [[2, 3], [2, 3]])
    np.testing.assert_array_equal(s.output, [[6, 2], [6, 2]])


def test_the_identity_layer_looks_with_the_words_themselves() -> None:
    x = np.array([[1.0, 0.0], [1.0, 1.0]])
    s = pg.MultiHeadAttention.identity(2)(x)
    np.testing.assert_array_equal(s.query[0], x)
    np.testing.assert_array_equal(s.scores[0], [[1, 1], [1, 2]])
    # Row 2: 1 and e^(1/√2) = 2.028115, over 3.028115
    np.testing.assert_allclose(s.weights[0], [[0.5, 0.5], [0.330238, 0.669762]], atol=1e-6)
    np.testing.assert_allclose(s.output, [[1, 0.5], [1, 0.669762]], atol=1e-6)


@pytest.mark.parametrize(("d_model", "heads"), [(6, 1), (6, 2), (6, 6), (7, 3), (4, 3), (100, 8)])
def test_identity_heads_side_by_side_are_the_words(d_model: int, heads: int) -> None:
    layer = pg.MultiHeadAttention.identity(d_model, heads)
    x = np.random.default_rng(1).standard_normal((5, d_model))
    only_itself = layer(x, attn_mask=np.eye(5, dtype=bool))
    assert only_itself.concat.shape == (5, heads * math.ceil(d_model / heads))
    np.testing.assert_allclose(only_itself.output, x, atol=1e-12)


def test_shapes_are_those_of_the_documentation() -> None:
    s = random_layer(heads=3, d_model=6, d_k=4, d_v=5)(np.ones((2, 7, 6)))
    assert s.query.shape == s.key.shape == (2, 3, 7, 4)
    assert s.value.shape == s.heads.shape == (2, 3, 7, 5)
    assert s.scores.shape == s.scaled.shape == s.weights.shape == (2, 3, 7, 7)
    assert s.concat.shape == (2, 7, 15)
    assert s.output.shape == s.x.shape == (2, 7, 6)


def test_the_scores_are_divided_by_the_root_of_one_heads_width() -> None:
    s = random_layer(heads=2, d_model=8, d_k=3, d_v=4)(np.random.default_rng(2).standard_normal((4, 8)))
    np.testing.assert_allclose(s.scores / s.scaled, math.sqrt(3))


def test_a_batch_gives_what_each_sentence_gives_alone() -> None:
    layer = random_layer(heads=2, d_model=4, d_k=3, d_v=2)
    x = np.random.default_rng(3).standard_normal((5, 6, 4))
    together = layer(x, is_causal=True)
    for sentence, output in zip(x, together.output, strict=True):
        np.testing.assert_allclose(layer(sentence, is_causal=True).output, output)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_broken_padding_word_is_blocked_without_a_warning(broken: float) -> None:
    layer = pg.MultiHeadAttention.random(4, 2, seed=3)
    x = np.random.default_rng(4).standard_normal((3, 4)).astype(np.float32)
    padded = np.vstack([x, np.full((1, 4), broken, dtype=np.float32)])
    mask = np.array([True, True, True, False])
    np.testing.assert_allclose(layer(padded, attn_mask=mask).output[:3], layer(x).output, rtol=1e-5)


def test_heads_are_cut_by_columns_and_joined_again() -> None:
    x = np.arange(12).reshape(2, 6)
    np.testing.assert_array_equal(split_heads(x, 3), [[[0, 1], [6, 7]], [[2, 3], [8, 9]], [[4, 5], [10, 11]]])
    batch = np.arange(2 * 5 * 6).reshape(2, 5, 6)
    np.testing.assert_array_equal(join_heads(split_heads(batch, 2)), batch)
    with pytest.raises(pg.PlaygroundError, match="6 columns cannot be cut into 4"):
        split_heads(x, 4)


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        (((4, 3), (2, 4, 3), (2, 4, 3), (6, 4)), r"w_q must have shape \(h, d_model, d\), not \(4, 3\)"),
        (((2, 4, 3), (2, 4, 2), (2, 4, 3), (6, 4)), r"\(2, 4, 3\), \(2, 4, 2\)"),
        (((2, 4, 3), (2, 4, 3), (3, 4, 3), (6, 4)), "w_v the same h and d_model"),
        (((2, 4, 3), (2, 4, 3), (2, 4, 5), (6, 4)), r"w_o must have shape .* \(10, 4\), not \(6, 4\)"),
    ],
)
def test_projections_that_do_not_fit_are_named(shapes: tuple, told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.MultiHeadAttention(*(np.ones(shape) for shape in shapes))


@pytest.mark.parametrize("x", [np.ones((3, 5)), np.ones(4), np.ones((0,))])
def test_words_of_another_width_are_refused(x: np.ndarray) -> None:
    with pytest.raises(pg.PlaygroundError, match=r"X must have shape \(\.\.\., n, 4\)"):
        pg.MultiHeadAttention.identity(4)(x)


@pytest.mark.parametrize("mask", ["none", "causal", "bool", "float", "padding", "one for each head"])
@pytest.mark.parametrize(("batch", "n", "d_model", "heads"), [(1, 3, 4, 2), (3, 5, 12, 4), (2, 7, 6, 1)])
def test_it_agrees_with_pytorchs_layer(
    torch: ModuleType, batch: int, n: int, d_model: int, heads: int, mask: str
) -> None:
    random = np.random.default_rng(6)
    x = random.standard_normal((batch, n, d_model))
    width = d_model // heads
    theirs = torch.nn.MultiheadAttention(d_model, heads, bias=False, batch_first=True, dtype=torch.float64)
    w_q, w_k, w_v = (  # PyTorch keeps the three transposed and on top of each other: (3 · d_model, d_model)
        part.T.reshape(d_model, heads, width).transpose(1, 0, 2)
        for part in theirs.in_proj_weight.detach().numpy().reshape(3, d_model, d_model)
    )
    ours = pg.MultiHeadAttention(w_q, w_k, w_v, theirs.out_proj.weight.detach().numpy().T)

    allowed = random.random((batch, heads, n, n)) < 0.6
    allowed[..., 0] = True
    added = random.standard_normal((n, n))
    blocked = torch.from_numpy(~allowed)  # in this layer of PyTorch True means blocked
    options, their_options = {
        "none": ({}, {}),
        "causal": (
            {"is_causal": True},
            {"attn_mask": torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)},
        ),
        "bool": ({"attn_mask": allowed[0, 0]}, {"attn_mask": blocked[0, 0]}),
        "float": ({"attn_mask": added}, {"attn_mask": torch.from_numpy(added)}),
        "padding": (
            {"attn_mask": allowed[:, :1, :1]},
            {"key_padding_mask": blocked[:, 0, 0]},
        ),
        "one for each head": ({"attn_mask": allowed}, {"attn_mask": blocked.reshape(batch * heads, n, n)}),
    }[mask]
    steps = ours(x, **options)
    tensor = torch.from_numpy(x)
    with torch.no_grad():
        output, weights = theirs(tensor, tensor, tensor, average_attn_weights=False, **their_options)
    np.testing.assert_allclose(steps.weights, weights.numpy(), atol=1e-12)
    np.testing.assert_allclose(steps.output, output.numpy(), atol=1e-12)
