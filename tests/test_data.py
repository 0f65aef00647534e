"""The bundled word vectors are what their manifest says, and the script that made them notices damage."""

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
SCRIPT = ROOT / "scripts" / "build_vectors.py"
SETS = {"glove": 110_000, "zh": 50_000}
FILES = [f"{key}/{file}" for key in SETS for file in ("vectors.npy", "words.txt")]

Loaded = dict[str, tuple[list[str], np.ndarray]]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_vectors", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # dataclasses looks its module up by name.
    sys.modules["build_vectors"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def manifest() -> dict:
    return json.loads((DATA / "manifest.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    def load(key: str) -> tuple[list[str], np.ndarray]:
        words = (DATA / key / "words.txt").read_bytes().decode("utf-8")
        assert words.endswith("\n")
        return words.removesuffix("\n").split("\n"), np.load(DATA / key / "vectors.npy", allow_pickle=False)

    return {key: load(key) for key in SETS}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in ["manifest.json", *FILES]:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copyfile(DATA / file, tmp_path / file)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    kept = {key: manifest[key] for key in SETS}
    (tmp_path / "manifest.json").write_text(json.dumps(kept), "utf-8")
    return tmp_path


def answer(table: tuple[list[str], np.ndarray], expression: str) -> tuple[str, float]:
    """3CosAdd over unit vectors, as gensim does it: `a - b + c`."""
    words, rows = table
    unit = rows.astype(np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    first, _, minus, _, plus = expression.split()
    inputs = [words.index(word) for word in (first, minus, plus)]
    target = unit[inputs[0]] - unit[inputs[1]] + unit[inputs[2]]
    cosines = unit @ (target / np.linalg.norm(target))
    cosines[inputs] = -1
    best = int(cosines.argmax())
    return words[best], float(cosines[best])


@pytest.mark.parametrize("file", FILES)
def test_files_are_those_of_the_manifest(manifest: dict, file: str) -> None:
    key, name = file.split("/")
    assert hashlib.sha256((DATA / file).read_bytes()).hexdigest() == manifest[key]["files"][name]


@pytest.mark.parametrize("key", SETS)
def test_manifest_tells_where_the_data_comes_from(manifest: dict, key: str) -> None:
    entry = manifest[key]
    assert (entry["words"], entry["dimensions"]) == (SETS[key], 100)
    assert all(entry[field] for field in ("name", "language", "licence", "citation", "date", "command"))
    for source in entry["sources"]:
        assert source["registry"] in {"npm", "PyPI"}
        assert source["package"] and source["version"] and len(source["sha256"]) == 64


@pytest.mark.parametrize("key", SETS)
def test_words_and_rows_fit_together(loaded: Loaded, key: str) -> None:
    words, rows = loaded[key]
    assert rows.shape == (SETS[key], 100)
    assert rows.dtype == np.float16
    assert len(words) == len(set(words)) == SETS[key]
    assert not [word for word in words if not word or any(character.isspace() for character in word)]


@pytest.mark.parametrize("key", SETS)
def test_every_row_has_a_direction(loaded: Loaded, key: str) -> None:
    rows = loaded[key][1]
    assert np.isfinite(rows).all()
    assert rows.any(axis=1).all()


def test_english_words_stand_at_their_ranks(loaded: Loaded) -> None:
    words = loaded["glove"][0]
    assert words[:14] == ["the", ",", ".", "of", "to", "and", "in", "a", '"', "'s", "for", "-", "that", "on"]
    ranks = {"''": 27, "``": 28, "i": 41, "'": 57, "--": 65, "n't": 70, "u.s.": 99, "so": 100}
    assert {word: words.index(word) for word in ranks} == ranks
    assert words.index("bitcoin") == 102_963


def test_english_vectors_are_those_of_glove(loaded: Loaded) -> None:
    words, rows = loaded["glove"]
    # The beginning of the first line of glove.6B.100d.txt, and of the one for "a", from the second package.
    assert rows[0, :4].tolist() == np.float16([-0.038194, -0.24487, 0.72812, -0.39961]).tolist()
    assert rows[words.index("a"), :3].tolist() == np.float16([-0.27086, 0.044006, -0.02026]).tolist()


def test_chinese_words_are_words(loaded: Loaded, script: ModuleType) -> None:
    words = loaded["zh"][0]
    assert words[:4] == ["月", "中", "中国", "位于"]
    assert {"苹果", "公司", "手机", "发明", "父亲", "巴黎", "NBA", "约翰", "19世纪", "R&B", "%"} <= set(words)
    assert not [word for word in words if any(character in "<>=_#（）；" for character in word)]
    assert all(script.is_word(word) for word in words)


@pytest.mark.parametrize(
    "token",
    ["</s>", "<doc", "url", "title", "curid", "formula_", "colspan", "F-", "约翰·", "-", "日\u3000", ""],
)
def test_markup_is_no_word(script: ModuleType, token: str) -> None:
    assert not script.is_word(token)


@pytest.mark.parametrize(
    ("key", "expression", "word", "cosine"),
    [
        ("glove", "king - man + woman", "queen", 0.7699),
        ("zh", "父亲 - 男人 + 女人", "母亲", 0.8775),
        ("zh", "东京 - 日本 + 法国", "巴黎", 0.8927),
    ],
)
def test_known_analogies(loaded: Loaded, key: str, expression: str, word: str, cosine: float) -> None:
    found, similarity = answer(loaded[key], expression)
    assert found == word
    assert similarity == pytest.approx(cosine, abs=1e-3)


def test_check_passes_on_the_bundled_data() -> None:
    result = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("file", FILES)
def test_check_names_the_damaged_file(script: ModuleType, copy: Path, capsys: pytest.CaptureFixture, file: str) -> None:
    with (copy / file).open("r+b") as damaged:
        damaged.seek(-1, 2)
        last = damaged.read(1)
        damaged.seek(-1, 2)
        damaged.write(bytes([last[0] ^ 1]))
    assert script.main(["--check", "--data", str(copy)]) == 1
    output = capsys.readouterr().out
    assert f"{file} is damaged" in output
    assert not [other for other in FILES if other != file and other in output]


def test_check_names_the_missing_file(script: ModuleType, copy: Path, capsys: pytest.CaptureFixture) -> None:
    assert script.main(["--check", "--data", str(copy)]) == 0
    (copy / "zh" / "words.txt").unlink()
    assert script.main(["--check", "--data", str(copy)]) == 1
    assert "zh/words.txt is missing" in capsys.readouterr().out


def test_check_needs_a_whole_manifest(script: ModuleType, copy: Path, capsys: pytest.CaptureFixture) -> None:
    path = copy / "manifest.json"
    path.write_text(json.dumps({"glove": json.loads(path.read_text("utf-8"))["glove"]}), "utf-8")
    assert script.main(["--check", "--data", str(copy)]) == 1
    assert "manifest.json has no entry zh" in capsys.readouterr().out
    for text in ("{", "[1]"):
        path.write_text(text, "utf-8")
        assert script.main(["--check", "--data", str(copy)]) == 1
        assert "manifest.json is missing or damaged" in capsys.readouterr().err
    path.unlink()
    assert script.main(["--check", "--data", str(copy)]) == 1
    assert "manifest.json is missing or damaged" in capsys.readouterr().err


def test_merge_keeps_ranks_and_refuses_what_does_not_fit(script: ModuleType) -> None:
    rows = np.arange(8.0).reshape(4, 2)
    first = (["the", "a", "of"], rows[:3])
    words, merged = script.merge(first, (["the", "of", "king"], rows[[0, 2, 3]]))
    assert words == ["the", "a", "of", "king"]
    assert (merged == rows).all()
    with pytest.raises(script.BuildError, match="order"):
        script.merge(first, (["of", "the", "king"], rows[[2, 0, 3]]))
    with pytest.raises(script.BuildError, match="order"):
        script.merge(first, (["the", "king", "of"], rows[[0, 3, 2]]))
    with pytest.raises(script.BuildError, match="vectors"):
        script.merge(first, (["the", "of", "king"], rows[[0, 1, 3]]))


def test_rows_without_a_direction_are_left_out(script: ModuleType) -> None:
    rows = np.array([[1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [1.0, 1.0], [3.0, 4.0]])
    words, kept = script.most_frequent((["one", "zero", "nan", "inf", "a b", "last"], rows), 2)
    assert words == ["one", "last"]
    assert kept.dtype == np.float16 and kept.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(script.BuildError, match="needed"):
        script.most_frequent((["one"], rows[:1]), 2)
    with pytest.raises(script.BuildError, match="twice"):
        script.most_frequent((["one", "one"], rows[:2]), 1)


def test_an_unpinned_archive_is_refused(script: ModuleType, tmp_path: Path) -> None:
    (tmp_path / script.WINK.file).write_bytes(b"something else")
    with pytest.raises(script.BuildError, match=script.WINK.file):
        script.fetch(script.WINK, tmp_path)


def test_the_date_changes_only_with_the_data(script: ModuleType, manifest: dict) -> None:
    old = manifest["zh"] | {"date": "2001-02-03"}
    assert script.entry("zh", DATA / "zh", old, None)["date"] == "2001-02-03"
    assert script.entry("zh", DATA / "zh", old, date(2002, 2, 2))["date"] == "2002-02-02"
    assert script.entry("zh", DATA / "zh", {}, None)["date"] > "2001-02-03"
