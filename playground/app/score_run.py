"""Run a test list from the app: pairs at once, analogies on a click, with progress and a way out.

This is no part of the view's file, which Streamlit executes anew each time: a request would then be of another class
each time, and never equal to the one before.
"""

from dataclasses import dataclass

import streamlit as st

from playground.app import frame
from playground.app.models import vectors_of
from playground.words.analogy import Method
from playground.words.scores import AnalogyScore, PairScore, score_analogies, score_pairs

WANTED, RESULT = "score_wanted", "score_result"


@dataclass(frozen=True)
class Request:
    """What is to be scored: a bundled list by its name `source`, or the reader's own `lines`."""

    model: str
    source: str
    analogies: bool
    limit: int | None
    method: Method
    lines: tuple[str, ...] | None


def result_of(request: Request) -> AnalogyScore | PairScore | None:
    """Return the score that was asked for, or None while it waits for a click.

    The last result is kept for the session. Raises `PlaygroundError` for a list that cannot be read.
    """
    kept = st.session_state.get(RESULT)
    if kept is not None and kept[0] == request:
        result: AnalogyScore | PairScore = kept[1]
        return result
    vectors = vectors_of(request.model)
    source = list(request.lines) if request.lines is not None else request.source
    if not request.analogies:
        scored = score_pairs(vectors, source, restrict_vocab=request.limit)
        st.session_state[RESULT] = (request, scored)
        return scored
    if st.session_state.get(WANTED) != request:
        st.button("Run the test", type="primary", on_click=_want, args=(request,), key="score_run")
        frame.answer("Not run yet: it takes some seconds.", "Each question is compared with all the words.")
        return None
    # a click on Stop starts the page anew, which ends this run at its next step of progress
    st.button("Stop", on_click=_want, args=(None,), key="score_stop")
    bar = st.progress(0.0, text="Asking the questions …")
    answered = score_analogies(
        vectors,
        source,
        restrict_vocab=request.limit,
        method=request.method,
        progress=lambda done, total: bar.progress(done / max(total, 1), text=f"{done:,} of {total:,} questions"),
    )
    st.session_state[RESULT] = (request, answered)
    st.session_state[WANTED] = None
    return st.rerun()  # so that Stop and the bar are gone


def _want(request: Request | None) -> None:
    st.session_state[WANTED] = request
