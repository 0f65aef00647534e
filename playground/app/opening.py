"""Open a file of vectors: one on this disk by its path, or one that the browser sends."""

import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from playground.app.background import in_background
from playground.app.models import bring
from playground.app.state import MODEL, NEXT
from playground.errors import PlaygroundError, shorten
from playground.words.language import language_of
from playground.words.readers.report import LoadReport

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

SET = "models_set"  # the set that the page on word vectors tells of
JOB, OPENED = "opening_job", "opened"


class Uploaded(Protocol):
    """A file as Streamlit's uploader gives it."""

    @property
    def name(self) -> str: ...

    def getbuffer(self) -> memoryview: ...


@dataclass(frozen=True)
class Opening:
    """A file that is being read. `path` is None for one that the browser sent."""

    name: str
    path: str | None
    normalize_keys: bool
    began: float
    job: "Future[KeyedVectors]"


@dataclass(frozen=True)
class Opened:
    """What came of the file opened last: the name of its vectors and the report, or the sentence that refuses it."""

    name: str
    report: LoadReport | None
    problem: str = ""


def open_path(typed: str, limit: int | None, normalize_keys: bool) -> None:
    """Begin to read the file at a typed path; the page shows how it goes by `waiting`."""
    from playground.words.catalog import load

    path = typed.strip().strip("\"'")
    if not path:
        st.session_state[OPENED] = Opened("", None, "The path is empty: type where the file lies, such as ~/my.vec.")
        return
    try:
        whole = Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a home that nobody has, a character that no name can have
        st.session_state[OPENED] = Opened("", None, f"{shorten(path)!r} cannot be opened: {str(error).rstrip('.')}.")
        return
    job = in_background(lambda: load(whole, limit, normalize_keys))
    st.session_state[JOB] = Opening(whole.name, str(whole), normalize_keys, time.monotonic(), job)


def open_uploads(files: Sequence[Uploaded], limit: int | None, normalize_keys: bool) -> None:
    """Begin to read what the browser sent: one file of vectors, with the files that belong to it."""
    from playground.words.readers import read_vectors

    names = [_plain_name(file.name) for file in files]
    chosen = _main_file(names)

    def read() -> "KeyedVectors":
        try:
            # private to this user of the machine, and gone when the vectors are in memory
            with tempfile.TemporaryDirectory(prefix="playground-", ignore_cleanup_errors=True) as folder:
                for name, file in zip(names, files, strict=True):
                    (Path(folder) / name).write_bytes(file.getbuffer())
                return read_vectors(Path(folder) / chosen, limit, normalize_keys)
        except OSError as error:
            raise PlaygroundError(f"{chosen} cannot be kept while it is read: {error.strerror or error}.") from None

    job = in_background(read)
    st.session_state[JOB] = Opening(chosen, None, normalize_keys, time.monotonic(), job)


def waiting() -> None:
    """While a file is being read, say so; when it is done, choose its vectors and start the page anew."""
    opening: Opening | None = st.session_state.get(JOB)
    if opening is None:
        return
    place = st.empty()
    while not opening.job.done():
        # writing to the page is also where a new request of the reader ends this run
        place.text(f"Reading {opening.name}: {time.monotonic() - opening.began:.0f} s so far …")
        time.sleep(0.25)
    del st.session_state[JOB]
    st.session_state[OPENED] = _finish(opening)
    st.rerun()


def _finish(opening: Opening) -> Opened:
    from playground.words.recent import remember

    try:
        vectors = opening.job.result()
    except PlaygroundError as error:
        return Opened(opening.name, None, str(error))
    report: LoadReport = vectors.report
    # a part of a file is not the file: only the whole one is found again by its path
    if opening.path is None or report.stopped or opening.normalize_keys:
        name = bring(opening.name, vectors).name
    else:
        remember(opening.path, report, language_of(vectors))
        name = opening.path
    st.session_state[NEXT] = {MODEL: name, SET: name}
    return Opened(name, report)


def _main_file(names: Sequence[str]) -> str:
    """Return the file of vectors among files that belong together."""
    named = [name for name in names if all(other.startswith(name) for other in names)]
    arrays = [name for name in names if name.endswith(".npy")]
    return (named or arrays or sorted(names, key=_is_metadata))[0]


def _is_metadata(name: str) -> bool:
    return any(part in name.lower() for part in ("meta", "label", "words", "vocab"))


def _plain_name(name: str) -> str:
    """Return the last part of a name from the browser, which could hold a path of either kind."""
    return name.replace("\\", "/").rpartition("/")[2].lstrip(".") or "upload"
