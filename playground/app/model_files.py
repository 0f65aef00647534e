"""The parts of the page on word vectors that deal with files: open one, what came of it, what is in memory."""

import streamlit as st

from playground.amounts import size
from playground.app import frame
from playground.app.models import held
from playground.app.opening import OPENED, Opened, open_path, open_uploads, waiting
from playground.app.shelf import ALWAYS_KEPT, memory_limit
from playground.words import cache

PATH, ROUND, LIMIT, NORMALIZE = "models_path", "models_upload_round", "models_limit", "models_normalize"


def open_file() -> None:
    """Show the ways to open a file, and how far the one being read is."""
    by_path, by_upload, options = st.columns([2, 2, 1.2])
    limit_words = options.number_input(
        "Only the first words",
        min_value=0,
        value=0,
        step=10_000,
        key=LIMIT,
        help="0 reads all. Most files are sorted by frequency: the first 100,000 words are enough for most questions.",
    )
    normalize = options.toggle(
        "One form of accents",
        key=NORMALIZE,
        help="Writes each word in Unicode's form NFC: an é made of two characters becomes the usual single one.",
    )
    limit = int(limit_words) or None

    def open_typed() -> None:
        if st.session_state[PATH].strip():
            open_path(st.session_state[PATH], limit, normalize)

    by_path.text_input(
        "Path on this computer",
        key=PATH,
        placeholder="~/vectors/my.vec",
        on_change=open_typed,
        max_chars=4000,
        help="GloVe, word2vec, fastText, gensim .kv or .model, .npy with a list of words, TSV pair; packed or not.",
    )
    upload_key = f"models_upload_{st.session_state.get(ROUND, 0)}"

    def open_sent() -> None:
        files = st.session_state[upload_key]
        if files:
            open_uploads(files, limit, normalize)
            st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1  # an empty uploader lets the memory go

    by_upload.file_uploader(
        "or send it here, with the files that belong to it",
        accept_multiple_files=True,
        key=upload_key,
        on_change=open_sent,
        help="It is read in a private temporary file, which is removed at once. No other visitor sees it.",
    )
    waiting()


def report_of() -> None:
    """Show what came of the file opened last."""
    opened: Opened | None = st.session_state.get(OPENED)
    if opened is None:
        return
    if opened.report is None:
        with st.container(key="problem_opened"):
            st.text(opened.problem)
        with st.container(key="standing_opened"):
            st.text("The vectors chosen before stay.")
        return
    with st.container(key="notes_opened"):
        st.text("\n".join(opened.report.sentences))
        st.text(f"Read in {opened.report.seconds:.1f} s; it takes {size(opened.report.memory)} of memory.")


def memory_table() -> None:
    """Show the models in memory, and what happens when they are too many."""
    models = held()
    if models:
        frame.table(
            {"set": [one.name for one in models], "memory": [size(one.bytes) for one in models]},
            "the models in memory",
        )
    total = f"{size(sum(one.bytes for one in models))} in all." if models else "Nothing yet: no view has asked for any."
    st.text(
        f"{total} Above {size(memory_limit())}, the set that was used least recently is let go; "
        f"the last {ALWAYS_KEPT} always stay, so that two can be compared."
    )


def cache_line() -> None:
    """Show what the converted files take on the disk, and a way to be rid of them."""
    entries = cache.entries()
    if not entries:
        return
    st.text(
        f"Large files are kept in a form that opens at once: {len(entries)} of them, "
        f"{size(sum(one.bytes for one in entries))} on this disk. They are made again when needed."
    )
    st.button("Empty this cache", key="models_empty_cache", on_click=_empty_cache)


def _empty_cache() -> None:
    cache.empty()
