"""The router: page settings, the choice of vectors, the list of views."""

from pathlib import Path

import streamlit as st

from playground.app import frame
from playground.app.models import available, entry_of, short_title, size_line
from playground.app.state import MODEL, NEXT, fill
from playground.errors import PlaygroundError

VIEWS = Path(__file__).with_name("views")


def _page(file: str, title: str, default: bool = False) -> st.Page:
    return st.Page(VIEWS / f"{file}.py", title=title, url_path=None if default else file, default=default)


st.set_page_config(page_title="Playground", page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide")
frame.style()
page = st.navigation(
    {
        "Words": [
            _page("analogies", "Analogies", default=True),
            _page("neighbors", "Neighbours"),
            _page("similarity", "Similarity"),
            _page("word_map", "Map"),
            _page("axes", "Axes"),
            _page("odd_one_out", "Odd one out"),
            _page("scores", "Test lists"),
        ],
        "Attention": [
            _page("attention", "Attention"),
            _page("heads", "Several heads"),
            _page("positions", "Positions"),
            _page("word_order", "Who hits whom?"),
            _page("why", "Why lab"),
            _page("learned", "Heads that have learnt"),
            _page("meaning", "Meaning in context"),
        ],
        "Models": [_page("models", "Word vectors")],
    },
    expanded=True,
)
fill(st.session_state.pop(NEXT, {}))
with st.sidebar:
    name = st.selectbox("Word vectors", [entry.name for entry in available()], key=MODEL, bind="query-params")
    chosen = entry_of(name)
    with st.container(key="model_line"):
        st.text(f"{short_title(chosen)}, {size_line(chosen)}")
try:
    page.run()
except PlaygroundError as error:
    # such as vectors whose file has gone, or that hold too little for this view
    frame.problem(
        PlaygroundError(str(error)), "page", "Choose other word vectors in the side bar, or open some under Models."
    )
