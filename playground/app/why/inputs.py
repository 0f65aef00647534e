"""The inputs that the experiments share."""

from collections.abc import Mapping

import streamlit as st

from playground.app import frame
from playground.app.models import vectors_of
from playground.app.sentence import Sentence, read_sentence
from playground.app.state import by_language, model_name, settled
from playground.attention.multihead import MultiHeadAttention
from playground.plots.colors import TOKEN_HUES

WITH, WITHOUT = TOKEN_HUES[0], TOKEN_HUES[1]  # the hues of "with" and "without", the same in every experiment


def sentence_input(name: str, defaults: Mapping[str, str], label: str = "Sentence") -> tuple[str, str, Sentence]:
    """Show the input of a sentence; return its key, the text that could be read, and the sentence."""
    key = by_language(name)
    vectors = vectors_of(model_name())
    typed = st.text_input(label, value=defaults[key], key=key, bind="query-params", max_chars=5000)
    text, sentence, error = settled(key, typed, defaults[key], lambda words: read_sentence(vectors, words))
    if error:
        frame.problem(error, key, f"Still shown: {text}")
    return key, text, sentence


def one_random_head(d_model: int, seed: int = 0) -> MultiHeadAttention:
    """Return a layer of one head with random projections to a quarter of the width."""
    d_k = -(-d_model // 4)
    return MultiHeadAttention.random(d_model, 1, d_k=d_k, d_v=d_k, seed=seed)
