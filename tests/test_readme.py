"""What the README says, done."""

import re
import shlex
from pathlib import Path

import pytest

from playground.cli import main

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_library_example_runs_and_prints_what_it_says(capsys):
    (example,) = blocks("python")
    exec(compile(example, "README", "exec"), {})
    printed = capsys.readouterr().out
    assert "word='queen', similarity=0.769" in printed
    assert "(4, 4, 4)" in printed


@pytest.mark.parametrize(
    "line", [line for block in blocks("sh") for line in block.splitlines() if line.startswith("playground ")]
)
def test_each_command_of_the_readme_answers(line, capsys):
    assert main(shlex.split(line)[1:]) == 0
    printed = capsys.readouterr()
    assert printed.out and not printed.err


def test_every_file_that_the_readme_names_is_there():
    root = Path(__file__).parent.parent
    for path in re.findall(r"\]\((\.?[\w/.-]+)\)", README) + re.findall(r"`((?:scripts|data)/[\w/.-]+)`", README):
        assert (root / path).exists(), path
