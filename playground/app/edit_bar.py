"""Change any number: edits as a line of text that the link carries, as a file, and undone or redone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.state import fill, settled
from playground.attention.edits import (
    MOST_IN_TEXT,
    Edit,
    History,
    apply_edits,
    differences,
    format_edits,
    matrices_from_json,
    matrices_to_json,
    parse_edits,
    waiting,
)
from playground.attention.workbench import Setup
from playground.errors import PlaygroundError
from playground.export.frameworks import MATRICES_FILE

LARGEST_FILE = 50  # megabytes: 64 words and 12 heads of 100 × 100 numbers take 8


@dataclass(frozen=True)
class Edits:
    """The setup with its edits in force, what to say about them, and where they are kept."""

    setup: Setup
    text: str
    prefix: str
    notes: tuple[str, ...]
    error: PlaygroundError | None

    def add(self, *edits: Edit) -> None:
        """Make further edits: for the callback of a widget."""
        history = _history(self.prefix, self.text).add(*edits)
        if len(history.done) > MOST_IN_TEXT:
            st.session_state[f"{self.prefix}too_many"] = len(history.done)
        else:
            _keep(self.prefix, history)


def edit_bar(setup: Setup, matrices: Mapping[str, np.ndarray], prefix: str) -> Edits:
    """Show the edits with undo, redo, reset and files; return the setup of `matrices` with them."""
    key = f"{prefix}edits"
    typed = st.text_input(
        "Edited cells",
        key=key,
        bind="query-params",
        placeholder="X[1,3]=0.5; W_Q[1,2,4]=-1; mask[1,2]=0",
        help="Matrix[row, column]=value, counted from 1. W_Q, W_K and W_V take [head, row, column].",
        on_change=lambda: fill({f"{prefix}undone": ()}),
    )
    text, edits, error = settled(key, typed, "", parse_edits)
    history = _history(prefix, text)
    _buttons(prefix, text, history, where="bar")
    given, file_error = _file(matrices, prefix)
    everything = given + edits
    now = apply_edits(matrices, everything)
    st.download_button(
        "Download all matrices",
        lambda: matrices_to_json(now),
        MATRICES_FILE,
        "application/json",
        key=f"{prefix}matrices",
        on_click="ignore",
        help="Change any number of cells in this file, then open it here.",
    )
    notes = []
    too_many = st.session_state.pop(f"{prefix}too_many", 0)
    if too_many:
        notes.append(f"{too_many} edits are too many for a link (at most {MOST_IN_TEXT}): put them into a file.")
    late = waiting(matrices, everything)
    if late:
        notes.append(f"{format_edits(late[:3])}: there is no such cell now, so the edit waits.")
    if given:
        notes.append(f"{len(given):,} cells come from your file. The link does not carry them.")
    return Edits(replace(setup, edits=everything), text, prefix, tuple(notes), error or file_error)


def undo_row(edits: Edits) -> None:
    """Show the edits in force and their undo, redo and reset, on the page itself; nothing without any."""
    history = _history(edits.prefix, edits.text)
    if history.done or history.undone:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            count = len(history.done)
            st.text(f"{count} edit{'' if count == 1 else 's'}" + (f": {edits.text}" if count and count <= 4 else ""))
            _buttons(edits.prefix, edits.text, history, where="row")


def _buttons(prefix: str, text: str, history: History, where: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for name, after, idle in (
            ("Undo", history.undo(), not history.done),
            ("Redo", history.redo(), not history.undone),
            ("Reset", history.reset(), not history.done),
        ):
            st.button(name, key=f"{prefix}{name.lower()}_{where}", disabled=idle, on_click=_keep, args=(prefix, after))


def _file(matrices: Mapping[str, np.ndarray], prefix: str) -> tuple[tuple[Edit, ...], PlaygroundError | None]:
    uploaded = st.file_uploader("Matrices from a file", type="json", key=f"{prefix}file", max_upload_size=LARGEST_FILE)
    if uploaded is None:
        return (), None
    try:
        return differences(matrices, matrices_from_json(uploaded.getvalue(), matrices)), None
    except PlaygroundError as error:
        return (), error


def _history(prefix: str, text: str) -> History:
    return History(parse_edits(text), st.session_state.get(f"{prefix}undone", ()))


def _keep(prefix: str, history: History) -> None:
    fill({f"{prefix}edits": format_edits(history.done), f"{prefix}undone": history.undone})


def take_back(prefix: str) -> None:
    """Take all edits back, to be redone at will: they belong to matrices of another size."""
    try:
        _keep(prefix, _history(prefix, st.session_state.get(f"{prefix}edits", "")).reset())
    except PlaygroundError:
        _keep(prefix, History())


def show_problem(edits: Edits) -> None:
    """Show what was wrong with the edits, if anything."""
    if edits.error:
        frame.problem(edits.error, f"{edits.prefix}edits", "The numbers stay as they were.")
