"""The face of the library: light to import, whole, and its parts apart from each other."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import playground as pg

PACKAGE = Path(pg.__file__).resolve().parent


def run(script: str) -> str:
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True).stdout.strip()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def files(folder: str = "") -> list[Path]:
    return sorted((PACKAGE / folder).rglob("*.py"))


def importers(module: str, among: list[Path]) -> list[str]:
    return [
        str(path.relative_to(PACKAGE))
        for path in among
        if any(name == module or name.startswith(module + ".") for name in imported(path))
    ]


def test_importing_the_library_loads_no_heavy_module() -> None:
    heavy = "numpy gensim scipy sklearn streamlit pandas plotly altair"
    script = f"import sys, playground; print([name for name in {heavy.split()} if name in sys.modules])"
    assert run(script) == "[]"


def test_attention_needs_neither_gensim_nor_scikit_learn() -> None:
    script = "import sys, playground as pg; pg.MultiHeadAttention; pg.sinusoidal_positions; pg.softmax"
    assert run(f"{script}; print('numpy' in sys.modules, 'gensim' in sys.modules, 'sklearn' in sys.modules)") == (
        "True False False"
    )


@pytest.mark.parametrize("name", pg.__all__)
def test_every_public_name_is_there_with_a_docstring(name: str) -> None:
    value = getattr(pg, name)
    assert value.__name__ == name
    assert value.__doc__
    assert name in dir(pg)


def test_type_checkers_see_the_same_names() -> None:
    guarded = next(node for node in tree(PACKAGE / "__init__.py").body if isinstance(node, ast.If))
    named = {alias.asname: f"{node.module}" for node in guarded.body for alias in node.names}
    assert set(named) == set(pg.__all__)
    for name, module in named.items():
        assert getattr(pg, name) is getattr(sys.modules[module], name)


def test_what_the_issue_promises_is_public() -> None:
    words = {
        "load",
        "catalog",
        "embed",
        "tokenize",
        "lookup",
        "neighbors",
        "similarity",
        "similarity_matrix",
        "analogy",
    }
    attention = {"sinusoidal_positions", "softmax", "scaled_dot_product_attention", "MultiHeadAttention"}
    assert words | attention | {"project", "PlaygroundError"} <= set(pg.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'playground' has no attribute 'nonsense'"):
        pg.nonsense  # noqa: B018


def test_words_and_attention_do_not_know_each_other() -> None:
    assert importers("playground.attention", files("words")) == []
    assert importers("playground.words", files("attention")) == []


def test_attention_is_numpy_alone() -> None:
    for module in ("gensim", "sklearn", "scipy", "pandas", "streamlit", "altair", "plotly", "torch"):
        assert importers(module, files("attention")) == []


def test_nothing_but_the_app_knows_streamlit_and_the_app_is_known_by_the_command_alone() -> None:
    assert all(path.startswith("app/") for path in map(Path.as_posix, map(Path, importers("streamlit", files()))))
    outside = [path for path in files() if "app" not in path.relative_to(PACKAGE).parts]
    assert importers("playground.app", outside) == ["cli.py"]


def test_nothing_below_imports_what_stands_above() -> None:
    assert importers("playground.export", files("words") + files("attention") + files("plots")) == []
    assert importers("playground.plots", files("words") + files("attention")) == []


def test_the_library_runs_no_text_as_code_and_unpickles_nothing() -> None:
    for path in files():
        calls = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        assert not [call.id for call in calls if isinstance(call, ast.Name) and call.id in ("eval", "exec")]
        assert not {"pickle", "shelve", "marshal", "dill", "joblib"} & imported(path)


def test_errors_are_value_errors_with_a_message() -> None:
    error = pg.UnknownWordError("quen", ("queen", "quin"))
    assert isinstance(error, pg.PlaygroundError) and isinstance(error, ValueError)
    assert str(error) == "I do not know 'quen': these vectors do not hold it. Near spellings: queen, quin."
    assert len(str(pg.UnknownWordError("x" * 10_000))) < 150
