"""The list of the user's own files: short, whole, and about files that are still there."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from playground.words import recent as module
from playground.words.readers.report import LoadReport
from playground.words.recent import recent, remember

REPORT = LoadReport(
    name="my.vec",
    format="word2vec text",
    packing="",
    rows=7,
    dimensions=3,
    header=None,
    left_out={},
    first_left_out=(),
    repaired=0,
    first_repaired=(),
    limit=None,
    stopped=False,
    seconds=0.1,
    memory=84,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "data"


def made(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("a 1 0 0\n")
    return path


def names() -> list[str]:
    return [Path(one.path).name for one in recent()]


def test_nothing_is_recent_at_first() -> None:
    assert recent() == []


def test_the_file_opened_last_comes_first_and_each_once(tmp_path: Path) -> None:
    for name in ("a.vec", "b.vec", "a.vec"):
        remember(made(tmp_path, name), REPORT)
    assert names() == ["a.vec", "b.vec"]
    first = recent()[0]
    assert (first.words, first.dimensions, first.bytes) == (7, 3, 8)
    assert first.path == str((tmp_path / "a.vec").resolve())
    assert first.opened.startswith("20") and first.opened.endswith("+00:00")


def test_the_language_of_its_words_is_kept(tmp_path: Path) -> None:
    remember(made(tmp_path, "a.vec"), REPORT, language="Chinese")
    assert recent()[0].language == "Chinese"


def test_a_relative_path_is_found_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made(tmp_path, "a.vec")
    remember("a.vec", REPORT)
    monkeypatch.chdir("/")
    assert names() == ["a.vec"]


def test_a_file_that_has_gone_is_not_listed_and_comes_back_with_it(tmp_path: Path) -> None:
    path = made(tmp_path, "a.vec")
    remember(path, REPORT)
    moved = path.rename(tmp_path / "elsewhere")
    assert recent() == []
    moved.rename(path)
    assert names() == ["a.vec"]


def test_the_numbers_of_a_changed_or_half_read_file_are_not_claimed(tmp_path: Path) -> None:
    path = made(tmp_path, "a.vec")
    remember(path, REPORT)
    path.write_text("a 1 0 0\nb 0 1 0\n")
    assert (recent()[0].words, recent()[0].dimensions, recent()[0].bytes) == (0, 0, 16)
    remember(path, replace(REPORT, limit=1, stopped=True, rows=1))
    assert (recent()[0].words, recent()[0].dimensions) == (0, 3)


def test_twenty_are_kept(tmp_path: Path) -> None:
    for number in range(25):
        remember(made(tmp_path, f"{number}.vec"), REPORT)
    assert names() == [f"{number}.vec" for number in range(24, 4, -1)]


@pytest.mark.parametrize(
    "damage",
    [
        *(b"", b"{", b"{}", b"null", b"[1, null, []]", b"\xff\xfe", b"[" * 100_000),
        *(b'[{"path": "/etc/passwd"}]', b'[{"path": 5, "words": "x"}]'),
    ],
)
def test_a_damaged_list_is_begun_anew(tmp_path: Path, home: Path, damage: bytes) -> None:
    home.mkdir(parents=True)
    (home / "recent.json").write_bytes(damage)
    assert recent() == []
    remember(made(tmp_path, "a.vec"), REPORT)
    assert names() == ["a.vec"]


def test_one_damaged_line_does_not_hide_the_others(tmp_path: Path, home: Path) -> None:
    for name in ("a.vec", "b.vec", "c.vec"):
        remember(made(tmp_path, name), REPORT)
    listed = json.loads((home / "recent.json").read_text())
    listed[1]["words"] = "many"
    listed[2]["path"] = "x\0y"
    (home / "recent.json").write_text(json.dumps(listed))
    assert names() == ["c.vec"]


def test_what_cannot_be_written_down_is_no_reason_to_stop(tmp_path: Path, home: Path) -> None:
    home.parent.mkdir()
    home.write_text("a file where the folder would be")
    remember(made(tmp_path, "a.vec"), REPORT)
    remember(tmp_path / "not there", REPORT)
    assert recent() == []


def test_a_list_that_another_process_holds_is_not_waited_for_for_ever(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCK_WAIT", 0.05)
    home.mkdir(parents=True)
    holder = "import sys, filelock\nwith filelock.FileLock(sys.argv[1]): print('held', flush=True); input()"
    command = [sys.executable, "-c", holder, str(home / "recent.json.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        remember(made(tmp_path, "a.vec"), REPORT)
        assert recent() == []
        other.communicate("done\n")
    remember(made(tmp_path, "a.vec"), REPORT)
    assert names() == ["a.vec"]


def test_files_opened_at_once_are_all_remembered(tmp_path: Path, home: Path) -> None:
    paths = [made(tmp_path, f"{number}.vec") for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda path: remember(path, REPORT), paths))
    assert sorted(names()) == sorted(path.name for path in paths)
    assert {name for name in os.listdir(home) if not name.endswith(".lock")} == {"recent.json"}  # noqa: PTH208
