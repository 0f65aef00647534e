"""The user's own files of vectors that were opened lately."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playground.words.folders import models_folder, write_whole

if TYPE_CHECKING:
    from playground.words.readers.report import LoadReport

MOST = 20
LOCK_WAIT = 2  # seconds: another process writes the list in a thousandth of one


@dataclass(frozen=True)
class RecentFile:
    """A file that was opened and is still there.

    `words` and `dimensions` are those found when it was opened, 0 where they are not known: a limit stopped the
    reading, or the file has changed since; `language` is "" if not known. `bytes` is its present size, `opened`
    the time in ISO 8601, UTC.
    """

    path: str
    words: int
    dimensions: int
    language: str
    bytes: int
    opened: str


@dataclass(frozen=True)
class _Kept:
    path: str
    words: int
    dimensions: int
    language: str
    size: int
    changed: int  # nanoseconds
    opened: str


def remember(path: str | Path, report: "LoadReport", language: str = "") -> None:
    """Put the file at `path`, just opened, first in the list of recent files.

    `language` is that of its words, in English ("Chinese"), if it is known.

    What cannot be written down is not remembered: a full or locked disk is no reason not to use the vectors.
    """
    with suppress(OSError, RuntimeError):
        whole = Path(path).expanduser().resolve()
        stat = whole.stat()
        words = 0 if report.stopped else report.rows
        opened = datetime.now(UTC).isoformat(timespec="seconds")
        kept = _Kept(str(whole), words, report.dimensions, language, stat.st_size, stat.st_mtime_ns, opened)
        with _alone():
            others = [one for one in _read() if one.path != kept.path]
            _write([kept, *others][:MOST])


def recent() -> list[RecentFile]:
    """Return the files opened lately that are still there, the last one first, at most 20."""
    found = []
    for one in _read():
        try:
            path = Path(one.path)
            stat = path.stat()
            there = path.is_file()
        except (OSError, ValueError):
            continue
        if there:
            same = (stat.st_size, stat.st_mtime_ns) == (one.size, one.changed)
            words, dimensions = (one.words, one.dimensions) if same else (0, 0)
            found.append(RecentFile(one.path, words, dimensions, one.language, stat.st_size, one.opened))
    return found


def _list() -> Path:
    return models_folder() / "recent.json"


def _read() -> list[_Kept]:
    """Return the list as it was written; what is damaged in it counts as not there."""
    try:
        listed = json.loads(_list().read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    return [kept for one in listed[:MOST] if (kept := _kept(one))] if isinstance(listed, list) else []


def _kept(one: Any) -> _Kept | None:
    if not isinstance(one, dict) or set(one) != set(_Kept.__dataclass_fields__):
        return None
    sound = all(isinstance(one[name], str) for name in ("path", "language", "opened"))
    sound = sound and all(type(one[name]) is int for name in ("words", "dimensions", "size", "changed"))
    return _Kept(**one) if sound else None


def _write(listed: list[_Kept]) -> None:
    write_whole(_list(), json.dumps([asdict(one) for one in listed], indent=2))


@contextmanager
def _alone() -> Iterator[None]:
    """Let two processes write one after the other, so that neither forgets the other's file."""
    from filelock import FileLock

    path = _list()
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock", timeout=LOCK_WAIT):  # its Timeout is an OSError
        yield
