"""The benchmark of loading compares with gensim, and says when something differs."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "benchmarks" / "loading.py"


@pytest.fixture(scope="module")
def loading() -> ModuleType:
    spec = importlib.util.spec_from_file_location("loading", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("last_row", "code", "told"),
    [
        ("last" + " 1" * 50, 0, "different from gensim's: nothing"),
        # gensim keeps a vector without a direction
        ("zero" + " 0" * 50, 1, "words the first time, vectors the first time, words again, vectors again"),
    ],
)
def test_words_and_vectors_are_compared_with_those_of_gensim(
    loading: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    last_row: str,
    code: int,
    told: str,
) -> None:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
    matrix = np.random.default_rng(0).standard_normal((6000, 50)).round(3)
    rows = [f"w{number} {' '.join(map(str, row))}" for number, row in enumerate(matrix.tolist())]
    file = tmp_path / "vectors.txt"
    file.write_text("\n".join([*rows, last_row]) + "\n")
    # the benchmark runs each part in a process of its own, for the sake of time and memory
    parts = {part: loading._measure(part, file, 3) for part in loading.PARTS[1:]}
    assert loading._print_report(file, parts) == code
    printed = capsys.readouterr().out
    assert "6,001 words of 50 numbers" in printed
    assert printed.splitlines()[-1].endswith(told)


def test_times_are_told_side_by_side(loading: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("one 1 2\ntwo 3 4\n")
    part = {"seconds": 1.0, "memory": 32, "shape": (2, 2), "words": "w", "vectors": "v"}
    timed = part | {"seconds": 0.25, "queries": {"gensim": 0.02, "playground": 0.01}}
    parts = dict(zip(loading.PARTS[1:], (part, timed, timed), strict=True))
    assert loading._print_report(file, parts) == 0
    printed = capsys.readouterr().out
    assert "4.0 times as fast as gensim" in printed and "2.00" in printed
    assert "10.00 ms, most_similar 20.00 ms, ratio 0.50" in printed
