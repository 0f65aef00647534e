"""The numbers behind a map, each computed once, and left alone when the reader goes on."""

import time
from concurrent.futures import Future
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from playground.app.background import in_background
from playground.app.models import entry_of, vectors_of
from playground.plots.distortion import Distortion, distortion
from playground.plots.maps import Link
from playground.plots.projection import Projection, ProjectionMethod, project
from playground.words.word_list import WordList, read_word_list

NEIGHBORS = 10  # true neighbours of a word that a picture is measured by
LINKED, LINKED_OF_MANY, LINKED_OF_CHOSEN = 2, 1, 5  # neighbours a word has lines to
MANY = 100


@dataclass(frozen=True)
class Drawn:
    """The places of the words, and how far they can be believed: None where there is nothing to measure."""

    projection: Projection
    distortion: Distortion | None


def words_of(model: str, text: str, limit: int) -> WordList:
    """Return the list of words `text`, read once for all reruns of the page; raises as `read_word_list` does."""
    return _read(model, entry_of(model).stamp, text, limit)


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(model: str, stamp: tuple[int, ...], text: str, limit: int) -> WordList:
    return read_word_list(vectors_of(model), text, limit)


def drawn(matrix: np.ndarray, method: ProjectionMethod, dims: int, seed: int) -> Drawn:
    """Return the picture of `matrix (n, d)`; while it takes long, the page says so and can be left."""
    job = _start(matrix.astype(np.float64).tobytes(), matrix.shape, method, dims, seed)
    began = time.monotonic()
    waiting = st.empty()
    while True:
        try:
            result = job.result(timeout=0.25)
        except TimeoutError:
            # writing to the page is also where a new request of the reader ends this run
            waiting.caption(f"t-SNE is placing {len(matrix)} words: {time.monotonic() - began:.0f} s so far …")
        else:
            waiting.empty()
            return result


@st.cache_resource(max_entries=32, show_spinner=False)
def _start(numbers: bytes, shape: tuple[int, int], method: ProjectionMethod, dims: int, seed: int) -> "Future[Drawn]":
    return in_background(lambda: _draw(np.frombuffer(numbers).reshape(shape), method, dims, seed))


def _draw(matrix: np.ndarray, method: ProjectionMethod, dims: int, seed: int) -> Drawn:
    projection = project(matrix, method, dims, seed)
    if method == "tsne" and projection.note:  # too few words: it placed them by PCA
        by_pca = project(matrix, "pca", dims)
        projection = replace(by_pca, note=f"{projection.note} {by_pca.note}".strip())
    spread = len(matrix) >= 3 and np.ptp(projection.points, axis=0).max() > 0
    return Drawn(projection, distortion(matrix, projection.points, NEIGHBORS) if spread else None)


def links_of(found: Distortion, chosen: list[int]) -> list[Link]:
    """Return lines from each word to its nearest by true cosine: of the `chosen` rows alone, if there are any."""
    n = len(found.neighbors)
    most = LINKED_OF_CHOSEN if chosen else LINKED if n <= MANY else LINKED_OF_MANY
    links: dict[tuple[int, int], Link] = {}
    for row in chosen or range(n):
        for other, cosine in zip(found.neighbors[row, :most].tolist(), found.cosines[row, :most].tolist(), strict=True):
            links.setdefault((min(row, other), max(row, other)), Link(row, other, cosine))
    return list(links.values())
