"""The wheel, installed where the repository is out of sight."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built with what the test extra installs, so without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder))
    (path,) = folder.glob("*.whl")
    return path


def pip(*arguments: str) -> None:
    """Run pip, and tell what it said if it fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    assert result.returncode == 0, result.stdout


def test_wheel_contains_all_data(wheel: Path) -> None:
    files = {path.relative_to(ROOT / "data") for path in (ROOT / "data").rglob("*") if path.is_file()}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert {"playground/data/manifest.json", "playground/data/glove/vectors.npy"} <= names
    assert {f"playground/data/{path.as_posix()}" for path in files} <= names


def test_installed_wheel_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    pip("install", "--no-deps", "--no-index", "--target", str(site), str(wheel))
    code = """
import playground as pg
print(pg.__file__)
print(pg.analogy(pg.load(), "king - man + woman").answers[0].word)
"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        encoding="utf-8",
    )

    assert result.stderr == ""
    assert result.stdout.splitlines() == [str(site / "playground" / "__init__.py"), "queen"]
