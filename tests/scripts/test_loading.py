"""The benchmark of loading compares with gensim, and says when something differs."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def test_words_and_vectors_are_compared_with_those_of_gensim(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).standard_normal((6000, 50)).round(3)
    rows = [f"w{number} {' '.join(map(str, row))}" for number, row in enumerate(matrix.tolist())]
    # gensim keeps a vector without a direction
    file = tmp_path / "vectors.txt"
    file.write_text("\n".join([*rows, "zero" + " 0" * 50]) + "\n")
    command = [sys.executable, str(SCRIPTS / "benchmark.py"), "loading", "--vectors", str(file), "--rounds", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (1, "")
    assert "6,001 words of 50 numbers" in done.stdout
    assert done.stdout.splitlines()[-1].endswith(
        "words the first time, vectors the first time, words again, vectors again"
    )


def test_what_is_equal_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("loading", SCRIPTS / "benchmarks" / "loading.py")
    assert spec is not None and spec.loader is not None
    loading = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loading)
    file = tmp_path / "vectors.txt"
    file.write_text("one 1 2\ntwo 3 4\n")
    part = {"seconds": 1.0, "memory": 100, "shape": (2, 2), "words": "w", "vectors": "v"}
    timed = part | {"queries": {"gensim": 0.02, "playground": 0.01}}
    parts = dict(zip(loading.PARTS[1:], (part, timed, timed), strict=True))
    assert loading._print_report(file, parts) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("different from gensim's: nothing\n")
    assert "10.00 ms, most_similar 20.00 ms, ratio 0.50" in printed
