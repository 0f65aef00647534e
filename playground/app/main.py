"""The router: page settings, the choice of vectors, the list of views."""

from pathlib import Path

import streamlit as st

from playground.app.frame import style
from playground.app.state import MODEL
from playground.words.catalog import catalog

VIEWS = Path(__file__).with_name("views")


def _page(file: str, title: str, default: bool = False) -> st.Page:
    return st.Page(VIEWS / f"{file}.py", title=title, url_path=None if default else file, default=default)


st.set_page_config(page_title="Playground", page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide")
style()
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
    },
    expanded=True,
)
entries = {entry.name: entry for entry in catalog()}
with st.sidebar:
    name = st.selectbox(
        "Word vectors",
        list(entries),
        key=MODEL,
        bind="query-params",
    )
    chosen = entries[name]
    st.caption(
        f"{chosen.title.split(',')[0]}, {chosen.dimensions} numbers a word, {chosen.words:,} {chosen.language} words"
    )
page.run()
