"""The script that teaches the heads, on a treebank of a few sentences written by hand."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from playground.attention.learned import load_learned

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "train_heads.py"
# subject, verb, article, adjective, object, preposition, place
PLAN = [(2, "nsubj"), (0, "root"), (5, "det"), (5, "amod"), (2, "obj"), (7, "case"), (2, "obl")]
TAGS = ["PRON", "VERB", "DET", "ADJ", "NOUN", "ADP", "NOUN"]
SENTENCES = ["she sees a red car in town", "he buys the old house near London", "they eat a big cake at 7"]


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    folder = tmp_path / "treebank"
    folder.mkdir()
    lines = []
    for sentence in SENTENCES:
        for number, (word, tag, (head, relation)) in enumerate(zip(sentence.split(), TAGS, PLAN, strict=True), 1):
            lines.append(f"{number}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    text = "\n".join(lines) + "\n"
    (folder / "small-train.conllu").write_text(text * 4, encoding="utf-8")
    (folder / "small-dev.conllu").write_text(text, encoding="utf-8")
    return folder


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, encoding="utf-8", env=environment
    )


def test_it_writes_the_layer_its_card_and_its_entry(treebank: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    shutil.copyfile(ROOT / "data" / "manifest.json", data / "manifest.json")
    before = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    options = ("--treebank", str(treebank), "--data", str(data), "--date", "2001-02-03")

    first = run(*options)
    assert first.returncode == 0, first.stderr
    content = (data / "heads" / "layer.npz").read_bytes()
    again = run(*options)
    assert (data / "heads" / "layer.npz").read_bytes() == content
    assert again.stdout == first.stdout

    after = json.loads((data / "manifest.json").read_text(encoding="utf-8"))
    assert {key: after[key] for key in before if key != "heads"} == {
        key: before[key] for key in before if key != "heads"
    }
    weights, start, card = load_learned(data)  # which checks the SHA-256
    assert [array.shape for array in weights] == [(8, 100, 32), (8, 100, 32), (8, 100, 32), (256, 100)]
    assert np.isfinite(start).all()
    assert (card.train_sentences, card.test_sentences, card.date) == (12, 3, "2001-02-03")
    assert "mean" in first.stdout and "100%" in first.stderr and "s left" in first.stderr
    # It has learnt these very sentences by heart.
    assert card.mean_accuracy > 0.9
    offsets = {head.name: (head.best_offset, head.offset_accuracy, head.examples) for head in card.heads}
    assert offsets["object → verb"] == (-3, 1.0, 3)
    assert offsets["determiner → noun"] == (2, 1.0, 3)
    assert offsets["previous word"] == (-1, 1.0, 18)


def test_a_folder_without_a_treebank_is_named(tmp_path: Path) -> None:
    result = run("--treebank", str(tmp_path))
    assert result.returncode == 1
    assert "holds no file *train*.conllu" in result.stderr
    assert "Traceback" not in result.stderr
