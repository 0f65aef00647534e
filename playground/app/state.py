"""What a view remembers, and the link that restores it.

A view's inputs are bound to the address: a key of its own per view, constant defaults.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from playground.app.models import entry_of, vectors_of
from playground.app.own_words import in_own_words
from playground.errors import PlaygroundError

MODEL = "model"
NEXT = "next"  # inputs to be filled when the page starts anew: what was found out after they were drawn
LONGEST_LINK = 60_000  # letters of an address that the server still takes
Result = TypeVar("Result")


def model_name() -> str:
    """Return the name of the chosen word vectors."""
    return str(st.session_state.get(MODEL, "glove"))


def by_language(name: str) -> str:
    """Return the key of an input that each language keeps for itself: English words mean nothing in Chinese."""
    return f"{name}_zh" if entry_of(model_name()).language == "Chinese" else name


def fill(values: Mapping[str, Any]) -> None:
    """Set inputs before they are drawn: for the callback of a button."""
    for key, value in values.items():
        st.session_state[key] = value


def link(values: Mapping[str, Any]) -> str:
    """Return the address that opens this view with exactly these inputs; of a list, each value is a parameter."""
    parameters = [(MODEL, model_name())]
    for key, value in values.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            parameters.append((key, str(one).lower() if isinstance(one, bool) else str(one)))
    address = (st.context.url or "").split("?")[0]
    return f"{address}?{urlencode(parameters)}"


def settled(
    key: str, value: str, default: str, compute: Callable[[str], Result]
) -> tuple[str, Result, PlaygroundError | None]:
    """Return the text that could be computed, its result, and the error if that is not the typed `value`.

    When `value` cannot be used, the last one that could be stands, so that a slip of the keyboard does not
    empty the page. For vectors that hold none of the words of `default`, it is said in words of their own.
    """
    remembered = f"settled_{key}"
    try:
        result = compute(value)
    except PlaygroundError as error:
        own = in_own_words(vectors_of(model_name()), default)
        for earlier in (st.session_state.get(remembered, default), default, own):
            try:
                return earlier, compute(earlier), error
            except PlaygroundError:
                continue  # it was typed for other vectors
        raise
    st.session_state[remembered] = value
    return value, result, None
