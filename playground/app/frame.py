"""The grammar that all views share: question, inputs, answer, picture, numbers, explanations, what next.

Words of the user or of a vocabulary reach the page only through `st.text`, `st.code`, `st.dataframe`, charts
and `chips`, none of which reads Markdown or HTML.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, cast

import altair as alt
import streamlit as st
from altair.utils.schemapi import disable_debug_mode

from playground.app.chips import chips
from playground.app.state import LONGEST_LINK, fill, link
from playground.errors import PlaygroundError, UnknownWordError

# Altair would check a chart against its schema at each step of making it, and again when done: 100 ms a chart.
# The tests do that for all kinds of charts.
disable_debug_mode()


class _Finished:
    """A chart as Streamlit takes it, without another check."""

    def __init__(self, picture: alt.LayerChart | alt.Chart) -> None:
        self._picture = picture

    def to_dict(self) -> dict[str, Any]:
        return self._picture.to_dict(validate=False)


# Constant text: nothing that was typed gets here.
_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 3.5rem; padding-bottom: 3rem; max-width: 1080px; }
.st-key-question h1 { font-size: 1.9rem; line-height: 1.25; padding: 0 0 0.4rem; margin: 0; }
.st-key-question p { color: var(--st-text-color); opacity: 0.85; }
.st-key-answer [data-testid="stText"] { font-size: 1.35rem; font-weight: 650; line-height: 1.35; }
.st-key-notes [data-testid="stText"], [class*="st-key-standing"] [data-testid="stText"] {
  font-size: 0.95rem; opacity: 0.85;
}
.st-key-model_line [data-testid="stText"] { font-size: 0.875rem; opacity: 0.75; }
[class*="st-key-problem"] [data-testid="stText"] { font-weight: 600; color: #d1495b; }
[data-testid="stText"] { font-family: var(--st-font); white-space: pre-wrap; overflow-wrap: anywhere; }
</style>"""


@dataclass(frozen=True)
class Preset:
    """A chip of "Try next": its label (ours, never typed) and the inputs that it fills."""

    label: str
    values: Mapping[str, Any]


def style() -> None:
    """Give the page its measures; once a run."""
    st.html(_STYLE)


def question(title: str, promise: str) -> None:
    """Show the view's question and one sentence on what will be seen."""
    with st.container(key="question", gap="xsmall"):
        st.title(title, anchor=False)
        st.write(promise)


def answer(sentence: str, *notes: str) -> None:
    """Show the one large sentence computed from the result, and smaller ones on how the input was read."""
    with st.container(key="answer"):
        st.text(sentence)
    shown = [note for note in notes if note]
    if shown:
        with st.container(key="notes", gap=None):
            st.text("\n".join(shown))


def problem(error: PlaygroundError, key: str, standing: str = "") -> None:
    """Show what was wrong with the input `key`; a near spelling can be clicked into its place.

    `standing` says what the page shows instead.
    """
    with st.container(key=f"problem_{key}", gap="small"):
        st.text(str(error))
        if isinstance(error, UnknownWordError) and error.suggestions:
            unknown, near = error.text, error.suggestions

            def correct(index: int) -> None:
                fill({key: str(st.session_state[key]).replace(unknown, near[index], 1)})

            chips(f"near_{key}", near, correct, label="near spellings")
    if standing:
        with st.container(key=f"standing_{key}"):
            st.text(standing)


def chart(
    picture: alt.LayerChart | alt.Chart,
    alt_text: str,
    key: str | None = None,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Show a picture at the full width of the text; `alt_text` says it in words for a screen reader.

    `on_select` is called when something in the picture is clicked; the selection is in the state of `key`.
    """
    st.altair_chart(
        cast(alt.Chart, _Finished(picture)),
        width="stretch",
        alt=alt_text,
        key=key,
        on_select=on_select or "ignore",
    )


def table(columns: Mapping[str, Sequence[Any]], alt_text: str, height: int | None = None) -> None:
    """Show columns of words and numbers; fractions have three decimals and can be copied in full."""
    formats = {float: "%.3f", int: "localized"}  # 110,000 as the reader's language writes it
    config = {
        name: st.column_config.NumberColumn(name, format=formats[type(values[0])])
        for name, values in columns.items()
        if len(values) and type(values[0]) in formats
    }
    st.dataframe(
        dict(columns),
        hide_index=True,
        width="stretch",
        height=height if height is not None else "auto",
        column_config=config,
        alt=alt_text,
    )


def explanations(
    *,
    formula: Callable[[], None],
    python: str | Mapping[str, str],
    picture: Mapping[str, Sequence[Any]],
    why: str,
) -> None:
    """Show the four closed expanders, always in this order; several texts of Python, by name, have a tab each."""
    with st.expander("The formula"):
        formula()
    with st.expander("As Python"):
        if isinstance(python, str):
            st.code(python, language="python")
        else:
            for tab, code in zip(st.tabs(list(python)), python.values(), strict=True):
                tab.code(code, language="python")
    with st.expander("Table of the picture"):
        table(picture, "the numbers of the picture above")
    with st.expander("Why is it so?"):
        st.markdown(why)


def try_next(key: str, presets: Sequence[Preset]) -> None:
    """Show chips that fill the inputs."""
    st.markdown("**Try next**")
    with st.container(horizontal=True, gap="small"):
        for index, preset in enumerate(presets):
            st.button(preset.label, key=f"try_{key}_{index}", on_click=fill, args=(preset.values,))


def footer(
    values: Mapping[str, Any], downloads: Mapping[str, tuple[str | Callable[[], bytes], str]] | None = None
) -> None:
    """Show the link to this view with its inputs `values`, and files to keep: name → (content, MIME type).

    A content that takes time to make is given as a function, called when the reader asks for the file.
    """
    files = downloads or {}
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        with st.popover("Link to this view", type="tertiary"):
            address = link(values)
            if len(address) > LONGEST_LINK:
                st.text("What you typed is too long for a link. Keep it in a file of your own.")
            else:
                st.code(address, language=None, wrap_lines=True)
        with st.popover("Download", type="tertiary") if len(files) > 2 else nullcontext():
            for name, (content, mime) in files.items():
                st.download_button(f"Download {name}", content, name, mime, type="tertiary", on_click="ignore")
