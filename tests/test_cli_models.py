"""The commands about the word vectors themselves, run against a real server on this machine."""

import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from model_server import Faults, Server

import playground as pg
from playground.cli import main
from playground.words.downloads import download, refresh

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases"
TEXT = b"4 3\none 1 0 0\ntwo 0 1 0\nthree 0 0 1\nfour 1 1 0\n"
TINY = gzip.compress(TEXT, mtime=0)
LARGE = random.Random(1).randbytes(3_000_000)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def tiny(server: Server) -> Server:
    """The server with one model of four words, which its list names."""
    server.add("tiny", TINY)
    refresh()
    return server


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def told(capsys: Capture, code: int, *arguments: str) -> str:
    """Return the one sentence on the error stream of a command that ends with `code`."""
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("playground: ")
    assert captured.err.count("\n") == 1
    return captured.err


def process(*arguments: str, **options: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "playground", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PYTHONIOENCODING": "utf-8"}, **pipes)


def test_models_lists_sizes_and_licences_of_all(capsys: Capture) -> None:
    lines = printed(capsys, "models").splitlines()
    rows = {line.split()[0]: line for line in lines[1:] if line}
    assert re.split(r" {2,}", lines[0]) == [
        *("name", "language", "words", "numbers", "on the wire", "in memory", "licence", "here")
    ]
    assert re.split(r" {2,}", rows["glove"]) == ["glove", "English", "110,000", "100", "44.0 MB", "PDDL-1.0", "yes"]
    assert re.split(r" {2,}", rows["word2vec-google-news-300"]) == [
        *("word2vec-google-news-300", "English", "3,000,000", "300", "1.7 GB", "3.6 GB", "not stated", "no")
    ]
    assert len({line.rindex(" MB") for line in lines if line.startswith("glove-")}) == 1  # numbers end in one column


def test_models_prints_numbers_for_programs(capsys: Capture) -> None:
    found = json.loads(printed(capsys, "models", "--json"))
    assert [one["name"] for one in found] == [entry.name for entry in pg.catalog()]
    news = next(one for one in found if one["name"] == "word2vec-google-news-300")
    assert news["download_bytes"] == 1_743_563_840
    assert news["memory"] == 3_000_000 * 300 * 4
    assert news["here"] is False and news["kind"] == "download"


def test_models_tells_all_of_one(capsys: Capture) -> None:
    text = printed(capsys, "models", "glove-twitter-25")
    assert "two billion tweets" in text
    assert "1,193,514 English words of 25 numbers" in text
    assert "To get it (109.9 MB): playground download glove-twitter-25" in text
    assert "--model zh takes it" in printed(capsys, "models", "zh")
    assert json.loads(printed(capsys, "models", "zh", "--json"))["words"] == 50_000
    assert "Near names: glove-twitter-25" in told(capsys, 2, "models", "glove-twiter-25")


def test_models_gets_the_list_anew(capsys: Capture, server: Server) -> None:
    server.add("tiny", TINY)
    assert "tiny" not in printed(capsys, "models")
    assert "tiny" in printed(capsys, "models", "--refresh")
    assert "tiny" in printed(capsys, "models")
    server.faults.status = 503
    assert "answers 503" in told(capsys, 1, "models", "--refresh")


def test_a_model_is_downloaded_and_used_by_its_name(capsys: Capture, tiny: Server) -> None:
    assert "fetch it with `playground download tiny`" in told(capsys, 2, "neighbors", "one", "--model", "tiny")
    assert main(["download", "tiny"]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith(f"tiny: 100 %, {len(TINY)} bytes of {len(TINY)} bytes")
    assert captured.out.startswith("tiny is here, its checksum is right: ")
    assert captured.out.splitlines()[0].endswith("tiny.gz")
    assert printed(capsys, "neighbors", "one", "--model", "tiny", "-n", "1").split() == [
        "word",
        "cosine",
        "four",
        "0.7071",
    ]
    assert "tiny is on this disk already" in printed(capsys, "download", "tiny")
    assert re.search(r"^tiny .* yes$", printed(capsys, "models"), re.MULTILINE)


def test_a_downloaded_model_is_removed_on_demand(capsys: Capture, tiny: Server) -> None:
    download("tiny")
    assert printed(capsys, "download", "tiny", "--remove") == f"tiny is removed: {len(TINY)} bytes are free now.\n"
    assert "tiny has not been fetched" in told(capsys, 2, "download", "tiny", "--remove")


def test_progress_is_a_line_for_each_tenth_where_nobody_watches(capsys: Capture, server: Server) -> None:
    server.add("large", LARGE)
    refresh()
    assert main(["download", "large"]) == 0
    lines = capsys.readouterr().err.splitlines()
    tenths = [int(line.split()[1]) // 10 for line in lines]
    assert tenths == sorted(set(tenths))
    assert (tenths[0], tenths[-1]) == (0, 10)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of this kind is Unix's")
def test_progress_on_a_terminal_is_one_line_that_changes(server: Server) -> None:
    server.add("large", LARGE)
    refresh()
    ours, theirs = os.openpty()
    with process("download", "large", stderr=theirs) as running:
        out, _ = running.communicate()
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert running.returncode == 0
    assert out.decode().startswith("large is here")
    assert shown.startswith("\rlarge: 0 %, 0 bytes of 3.0 MB")
    assert "\rlarge: 100 %, 3.0 MB of 3.0 MB" in shown
    assert shown.count("\n") == 1 and shown.endswith("\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_stops_a_download_and_the_next_goes_on(server: Server) -> None:
    server.add("large", LARGE)
    refresh()
    server.faults.pause = threading.Event()
    with process("download", "large") as running:
        assert b"large: 0 %" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 130
    assert out == b""
    assert err.decode() == "Stopped. What has come is kept: `playground download large` goes on from there.\n"
    server.faults.pause.set()
    server.faults = Faults()
    assert download("large").read_bytes() == LARGE


def test_what_goes_wrong_on_the_way_is_one_sentence_and_exit_code_one(tiny: Server) -> None:
    tiny.files["/tiny/tiny.gz"] = TINY[:-1] + b"x"
    with process("download", "tiny") as running:
        out, err = running.communicate()
    assert running.returncode == 1
    assert out == b""
    (sentence,) = [line for line in err.decode().splitlines() if not line.startswith("tiny: ")]
    assert sentence.startswith("playground: ") and "checksum is another" in sentence


def test_offline_is_one_sentence_that_names_what_is_here(capsys: Capture) -> None:
    assert main(["download", "glove-twitter-25"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("playground: 127.0.0.1 cannot be reached")
    assert "On this disk already: glove, zh" in last


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("no-such", "There is no model called 'no-such'"), ("x\x1b[31m", "There is no model called"), ("", "called ''")],
)
def test_a_name_that_cannot_be_downloaded_ends_with_exit_code_two(capsys: Capture, name: str, sentence: str) -> None:
    assert sentence in told(capsys, 2, "download", name)


def test_load_reports_what_is_in_a_file_and_remembers_it(capsys: Capture, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "my own.vec"
    path.write_bytes(TEXT + b"one 5 5 5\nfive 0 0 0\n")
    text = printed(capsys, "load", str(path))
    assert text.startswith("my own.vec: 4 words of 3 numbers")
    assert "Left out: 2 rows" in text
    assert "line 6: 'one'" in text
    assert f"playground neighbors WORD --model '{path}'" in text
    own = printed(capsys, "models").split("Your own files")[1]
    assert str(path) in own
    found = json.loads(printed(capsys, "models", "--json"))[-1]
    assert (found["kind"], found["name"], found["words"]) == ("file", str(path), 4)
    path.write_text("2 2\n苹果 1 0\n手机 0 1\n", encoding="utf-8")
    printed(capsys, "load", str(path))
    assert json.loads(printed(capsys, "models", "--json"))[-1]["language"] == "Chinese"
    path.write_bytes(TEXT)
    assert printed(capsys, "neighbors", "one", "--model", str(path), "-n", "1").split()[2] == "four"


def test_load_prints_numbers_for_programs(capsys: Capture, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "my.vec"
    path.write_bytes(TEXT + b"one 5 5 5\n")
    found = json.loads(printed(capsys, "load", str(path), "--json"))
    assert (found["model"], found["rows"], found["dimensions"], found["header"]) == (str(path), 4, 3, [4, 3])
    assert found["left_out"] == {"duplicate": 1}
    assert found["first_left_out"][0]["place"] == 6
    assert found["sentences"] == pg.load(path).report.sentences
    assert json.loads(printed(capsys, "load", str(path), "--json", "--limit", "2"))["rows"] == 2


def test_load_takes_a_limit_a_form_and_a_name(capsys: Capture, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "accents.txt"
    path.write_text("cafe\u0301 1 0\ncaf\u00e9 0 1\ntea 1 1\n", encoding="utf-8")
    assert "accents.txt: 3 words" in printed(capsys, "load", str(path))
    assert "accents.txt: 2 words" in printed(capsys, "load", str(path), "--normalize-keys")
    assert "Reading stopped at the limit of 1 word." in printed(capsys, "load", str(path), "--limit", "1")
    assert "limit must be a whole number" in told(capsys, 2, "load", str(path), "--limit", "0")
    before = printed(capsys, "models", "--json")
    assert "zh: 50,000 words of 100 numbers" in printed(capsys, "load", "zh")
    assert printed(capsys, "models", "--json") == before  # a name is no file of the user's


@pytest.mark.parametrize("file", ["no/such.vec", str(CASES), str(CASES / "t23_html_instead.txt")])
def test_a_file_that_cannot_be_loaded_is_one_sentence(capsys: Capture, file: str) -> None:
    told(capsys, 2, "load", file)


def test_the_cache_is_listed_sized_and_emptied(capsys: Capture, server: Server, tmp_path: Path) -> None:
    home = tmp_path / "home" / "cache"
    assert f"The cache is empty: {home}" in printed(capsys, "cache")
    path = tmp_path / "some.txt"
    numbers = np.random.default_rng(0).normal(size=(4000, 100))
    path.write_text("".join(f"w{i} {' '.join(f'{x:.4f}' for x in row)}\n" for i, row in enumerate(numbers)))
    printed(capsys, "load", str(path))
    listed = json.loads(printed(capsys, "cache", "--json"))
    assert listed["folder"] == str(home)
    (entry,) = listed["entries"]
    assert (entry["source"], entry["words"], entry["dimensions"]) == (str(path), 4000, 100)
    assert listed["bytes"] == sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) > 1_600_000
    text = printed(capsys, "cache")
    assert str(path) in text and "4,000" in text and f"in {home}; `playground cache --empty` frees it." in text
    assert "from the cache of an earlier load" in printed(capsys, "load", str(path))
    assert " freed in " in printed(capsys, "cache", "--empty")
    assert not [file for file in home.rglob("*") if file.is_file()]
    assert json.loads(printed(capsys, "cache", "--json")) == {"folder": str(home), "bytes": 0, "entries": []}


def test_a_strange_list_cannot_steer_the_terminal(capsys: Capture, server: Server) -> None:
    server.add("tiny", TINY, license="free\x1b[31m", base_dataset="text\x9b5m\u202e")
    printed(capsys, "models", "--refresh")
    for text in (printed(capsys, "models"), printed(capsys, "models", "tiny"), printed(capsys, "models", "--json")):
        assert not set(text) & {"\x1b", "\x9b", "\u202e"}


@pytest.mark.parametrize("command", ["models", "download", "load", "cache"])
def test_every_command_has_help(capsys: Capture, command: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: playground {command}")


def test_help_loads_neither_network_nor_catalogue() -> None:
    script = """
import sys
from playground.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
heavy = "requests urllib3 filelock platformdirs pyarrow numpy playground.words.catalog".split()
print("loaded:", [name for name in heavy if name in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "loaded: []"
