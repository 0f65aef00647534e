"""Vectors that were read once, kept on the disk so that they open at once the next time.

An entry is a folder, written beside its place and then renamed, so that it is whole or not there. Its name is
a hash of all that the result of a load depends on.
"""

import errno
import json
import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from playground.errors import PlaygroundError
from playground.words.folders import cache_folder

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

_LAYOUT = 1  # goes up when entries are written otherwise than before
LARGEST = 20_000_000_000  # bytes of all entries together
WORTH = 1_000_000  # bytes of numbers from which a file is kept: less is read in no time
_WRITING = "writing-"
_OURS = re.compile(rf"[0-9a-f]{{32}}|{_WRITING}.+")
_LEFTOVER = 3600  # seconds without a change, after which what a writer left belongs to nobody


@dataclass(frozen=True)
class CacheEntry:
    """The vectors of the file `source` as the cache holds them.

    `limit` (None: the whole file) and `normalize_keys` are those of the load, `bytes` those on the disk, `when`
    the time of writing. `stale`: the file is gone or has changed since, so that the entry is of no use.
    """

    source: Path
    words: int
    dimensions: int
    limit: int | None
    normalize_keys: bool
    bytes: int
    when: datetime
    stale: bool
    folder: Path


@dataclass(frozen=True)
class _Content:
    """What a load reads: a file and those that may belong to it (name, size, time of change), and how."""

    path: Path
    files: tuple[tuple[str, int, int], ...]
    normalize_keys: bool


def cached(path: Path, limit: int | None = None, normalize_keys: bool = False) -> "KeyedVectors":
    """Return the vectors of a file as `read_vectors` does, from the cache if they are there.

    What is read anew is put there, if it is large enough to gain by it. A load with `limit` takes the first
    rows of a whole file in the cache. An entry that is damaged is removed. That nothing could be written is
    told in a note of the report, and changes nothing else.
    """
    started = time.perf_counter()
    content = _content(path, normalize_keys)
    vectors = _open(content, limit) if content else None
    if vectors is None:
        from playground.words.readers import read_vectors

        vectors = read_vectors(path, limit=limit, normalize_keys=normalize_keys)
        # a file that changed while it was read may have been read half old, half new
        if content is not None and content == _content(path, normalize_keys):
            vectors.report = replace(vectors.report, notes=(*vectors.report.notes, *_keep(vectors, content)))
    vectors.report = replace(vectors.report, name=path.name, seconds=time.perf_counter() - started)
    return vectors


def entries() -> list[CacheEntry]:
    """Return what the cache holds, the latest first."""
    found = [entry for folder in _folders() if (entry := _entry(folder))]
    return sorted(found, key=lambda one: one.when, reverse=True)


def size() -> int:
    """Return the bytes that the cache takes on the disk, with what crashed writers left."""
    return sum(map(_bytes, _folders()))


def empty() -> int:
    """Remove everything that the cache holds, with what crashed writers left; return the bytes that were freed.

    Vectors that are open, here or in another process, stay usable.
    """
    before = size()
    for folder in _folders():
        _remove(folder)
    return before - size()


def _home() -> Path:
    return cache_folder() / "vectors"


