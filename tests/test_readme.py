"""What the README says, done."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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
def test_each_command_of_the_readme_answers(line):
    command = [sys.executable, "-m", "playground", *shlex.split(line)[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout and not done.stderr


def test_every_file_that_the_readme_names_is_there():
    root = Path(__file__).parent.parent
    for path in re.findall(r"\]\((\.?[\w/.-]+)\)", README) + re.findall(r"`((?:scripts|data)/[\w/.-]+)`", README):
        assert (root / path).exists(), path
