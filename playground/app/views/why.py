"""The why lab: seven questions on attention, each with its experiment."""

import streamlit as st

from playground.app import frame
from playground.app.why import distance, heads, lesson, mixing, scaling, shuffle, softmax

EXPERIMENTS = {module.NAME: module for module in (scaling, distance, shuffle, heads, mixing, softmax, lesson)}


def show() -> None:
    top = st.container()
    chosen = st.pills(
        "Experiment",
        list(EXPERIMENTS),
        default=scaling.NAME,
        required=True,
        key="why",
        bind="query-params",
        label_visibility="collapsed",
    )
    experiment = EXPERIMENTS[chosen]
    with top:
        frame.question(experiment.TITLE, experiment.PROMISE)
    experiment.show()


show()
