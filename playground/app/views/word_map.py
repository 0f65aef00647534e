"""What does a map of words look like?"""

from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
import streamlit as st

from playground.app import frame
from playground.app.frame import Preset
from playground.app.map_files import map_files
from playground.app.map_selection import chosen_words, selection_buttons, take_from_picture
from playground.app.map_text import (
    WHY_PCA,
    WHY_TSNE,
    kept_sentence,
    map_answer,
    map_formula,
    nearest_words,
    word_notes,
)
from playground.app.map_work import Drawn, drawn, links_of, words_of
from playground.app.models import vectors_of
from playground.app.state import by_language, model_name, settled
from playground.app.themes import THEMES
from playground.export.python import projection_code
from playground.plots.maps import Arrow, first_of_groups, word_map
from playground.plots.projection import ProjectionMethod
from playground.words.word_list import WordList

MOST_WORDS = 2000
MOST_FOR_TSNE = {2: 1000, 3: 400}  # more take minutes
MOST_LABELS = 60  # more cover one another; the rest have tooltips
FLAT, DEEP = "2-D", "3-D"
PCA, TSNE = "PCA", "t-SNE"


@dataclass(frozen=True)
class Options:
    """How the map is drawn, as the reader chose it."""

    method: ProjectionMethod
    dims: int
    seed: int
    links: bool
    font: int

    @property
    def most_words(self) -> int:
        return MOST_WORDS if self.method == "pca" else MOST_FOR_TSNE[self.dims]


def show() -> None:
    frame.question(
        "What does a map of words look like?",
        "A hundred numbers a word, pressed flat, so that alike words lie near each other. See what the picture keeps.",
    )
    key, model = by_language("map_words"), model_name()
    vectors = vectors_of(model)
    themes = THEMES[key]
    default = next(iter(themes.values()))
    left, right = st.columns([4, 1.25])
    typed = left.text_area(
        "Words, one group a line; an arrow is typed `man -> king`",
        value=default,
        key=key,
        bind="query-params",
        height=134,
        max_chars=60_000,
    )
    with right:
        options = _options()
    text, found, error = settled(key, typed, default, lambda words: words_of(model, words, options.most_words))
    if error:
        frame.problem(error, key, "Still shown: the words of before.")
    result = drawn(found.matrix, options.method, options.dims, options.seed)
    sentence = map_answer(result.projection, len(found.words))
    frame.answer(sentence, kept_sentence(result.distortion), result.projection.note, *found.notes)
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        selected_key = by_language("map_selected")
        chosen = chosen_words(selected_key, found.words)
        selection_buttons(vectors, selected_key, key, text, found.words, chosen)
    with picture:
        flat = _picture(found, result, options, chosen, selected_key, sentence)
    table = _table(found, result)
    by_pca = result.projection.explained_variance_ratio is not None
    frame.explanations(
        formula=lambda: map_formula(result.projection, vectors.vector_size),
        python=projection_code(model, found.words, options.dims, "pca" if by_pca else "tsne", options.seed),
        picture=table,
        why=WHY_PCA if by_pca else WHY_TSNE,
    )
    frame.try_next("map", [Preset(name, {key: value, selected_key: []}) for name, value in themes.items()])
    frame.footer(
        {
            key: text,
            "map_method": TSNE if options.method == "tsne" else PCA,
            "map_dims": f"{options.dims}-D",
            "map_seed": options.seed,
            "map_links": options.links,
            "map_font": options.font,
            selected_key: chosen,
        },
        map_files(found.words, found.matrix, result.projection.points, _axes(result), flat),
    )


def _options() -> Options:
    method = st.segmented_control(
        "Method",
        [PCA, TSNE],
        default=PCA,
        required=True,
        key="map_method",
        bind="query-params",
        label_visibility="collapsed",
    )
    dims = st.segmented_control(
        "Picture",
        [FLAT, DEEP],
        default=FLAT,
        required=True,
        key="map_dims",
        bind="query-params",
        label_visibility="collapsed",
    )
    with st.popover("Options"):
        links = st.toggle("Lines to the truly nearest words", value=False, key="map_links", bind="query-params")
        st.caption("Near by cosine, in all the numbers. With words selected, only theirs.")
        font = st.number_input(
            "Size of the words", min_value=9, max_value=28, value=13, step=1, key="map_font", bind="query-params"
        )
        seed = st.number_input(
            "Seed of t-SNE", min_value=0, max_value=9999, value=0, step=1, key="map_seed", bind="query-params"
        )
    return Options("tsne" if method == TSNE else "pca", 3 if dims == DEEP else 2, int(seed), bool(links), int(font))


def _picture(
    found: WordList, result: Drawn, options: Options, chosen: list[str], selected_key: str, sentence: str
) -> Any:
    """Draw the map; return the flat picture, or None for one of three dimensions, which is another library's."""
    rows = [found.words.index(word) for word in chosen]
    links = links_of(result.distortion, rows) if options.links and result.distortion else []
    groups = [group or "words" for group in found.groups]
    labelled = first_of_groups(groups, MOST_LABELS)
    for row in {*rows, *(end for pair in found.pairs for end in pair)}:
        labelled[row] = True
    drawing: dict[str, Any] = {
        "arrows": [Arrow(*pair) for pair in found.pairs],
        "links": links,
        "labelled": labelled,
        "tooltips": word_notes(found.words, result.distortion),
        "chosen": rows,
        "font": options.font,
    }
    projection = result.projection
    if options.dims == 3:
        from playground.plots.space import word_space

        figure = word_space(projection, found.words, groups, **drawing)
        config = {"displaylogo": False, "toImageButtonOptions": {"filename": "map", "scale": 2}}
        st.plotly_chart(figure, width="stretch", config=config, alt=f"3-D map of words. {sentence}")
        return None
    chart = word_map(projection, found.words, groups, **drawing, selectable=True)
    # another picture has another key: what was clicked in one means nothing in the next
    name = f"map_picture_{blake2b(projection.points.tobytes(), digest_size=6).hexdigest()}"
    taken = partial(take_from_picture, name, selected_key, found.words, projection.points)
    frame.chart(chart, f"Map of {', '.join(found.words[:40])}. {sentence}", key=name, on_select=taken)
    return chart


def _axes(result: Drawn) -> list[str]:
    name = "t-SNE" if result.projection.explained_variance_ratio is None else "PC"
    return [f"{name} {axis + 1}" for axis in range(result.projection.points.shape[1])]


def _table(found: WordList, result: Drawn) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {"word": list(found.words), "group": list(found.groups)}
    table |= dict(zip(_axes(result), result.projection.points.T.tolist(), strict=True))
    if result.distortion is not None:
        k = result.distortion.k
        table[f"kept of {k} nearest"] = np.rint(result.distortion.kept * k).astype(int).tolist()
        table["truly nearest here"] = nearest_words(found.words, result.distortion, 5)
    return table


show()
