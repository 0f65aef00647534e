"""scripts/run.py and scripts/test.py at work, on a small project of their own that needs no network."""

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
BIN = "Scripts" if sys.platform == "win32" else "bin"
SETTING_UP = "Setting up, once: about a minute ...\n"
WAITING = "Another setup is at work in this folder: waiting for it ...\n"
OFFLINE = "The packages cannot be downloaded: is this machine online?\n"

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "playground"
version = "1"
dependencies = []

[project.optional-dependencies]
test = []
"""

# As little of a build backend as pip can work with, so that none has to be downloaded.
BACKEND = """
import os
import pathlib
import tomllib
import zipfile


def build_editable(folder, settings=None, metadata=None):
    project = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["project"]
    needs = [f"Requires-Dist: {name}" for name in project["dependencies"]]
    needs += [f"Requires-Dist: {name}; extra == 'test'" for name in project["optional-dependencies"]["test"]]
    header = ["Metadata-Version: 2.1", "Name: playground", "Version: 1", "Provides-Extra: test"]
    with zipfile.ZipFile(pathlib.Path(folder, "playground-1-py3-none-any.whl"), "w") as wheel:
        info = "playground-1.dist-info"
        wheel.writestr("playground.pth", os.getcwd())
        wheel.writestr(f"{info}/METADATA", "\\n".join(header + needs) + "\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\\nplayground = playground:main\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return "playground-1-py3-none-any.whl"
"""

# Its exit code is the number of its arguments.
PACKAGE = """
import sys


def main():
    print(sys.argv[1:])
    return len(sys.argv[1:])
"""

TESTS = """
def test_good():
    pass


def test_bad():
    assert False
"""


class Beginning(NamedTuple):
    """A project, and the exit codes, stdouts and stderrs of its first runs."""

    project: Path
    interrupted: tuple[int, str, str]
    both: list[tuple[int, str, str]]


def make_project(folder: Path) -> Path:
    """Write the small project, with the real scripts in it."""
    files = {
        "pyproject.toml": PYPROJECT,
        "backend.py": BACKEND,
        "playground/__init__.py": PACKAGE,
        "tests/test_small.py": TESTS,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(SCRIPTS, folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def start(script: Path, *arguments: str, python: str = sys.executable, **settings: str) -> subprocess.Popen[str]:
    """Start a script in a folder that is not the project's, where no package index answers."""
    offline = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
    }
    return subprocess.Popen(
        [python, str(script), *arguments],
        cwd=script.anchor,
        env={**os.environ, **offline, **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a script, and give its exit code, stdout and stderr."""
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def run(project: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """Run the project's run.py to its end."""
    return finish(start(project / "scripts" / "run.py", *arguments, **settings))


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Beginning:
    """A project's first run, ended by Ctrl-C while it sets up, and then two runs at once.

    Making an environment is what takes time here, so the other tests use the one that this makes.
    """
    project = make_project(tmp_path_factory.mktemp("made") / "my project é")
    script = project / "scripts" / "run.py"
    first = start(script)
    deadline = time.monotonic() + 60
    while not any(project.glob(f".venv/{BIN}/python*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    if sys.platform == "win32":
        first.kill()
    else:
        os.killpg(first.pid, signal.SIGINT)
    interrupted = finish(first)
    both = [start(script, "analogy", "king - man + woman"), start(script, "the other")]
    return Beginning(project, interrupted, [finish(process) for process in both])


@pytest.fixture
def project(beginning: Beginning) -> Path:
    """The project once it has been set up, with its own pyproject.toml again."""
    (beginning.project / "pyproject.toml").write_text(PYPROJECT)
    return beginning.project


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a single process there")
def test_interrupted_setup_ends_quietly(beginning: Beginning) -> None:
    assert beginning.interrupted == (130, "", SETTING_UP)


def test_run_hands_over_arguments_and_exit_code_and_makes_up_for_half_a_setup(beginning: Beginning) -> None:
    assert beginning.both[0][:2] == (2, "['analogy', 'king - man + woman']\n")
    assert beginning.both[1][:2] == (1, "['the other']\n")


def test_one_of_two_runs_at_once_sets_up(beginning: Beginning) -> None:
    assert {result[2] for result in beginning.both} == {SETTING_UP, WAITING}


def test_second_run_installs_nothing(project: Path) -> None:
    run(project)
    (installed,) = project.glob(".venv/**/playground-1.dist-info")
    before = installed.stat().st_mtime_ns

    assert run(project, "again") == (1, "['again']\n", "")
    assert installed.stat().st_mtime_ns == before


def test_environment_without_its_python_is_remade(project: Path) -> None:
    run(project)
    for python in project.glob(f".venv/{BIN}/python*"):
        python.unlink()

    assert run(project) == (0, "[]\n", SETTING_UP)


def test_moved_project_runs_its_own_code(project: Path, tmp_path: Path) -> None:
    run(project)
    moved = shutil.copytree(project, tmp_path / "moved", symlinks=True)
    (moved / "playground" / "__init__.py").write_text("def main():\n    print('moved')\n")

    assert run(moved) == (0, "moved\n", SETTING_UP)


def test_unreachable_index_is_one_sentence_and_harms_nothing(project: Path) -> None:
    run(project)
    changed = PYPROJECT.replace("dependencies = []", 'dependencies = ["nowhere"]', 1)
    (project / "pyproject.toml").write_text(changed)

    code, out, err = run(project)

    assert (code, out) == (1, "")
    assert err.startswith(SETTING_UP)
    assert err.endswith(OFFLINE)
    assert "Traceback" not in err
    (project / "pyproject.toml").write_text(PYPROJECT)
    assert run(project) == (0, "[]\n", "")


def test_home_that_cannot_be_written(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    home = str(tmp_path / "file" / "home")
    (project / "pyproject.toml").write_text(f"{PYPROJECT}# changed for {home}\n")

    result = run(project, HOME=home, USERPROFILE=home, XDG_CACHE_HOME=f"{home}/cache", LOCALAPPDATA=home)

    assert result == (0, "[]\n", SETTING_UP)


def test_settings_that_would_lead_astray(project: Path, tmp_path: Path) -> None:
    (tmp_path / "playground.py").write_text("raise SystemExit('not this one')")
    (project / "pyproject.toml").write_text(f"{PYPROJECT}# changed for {tmp_path}\n")
    target = tmp_path / "target"

    result = run(project, PYTHONPATH=str(tmp_path), PIP_TARGET=str(target), PIP_USER="1", PYTHONSAFEPATH="1")

    assert result == (0, "[]\n", SETTING_UP)
    assert not target.exists()


def test_ascii_locale(project: Path) -> None:
    run(project)
    # Not the Python of the environment that the tests run in: that one may lie in such a folder itself.
    python = str(Path(sys.executable).resolve())

    assert finish(start(project / "scripts" / "run.py", python=python, LC_ALL="C")) == (0, "[]\n", "")


def test_python_without_venv_module(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (tmp_path / "ensurepip.py").write_text("raise ImportError")

    code, out, err = run(project, PYTHONPATH=str(tmp_path))

    assert (code, out) == (1, "")
    sentence = "This Python has no venv module (Debian: apt install python3-venv).\n"
    assert err == SETTING_UP + sentence


def test_folder_where_nothing_can_be_made(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / ".venv").touch()

    code, out, err = run(project)

    assert (code, out) == (1, "")
    assert err.startswith(f"The project's environment {project / '.venv'} cannot be used: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["run.py", "test.py"])
def test_scripts_can_be_read_by_an_old_python(name: str) -> None:
    ast.parse((SCRIPTS / name).read_text(), feature_version=(3, 6))


def test_old_python_is_one_sentence() -> None:
    for minor in range(6, 11):
        python = shutil.which(f"python3.{minor}")
        if python and subprocess.run([python, "--version"], capture_output=True).returncode == 0:
            break
    else:
        pytest.skip("no Python older than 3.11 on the PATH")

    sentence = f"Python 3.11 or newer is needed, and this is 3.{minor}.\n"
    for name in ("run.py", "test.py"):
        assert finish(start(SCRIPTS / name, python=python)) == (1, "", sentence)


def test_test_script_hands_over_to_pytest(project: Path) -> None:
    script = project / "scripts" / "test.py"
    # The pytest that runs this stands in for one from an index.
    (packages,) = project.glob(".venv/**/site-packages")
    (packages / "pytest.pth").write_text(str(Path(pytest.__file__).parents[1]))

    code, out, _ = finish(start(script, "-k", "bad"))

    assert (code, "1 failed, 1 deselected" in out) == (1, True)


def test_test_script_needs_the_test_extra_but_the_app_does_not(project: Path) -> None:
    (project / "pyproject.toml").write_text(PYPROJECT.replace("test = []", 'test = ["nowhere"]'))
    assert run(project)[0] == 0

    code, out, err = finish(start(project / "scripts" / "test.py"))

    assert (code, out) == (1, "")
    assert err.endswith(OFFLINE)
    assert run(project) == (0, "[]\n", "")