def _content(path: Path, normalize_keys: bool) -> _Content | None:
    """Return what a load would read now; None for a file that cannot be looked at: its reader says what is wrong."""
    from playground.words.readers.arrays import metadata_names, vocabulary_names
    from playground.words.readers.source import open_source

    try:
        path = path.resolve(strict=True)
        source = open_source(path)
        names = {path.name, *vocabulary_names(source), *metadata_names(source)}
        # gensim keeps the large arrays of model.kv, or model.kv.gz, in files such as model.kv.vectors.npy
        array = re.compile(rf"({re.escape(path.name)}|{re.escape(path.stem)})\..+\.np[yz]")
        with os.scandir(path.parent) as files:
            beside = [file for file in files if file.name in names or array.fullmatch(file.name)]
        found = [Path(file) for file in beside if file.is_file()]
        stats = sorted((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in found)
    except (OSError, PlaygroundError):
        return None
    return _Content(path, tuple(stats), normalize_keys)


def _folder(content: _Content, limit: int | None) -> Path:
    """Return where the entry of a load lies."""
    from playground.words.readers import READER_VERSION

    key = [str(content.path), content.files, content.normalize_keys, limit, READER_VERSION, _LAYOUT]
    return _home() / sha256(json.dumps(key).encode("ascii")).hexdigest()[:32]


def _open(content: _Content, limit: int | None) -> "KeyedVectors | None":
    """Return the vectors of a load from the entry of the whole file, or else from its own; None if there is none."""
    from playground.words.stored_vectors import open_folder

    for folder in dict.fromkeys((_folder(content, None), _folder(content, limit))):
        try:
            if folder.is_dir():
                return open_folder(folder, limit)
        except Exception:  # whatever the damage is, the file itself can be read
            _remove(folder)
    return None


def _keep(vectors: "KeyedVectors", content: _Content) -> list[str]:
    """Write an entry if it is worth it; return a sentence if that is not possible."""
    from playground.words.stored_vectors import numbers, write_folder

    needed = sum(array.nbytes for array in numbers(vectors).values())
    if needed <= WORTH:
        return []
    home = _home()
    # a load that came to the end of the file holds the whole of it
    limit = vectors.report.limit if vectors.report.stopped else None
    facts = {
        "source": str(content.path),
        "normalize_keys": content.normalize_keys,
        "limit": limit,
        "when": time.time(),
    }
    try:
        home.mkdir(parents=True, exist_ok=True)
        _remove_leftovers()
        if shutil.disk_usage(home).free < needed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with tempfile.TemporaryDirectory(prefix=_WRITING, dir=home, ignore_cleanup_errors=True) as name:
            write_folder(Path(name), vectors, facts)
            may_read = content.path.stat().st_mode & 0o044  # whoever may read the file, and nobody else
            Path(name).chmod(0o700 | may_read | may_read >> 2)
            _rename(Path(name), _folder(content, limit))
        _remove_superseded(_folder(content, limit))
        _remove_oldest(_folder(content, limit))
    except (OSError, ValueError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "not enough memory"
        return [f"The next load will be no faster: nothing could be kept in {home} ({reason})."]
    return []


def _rename(written: Path, folder: Path) -> None:
    try:
        written.rename(folder)
    except OSError:
        if not folder.is_dir():  # otherwise another process was quicker, and wrote the same
            raise


def _remove_leftovers() -> None:
    for folder in _folders():
        if folder.name.startswith(_WRITING):
            with suppress(OSError):
                changed = max(one.stat().st_mtime for one in (folder, *folder.iterdir()))
                if changed < time.time() - _LEFTOVER:
                    _remove(folder)


def _remove_superseded(folder: Path) -> None:
    """Remove entries of the same file that are out of date, or hold but a part of what `folder` holds."""
    new = _entry(folder)
    for other in _folders():
        entry = _entry(other)
        if entry is None or new is None or other == folder or entry.source != new.source:
            continue
        whole = new.limit is None and entry.normalize_keys == new.normalize_keys
        if whole or entry.stale:
            _remove(other)


def _remove_oldest(new: Path) -> None:
    """Remove the entries written longest ago, but not the `new` one, until the cache is no larger than it may be."""
    too_many = size() - LARGEST
    for one in reversed(entries()):
        if too_many > 0 and one.folder != new:
            _remove(one.folder)
            too_many -= one.bytes


def _entry(folder: Path) -> CacheEntry | None:
    """Return what a folder of the cache holds, None for a damaged one and for what is still being written."""
    from playground.words.stored_vectors import read_facts

    try:
        facts = read_facts(folder)
        source, limit, normalize_keys = Path(facts["source"]), facts["limit"], facts["normalize_keys"]
        content = _content(source, normalize_keys)
        return CacheEntry(
            source=source,
            words=facts["report"]["rows"],
            dimensions=facts["report"]["dimensions"],
            limit=limit,
            normalize_keys=normalize_keys,
            bytes=_bytes(folder),
            when=datetime.fromtimestamp(facts["when"], UTC),
            stale=content is None or _folder(content, limit) != folder,
            folder=folder,
        )
    except Exception:  # as above
        return None


def _folders() -> list[Path]:
    """Return the folders that are the cache's own, and no others that may lie beside them."""
    try:
        return [folder for folder in _home().iterdir() if _OURS.fullmatch(folder.name) and folder.is_dir()]
    except OSError:
        return []


def _bytes(folder: Path) -> int:
    try:
        return sum(file.stat().st_size for file in folder.iterdir())
    except OSError:  # it was removed meanwhile
        return 0


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
