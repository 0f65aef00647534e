"""Make the project's own virtual environment, once, and start a program in it.

run.py and test.py check the Python version before they import this file, so only they have to be readable
by an old Python. Everything said here goes to stderr: stdout belongs to the program that is started.
"""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = Path("scripts", "constraints.txt")
VENV = ROOT / ".venv"
LOCK, STAMP = VENV / "setup.lock", VENV / "setup.stamp"
# The PIP_ settings on how packages are reached from here; the others (a target folder, ...) lead astray.
REACH = re.compile(r"PIP_.*(INDEX|LINKS|HOST|CERT|PROXY|TIMEOUT|CONFIG_FILE|CACHE|KEYRING|FEATURE)")


class SetupError(Exception):
    """Why the environment cannot be made, in one sentence."""


class OfflineError(SetupError):
    """The packages cannot be downloaded, so nothing has been installed or removed either."""


# What words of pip come to.
MEANINGS = {
    "No space left|not enough space|quota exceeded": SetupError("The disk is full: make room and start again."),
    "connection (broken|error)|timed out|ProxyError|SSLError|Could not fetch URL": OfflineError(
        "The packages cannot be downloaded: is this machine online?"
    ),
    "No matching distribution|ResolutionImpossible|requires a different Python": SetupError(
        "Some package is not made for this Python or machine: try Python 3.11 to 3.13."
    ),
}


def main(extra: str, program: str, *arguments: str) -> int:
    """Start a program of the environment, made first if need be; turn every failure into one sentence."""
    os.environ.pop("PYTHONHOME", None)
    # Up to 3.12 Python reads the path that an editable install leaves behind as text in the locale's encoding.
    # With an é in it, it is not found on Windows, and an error at every start in an ASCII locale.
    os.environ["PYTHONPATH"] = str(ROOT)
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        os.environ["LC_ALL"] = "C.UTF-8"
    try:
        prepare(extra, program)
        return start(program, *arguments)
    except KeyboardInterrupt:
        return 130
    except SetupError as error:
        say(str(error))
    except (OSError, ValueError) as error:
        say(f"The project's environment {VENV} cannot be used: {error}.")
    return 1


def say(text: str) -> None:
    """Print a line on stderr, which copes with any character in any locale."""
    print(text, file=sys.stderr, flush=True)


def program_path(name: str) -> Path:
    """Give the path of a program of the environment."""
    return VENV / "Scripts" / f"{name}.exe" if sys.platform == "win32" else VENV / "bin" / name


def start(program: str, *arguments: str) -> int:
    """Hand over to a program: on POSIX it takes this process's place, and so its signals and terminal."""
    command = [str(program_path(program)), *arguments]
    if sys.platform == "win32":
        # Ctrl-C reaches both processes: the program decides what it means, and this one waits.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return subprocess.run(command).returncode
    return os.execv(command[0], command)


def prepare(extra: str, program: str) -> None:
    """Bring the environment up to date; if it is, look at no more than the stamp."""
    if is_ready(extra, program):
        return
    with only_one():
        if is_ready(extra, program):
            return
        say("Setting up, once: about a minute ...")
        stamp = read_stamp()
        # Whatever ends this early, even a power cut, leaves no stamp behind: the next run starts afresh.
        STAMP.unlink(missing_ok=True)
        if stamp[:1] != [identity()] or not program_path("python").exists():
            stamp = []
            make()
        try:
            install(extra)
        except OfflineError:
            STAMP.write_text(" ".join(stamp))
            raise
        STAMP.write_text(f"{identity()} {contents()} {extra}")


def is_ready(extra: str, program: str) -> bool:
    """Tell whether the environment is whole, belongs to this Python and folder, and has what is asked for."""
    stamp = read_stamp()
    right = stamp[:2] == [identity(), contents()] and extra in ("", *stamp[2:])
    return right and all(program_path(name).exists() for name in ("python", program))


def read_stamp() -> list[str]:
    """Give the stamp's words (identity, contents, the extra if any); none if there is no good stamp."""
    try:
        return STAMP.read_text().split()
    except (OSError, ValueError):
        return []


def identity() -> str:
    """Name what an environment does not outlive: its Python (version, ABI, platform) and its folder."""
    return hashlib.sha256(os.fsencode(f"{sysconfig.get_config_var('EXT_SUFFIX')} {ROOT}")).hexdigest()


def contents() -> str:
    """Name what is to be installed."""
    files = (ROOT / "pyproject.toml", ROOT / CONSTRAINTS)
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Let one setup at a time through; the system itself lifts the lock of a process that dies."""
    VENV.mkdir(exist_ok=True)
    with LOCK.open("w") as file:
        if not lock(file.fileno()):
            say("Another setup is at work in this folder: waiting for it ...")
            while not lock(file.fileno()):
                time.sleep(0.2)
        yield


def lock(descriptor: int) -> bool:
    """Take the lock of an open file, unless another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def make() -> None:
    """Make an empty environment in place of whatever is there, except for the lock, which is held."""
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        raise SetupError("This Python has no venv module (Debian: apt install python3-venv).") from None
    for path in VENV.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != LOCK:
            path.unlink()
    try:
        venv.create(VENV, symlinks=sys.platform != "win32", with_pip=True)
    except subprocess.CalledProcessError as error:
        fail(error.output or b"")


def install(extra: str) -> None:
    """Install the project, editable, and the pinned versions of all that it needs.

    Only ready-made packages are taken: compiling one would last long and mostly fail in the end. The pins go
    in as settings, for then they also hold for what builds the project, and as a relative path, since pip
    splits such settings at spaces.
    """
    settings = {name: value for name, value in os.environ.items() if REACH.match(name) or name[:4] != "PIP_"}
    pins = str(CONSTRAINTS)
    # Only when it retries does pip tell a network that fails from a package that does not exist.
    settings |= {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins, "PIP_RETRIES": "3", "PIP_USER": "0"}
    command = [str(program_path("python")), "-m", "pip", "install", "--no-input", "--only-binary=:all:"]
    command += ["--editable", f".[{extra}]" if extra else "."]
    pip = subprocess.run(command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if pip.returncode:
        fail(pip.stdout)


def fail(output: bytes) -> NoReturn:
    """Show the last errors that pip told, and say what they come to."""
    # Once pip installs, all downloads are over: what went wrong with them before was overcome.
    last = output.decode(errors="replace").split("Installing collected packages")[-1]
    lines = [line.strip() for line in last.splitlines() if line.strip()]
    for words, meaning in MEANINGS.items():
        if found := [line for line in lines if re.search(words, line, re.IGNORECASE)]:
            say(f"pip: {found[-1]}")
            raise meaning
    for line in [line for line in lines if re.match(r"\w*error:", line, re.IGNORECASE)][-3:] or lines[-1:]:
        say(f"pip: {line}")
    raise SetupError(f"pip could not set up {VENV}: its last words are above.")
