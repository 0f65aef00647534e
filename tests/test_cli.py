"""The command: the library's numbers in a table and as JSON, and one sentence for what cannot be answered."""

import io
import json
import math
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

import playground as pg
from playground.cli import main

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases"
COMMANDS = ("neighbors", "similarity", "analogy", "attend", "models")
SENTENCE = "apple company invented phones"

Capture = pytest.CaptureFixture[str]


def process(*arguments: str, **options: object) -> subprocess.Popen:
    """Start the command as a process of its own, its output and errors in pipes."""
    command = [sys.executable, "-m", "playground", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    environment.pop("PYTHONUNBUFFERED", None)  # or nothing would be left to write when the process ends
    return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def table(text: str) -> list[list[str]]:
    """Return the cells of a table whose columns stand two spaces apart."""
    return [line.split() for line in text.splitlines()]


def refused(capsys: Capture, *arguments: str) -> str:
    """Return the one sentence on the error stream of a command that ends with exit code 2."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("playground: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_neighbors_prints_the_librarys_words_and_cosines(capsys: Capture, glove: KeyedVectors) -> None:
    near = pg.neighbors(glove, "king")
    rows = [[one.word, f"{one.similarity:.4f}"] for one in near]
    assert table(printed(capsys, "neighbors", "king")) == [["word", "cosine"], *rows]
    found = json.loads(printed(capsys, "neighbors", "King", "--json", "-n", "3"))
    assert found == {
        "word": "King",
        "read_as": ["king"],
        "how": "case",
        "neighbors": [{"word": one.word, "similarity": one.similarity} for one in near[:3]],
    }


def test_similarity_prints_the_librarys_cosine_and_its_angle(capsys: Capture, glove: KeyedVectors) -> None:
    cosine = pg.similarity(glove, "king", "queen")
    angle = math.degrees(math.acos(cosine))
    assert printed(capsys, "similarity", "king", "queen") == f"{cosine:.4f}   the cosine of {angle:.1f}°\n"
    assert "1.0000   the cosine of 0.0°" in printed(capsys, "similarity", "king", "KING")
    found = json.loads(printed(capsys, "similarity", "king", "Queen", "--json"))
    assert found == {"first": ["king"], "second": ["queen"], "similarity": cosine}


def test_analogy_prints_queen_with_the_librarys_numbers(capsys: Capture, glove: KeyedVectors) -> None:
    formula = "king - man + woman"
    rows = table(printed(capsys, "analogy", formula))
    assert rows[0] == ["word", "cosine"]
    assert rows[1] == ["queen", "0.7699"]
    assert len(rows) == 11
    library = pg.analogy(glove, formula)
    found = json.loads(printed(capsys, "analogy", "king−man  +woman", "--json"))
    assert found == {
        "formula": formula,
        "positive": ["king", "woman"],
        "negative": ["man"],
        "method": "3cosadd",
        "excluded": ["king", "man", "woman"],
        "answers": [{"word": one.word, "similarity": one.similarity} for one in library.answers],
    }


def test_analogy_multiplies_and_includes_on_demand(capsys: Capture, glove: KeyedVectors) -> None:
    formula = "king - man + woman"
    multiplied = pg.analogy(glove, formula, method="3cosmul", topn=2).answers
    rows = [[one.word, f"{one.similarity:.4f}"] for one in multiplied]
    assert table(printed(capsys, "analogy", formula, "--method", "3cosmul", "-n", "2")) == [["word", "3CosMul"], *rows]
    assert table(printed(capsys, "analogy", formula, "--include-inputs"))[1][0] == "king"
    assert table(printed(capsys, "analogy", "--model", "zh", "父亲 - 男人 + 女人"))[1][0] == "母亲"
    assert table(printed(capsys, "analogy", "--", "-man+king+woman"))[1][0] == "queen"


@pytest.mark.parametrize("positions", [False, True])
@pytest.mark.parametrize(("projections", "heads"), [("identity", 1), ("identity", 4), ("random", 3)])
def test_attend_gives_the_librarys_steps(
    capsys: Capture, glove: KeyedVectors, projections: str, heads: int, positions: bool
) -> None:
    options = ["--heads", str(heads), "--projections", projections, "--seed", "5"]
    options += ["--positions"] if positions else []
    found = json.loads(printed(capsys, "attend", SENTENCE, "--json", *options))
    tokens = SENTENCE.split()
    x = pg.embed(glove, tokens)
    if positions:
        x = x + pg.sinusoidal_positions(4, 100)
    if projections == "random":
        layer = pg.MultiHeadAttention.random(100, heads, seed=5)
    else:
        layer = pg.MultiHeadAttention.identity(100, heads)
    steps = layer(x)
    assert found["tokens"] == found["queries"] == tokens
    assert found["d_k"] == math.ceil(100 / heads)
    for name in ("scores", "scaled", "weights", "output"):
        np.testing.assert_allclose(found[name], getattr(steps, name), rtol=1e-5, atol=1e-5)

    text = printed(capsys, "attend", SENTENCE, *options)
    assert ("untrained" in text) == (projections == "random")
    rows = [row for row in table(text) if row and row[0] in tokens]
    assert len(rows) == 4 * heads
    np.testing.assert_allclose(
        [[float(cell) for cell in row[1:]] for row in rows], steps.weights.reshape(-1, 4), atol=0.00501
    )


def test_attend_shows_the_heads_that_have_learnt(capsys: Capture, glove: KeyedVectors) -> None:
    tokens = ["the", "dog", "bites", "the", "man", "in", "2024"]
    layer = pg.MultiHeadAttention.learned()
    steps = layer(layer.prepare(glove, tokens))
    options = (" ".join(tokens), "--projections", "learned")
    found = json.loads(printed(capsys, "attend", *options, "--json"))
    assert found["tokens"] == found["queries"] == tokens
    assert found["keys"] == ["[start]", *tokens]
    assert [head["name"] for head in found["heads"]] == [head.name for head in layer.heads]
    for name in ("scores", "scaled", "weights"):
        np.testing.assert_allclose(found[name], getattr(steps, name)[:, 1:], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["output"], steps.output[1:], rtol=1e-5, atol=1e-5)

    text = printed(capsys, "attend", *options)
    assert "Without a vector, so known by position alone: 2024." in text
    for head in layer.heads:
        assert f"{head.name}: right for {head.accuracy:.1%} of" in text
    row = json.loads(printed(capsys, "attend", *options, "--query", "bites", "--json"))
    np.testing.assert_allclose(row["weights"], steps.weights[:, 3:4], rtol=1e-5, atol=1e-5)
    table_of_query = printed(capsys, "attend", *options, "--query", "bites")
    assert table_of_query.count("bites looks at") == 8
    assert table_of_query.count("the weights add to 1.0000") == 8


@pytest.mark.parametrize("heads", [1, 4])
def test_the_weights_of_a_query_add_to_one(capsys: Capture, heads: int) -> None:
    text = printed(capsys, "attend", SENTENCE, "--query", "Apple", "--heads", str(heads))
    rows = [row for row in table(text) if row and row[0] in SENTENCE.split() and len(row) == 4]
    assert len(rows) == 4 * heads
    for head in range(heads):
        assert sum(float(row[3]) for row in rows[4 * head : 4 * head + 4]) == pytest.approx(1, abs=2.1e-4)
        for row in rows[4 * head : 4 * head + 4]:
            assert float(row[2]) == pytest.approx(float(row[1]) / math.sqrt(100 / heads), abs=6e-4)
    assert text.count("the weights add to 1.0000") == heads
    found = json.loads(printed(capsys, "attend", SENTENCE, "--query", "apple", "--json"))
    assert found["queries"] == ["apple"]
    assert np.shape(found["weights"]) == (1, 1, 4)
    assert np.sum(found["weights"]) == pytest.approx(1)


def test_a_word_without_a_vector_takes_no_part_and_is_named(capsys: Capture) -> None:
    text = printed(capsys, "attend", "苹果公司发明了手机", "--model", "zh")
    assert "'了': these vectors do not hold it. It takes no part." in text
    found = json.loads(printed(capsys, "attend", "the aple fell", "--json"))
    assert (found["tokens"], found["unknown"]) == (["the", "fell"], ["aple"])
    assert np.shape(found["weights"]) == (1, 2, 2)


def test_models_lists_the_catalogue(capsys: Capture) -> None:
    text = printed(capsys, "models")
    assert "110,000" in text
    assert "PDDL-1.0" in text
    found = json.loads(printed(capsys, "models", "--json"))
    assert [(one["name"], one["words"]) for one in found] == [(one.name, one.words) for one in pg.catalog()]


def test_the_reader_is_told_how_a_word_was_read(capsys: Capture) -> None:
    assert "New York was read as new-york." in printed(capsys, "neighbors", "New York")
    assert "U.S. was read as u.s.\n" in printed(capsys, "similarity", "king", "U.S.")
    assert "Queen was read as queen." in printed(capsys, "analogy", "king - Queen")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["neighbors", "qeen"], "I do not know 'qeen': these vectors do not hold it. Near spellings: been, seen"),
        (["similarity", "king", "quen"], "I do not know 'quen'"),
        (["analogy", "king - mann + womann"], "I do not know 'womann'"),
        (["attend", "aple"], "I do not know 'aple'"),
        (["neighbors", ""], "The word is empty"),
        (["attend", " "], "The sentence is empty"),
        (["neighbors", "\udcff"], r"I do not know '\udcff'"),  # how Python hands on a byte that is no text
        (["similarity", "king", "quen", "--json"], "I do not know 'quen'"),
        (["analogy", "king - man + "], "In the formula 'king - man + ', column 12: a word is missing"),
        (["analogy", "king man"], "column 6: expected + or - here"),
        (["analogy", "king - king"], "adds up to the zero vector"),
        (["neighbors", "king", "-n", "0"], "topn must be a whole number of at least 1, not 0"),
        (["attend", SENTENCE, "--query", "banana"], "'banana' is not in the sentence. Its words are: apple, company"),
        (["attend", SENTENCE, "--query", ""], "The query '' is not in the sentence"),
        (["attend", SENTENCE, "--query", "x" * 10_000], "is not in the sentence"),
        (["attend", SENTENCE, "--heads", "0"], "num_heads must be a whole number of at least 1, not 0"),
        (["attend", SENTENCE, "--heads", "0", "--projections", "random"], "num_heads must be a whole number"),
        (["attend", SENTENCE, "--projections", "learned", "--heads", "4"], "eight heads of its own"),
        (["attend", "苹果手机", "--model", "zh", "--projections", "learned"], "load 'glove'"),
        (["attend", " ", "--projections", "learned"], "The sentence is empty"),
        (["attend", SENTENCE, "--heads", "101"], "101 heads cannot share 100 columns"),
        (["attend", SENTENCE, "--projections", "random", "--seed", "-1"], "seed must be a whole number"),
        (["neighbors", "king", "--model", "no/such.vec"], "There are no vectors called 'no/such.vec'"),
        (["neighbors", "king", "--model", str(CASES)], "is a folder"),
        (["neighbors", "king", "--model", "~no-such-user/x"], "~no-such-user/x"),
        (["neighbors", "king", "--model", "x" * 5000], "xxx"),
        (["neighbors", "king", "--model", str(CASES / "t23b_empty.txt")], "t23b_empty.txt is empty"),
        (
            ["neighbors", "king", "--model", str(CASES / "t21_huge_header.txt")],
            "promises rows of 300 numbers, and its first row has 2",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_two(capsys: Capture, arguments: list[str], told: str) -> None:
    message = refused(capsys, *arguments)
    assert told in message
    assert len(message) < 400


def test_what_does_not_fit_into_memory_is_one_sentence(capsys: Capture) -> None:
    assert main(["attend", SENTENCE, "--projections", "random", "--heads", str(10**15)]) == 1
    assert capsys.readouterr().err.startswith("playground: There is not enough memory")


def test_the_error_of_a_process_is_one_sentence_without_a_traceback() -> None:
    out, err = (stream.decode() for stream in process("analogy", "king - man + womann").communicate())
    assert out == ""
    assert err.startswith("playground: I do not know 'womann'")
    assert "woman" in err.split("Near spellings: ")[1]
    assert err.count("\n") == 1


def test_a_reader_that_leaves_early_is_met_with_silence() -> None:
    running = process("neighbors", "king", "-n", "50000")
    assert running.stdout.readline().split() == [b"word", b"cosine"]
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait() == 0


def test_help_for_a_reader_that_has_gone_is_quiet() -> None:
    running = process("--help")
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        running = process("models", stdout=full)
        _, err = running.communicate()
    assert running.returncode == 1
    assert err.startswith(b"playground: ")
    assert err.count(b"\n") == 1


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_has_help(capsys: Capture, command: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: {' '.join(('playground', *command))}")
    for name in COMMANDS if not command else ():
        assert name in text


@pytest.mark.parametrize(
    "arguments", [["neighbors"], ["nonsense"], ["neighbors", "king", "-n", "x"], ["analogy", "a", "--method", "b"]]
)
def test_a_wrong_option_ends_with_exit_code_two(capsys: Capture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_help_loads_no_heavy_module() -> None:
    script = """
import sys
from playground.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
heavy = "numpy gensim scipy sklearn streamlit pandas plotly altair rapidfuzz rjieba".split()
print("loaded:", [name for name in heavy if name in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "loaded: []"


STEERING = "\x1b[31m", "\x9b5m", "\x07", "\x7f", "\u202e", "\u2028", "\r"


def test_control_characters_of_a_file_never_reach_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "steering\x1b[31m.vec"
    words = [f"w{mark}x" for mark in STEERING]
    lines = [f"{word} 1 {number}\n" for number, word in enumerate(["plum", "Plum\x1bX", *words, "PLUM"])]
    path.write_bytes("".join([f"{len(lines)} 2\n", *lines]).encode())
    model = ["--model", str(path)]
    for arguments in (
        ["neighbors", "plum"],
        ["neighbors", "plum\x1bx"],  # read in another case, which the explanation tells
        ["neighbors", "plum", "--json"],
        ["similarity", "plum\nplum", "w\x9b5mx"],
        ["analogy", "plum + w\x9b5mx", "--json"],
        ["attend", "plum w\x1b[31mx w\x07x"],
        ["attend", "plum", "--query", "w\x1b[31mx"],
        ["neighbors", "w\x1b[30mx"],  # unknown, with near spellings
    ):
        main([*arguments, *model])
        captured = capsys.readouterr()
        for line in (captured.out + captured.err).split("\n"):
            assert not [c for c in line if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], arguments
        if "--json" in arguments:
            json.loads(captured.out)
    found = json.loads(printed(capsys, "neighbors", "plum", "--json", "-n", "20", *model))
    assert set(words) <= {one["word"] for one in found["neighbors"]}  # JSON escapes, and loses nothing


def test_columns_stand_under_each_other_in_chinese_too(capsys: Capture) -> None:
    def width(text: str) -> int:
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    lines = printed(capsys, "neighbors", "苹果", "--model", "zh").splitlines()
    assert len({width(line) for line in lines}) == 1


def test_a_terminal_that_knows_only_ascii_gets_codes_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["attend", "apple company"]) == 0
    assert rb"looks at \u2192" in written.getvalue()
