"""Another set of vectors to hold a view's answer against."""

import streamlit as st

from playground.app.models import available
from playground.app.state import model_name

NONE = "none"


def other_model(key: str) -> str | None:
    """Show the choice of a second set of vectors; return its name, or None."""
    others = [entry.name for entry in available() if entry.name != model_name()]
    chosen = st.selectbox("Compare with", [NONE, *others], key=key, bind="query-params")
    return None if chosen == NONE else str(chosen)
