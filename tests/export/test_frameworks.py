"""The code of the attention view, run: NumPy, PyTorch and Keras give what the view shows."""

import os
from importlib.util import find_spec

import numpy as np
import pytest

import playground as pg
from playground.attention.edits import MOST_IN_TEXT, Edit, matrices_to_json, parse_edits
from playground.attention.workbench import LayerRun, Setup, run_layer
from playground.export.frameworks import MATRICES_FILE, frameworks_code

TOKENS = ["the", "dog", "bites", "the", "man"]
STATES = {
    "identity": Setup(),
    "identity heads that do not divide 100": Setup(num_heads=8),
    "random": Setup("random", 4, seed=7),
    "another d_k": Setup("random", 3, d_k=5, seed=1),
    "positions": Setup("random", 2, position_strength=1.0),
    "scaled positions": Setup("random", 2, position_strength=2.5),
    "temperature": Setup("random", 4, temperature=0.5),
    "no scale": Setup("random", 4, scale=False, temperature=3.0),
    "causal": Setup("random", 4, mask="causal"),
    "padding": Setup("random", 2, mask="padding", position_strength=1.0),
    "edits": Setup("random", 2, edits=parse_edits("X[2,3]=4; W_Q[2,1,1]=-1; W_O[1,1]=2; mask[1,3]=0")),
    "a word that may look nowhere": Setup("random", 2, mask="causal", edits=parse_edits("mask[1,1]=0")),
    "an edit beyond the sentence": Setup("random", 2, edits=parse_edits("X[60,1]=1; X[1,1]=1")),
    "hand size": Setup("random", 2, hand_size=4, position_strength=1.0, seed=3),
    "hand size, identity": Setup(hand_size=2, edits=parse_edits("X[1,1]=9")),
}


@pytest.fixture(scope="session")
def keras_here(skip_without) -> None:
    if find_spec("keras") is None or find_spec("torch") is None:
        skip_without("keras", "keras with torch is not installed")
    os.environ.setdefault("KERAS_BACKEND", "torch")


@pytest.fixture
def torch_here(skip_without) -> None:
    if find_spec("torch") is None:
        skip_without("torch", "torch is not installed")


def run_code(glove, setup: Setup, framework: str) -> tuple[LayerRun, np.ndarray, np.ndarray]:
    """Run the text as a reader would, and return the layer that the view shows and the text's two results."""
    shown = run_layer(setup, pg.embed(glove, TOKENS))
    scope: dict[str, object] = {}
    exec(compile(frameworks_code("glove", TOKENS, shown)[framework], framework, "exec"), scope)
    return shown, np.asarray(scope["weights"]), np.asarray(scope["output"])


def assert_same(glove, setup: Setup, framework: str) -> None:
    shown, weights, output = run_code(glove, setup, framework)
    np.testing.assert_allclose(weights, shown.steps.weights, atol=1e-5)
    np.testing.assert_allclose(output, shown.steps.output, atol=1e-5)


@pytest.mark.parametrize("state", STATES)
def test_the_numpy_code_gives_what_the_view_shows(glove, state):
    assert_same(glove, STATES[state], "NumPy")


@pytest.mark.usefixtures("torch_here")
@pytest.mark.parametrize("state", STATES)
def test_the_pytorch_code_gives_what_the_view_shows(glove, state):
    """The text itself asserts that torch.nn.MultiheadAttention agrees, where it can express the layer."""
    assert_same(glove, STATES[state], "PyTorch")


@pytest.mark.usefixtures("keras_here")
@pytest.mark.parametrize("state", STATES)
def test_the_keras_code_gives_what_the_view_shows(glove, state):
    assert_same(glove, STATES[state], "Keras")


def test_the_code_of_learned_heads_gives_what_the_view_shows(glove):
    layer = pg.MultiHeadAttention.learned()
    shown = run_layer(Setup("learned", layer.num_heads, mask="padding"), layer.prepare(glove, TOKENS), layer)
    scope: dict[str, object] = {}
    exec(frameworks_code("glove", TOKENS, shown, "pg.MultiHeadAttention.learned()")["NumPy"], scope)
    np.testing.assert_allclose(scope["output"], shown.steps.output, atol=1e-5)


def test_what_pytorchs_layer_cannot_express_is_said(glove):
    words = pg.embed(glove, TOKENS)
    assert "8 · 13 = 104, not 100" in frameworks_code("glove", TOKENS, run_layer(Setup(num_heads=8), words))["PyTorch"]
    fits = frameworks_code("glove", TOKENS, run_layer(Setup(num_heads=4), words))["PyTorch"]
    assert "module = torch.nn.MultiheadAttention" in fits


def test_many_edits_are_read_from_the_file_that_the_view_gives(glove, tmp_path, monkeypatch):
    many = (*(Edit("X", (1, column), float(column)) for column in range(100)), Edit("W_V", (0, 2, 2), 5.0))
    assert len(many) > MOST_IN_TEXT
    shown = run_layer(Setup(edits=many), pg.embed(glove, TOKENS))
    (tmp_path / MATRICES_FILE).write_text(matrices_to_json(shown.matrices), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert_same(glove, shown.setup, "NumPy")


def test_no_typed_word_becomes_code(glove):
    word = '"] + [__import__("os").getcwd()] + ["'
    for code in frameworks_code("glove", [word], run_layer(Setup(), np.ones((1, 100)))).values():
        assert f"tokens = [{word!r}]" in code
