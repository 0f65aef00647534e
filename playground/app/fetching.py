"""Downloads that go on while readers look at other pages: one at a time per model, seen by all sessions."""

import threading
from dataclasses import dataclass, field

import streamlit as st

from playground.app.background import in_background
from playground.errors import PlaygroundError
from playground.words.downloads import Progress, download, remove


@dataclass
class Fetch:
    """A download: how far it is, and what became of it. `problem` is empty unless it failed or was cancelled."""

    name: str
    progress: Progress | None = None
    done: bool = False
    problem: str = ""
    stop: threading.Event = field(default_factory=threading.Event)


def fetch(name: str) -> None:
    """Start to fetch the model `name`, unless that is under way."""
    running = _fetches().get(name)
    if running is not None and not running.done:
        return
    one = _fetches()[name] = Fetch(name)

    def note(progress: Progress) -> None:
        one.progress = progress

    def work() -> None:
        try:
            download(name, progress=note, cancelled=one.stop.is_set)
        except PlaygroundError as error:
            one.problem = str(error)
        finally:
            one.done = True

    in_background(work)


def fetch_of(name: str) -> Fetch | None:
    """Return the download of the model `name` that is under way or ended last, if there was one."""
    return _fetches().get(name)


def take_away(name: str) -> None:
    """Delete the model `name` that was fetched, with what is known of its download."""
    try:
        remove(name)
    except PlaygroundError as error:
        _fetches()[name] = Fetch(name, done=True, problem=str(error))
    else:
        _fetches().pop(name, None)


@st.cache_resource
def _fetches() -> dict[str, Fetch]:
    return {}
