"""Points in three dimensions, to be turned by hand (Plotly)."""

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from playground.plots.colors import TOKEN_HUES
from playground.plots.maps import axis_title
from playground.plots.projection import Projection

MOST_LABELS = 60  # more words than this cover one another; the rest have tooltips


def word_space(projection: Projection, words: Sequence[str], groups: Sequence[str]) -> go.Figure:
    """Return `projection.points (n, 3)` as a turnable picture, coloured by group.

    Plotly reads pseudo-HTML in its texts, so `& < >` of a word are given as entities.
    """
    figure = go.Figure()
    points = projection.points
    names = list(dict.fromkeys(groups))
    for number, name in enumerate(names):
        rows = [i for i, group in enumerate(groups) if group == name]
        safe = [html.escape(words[i], quote=False) for i in rows]
        hue = TOKEN_HUES[number % len(TOKEN_HUES)]
        figure.add_trace(
            go.Scatter3d(
                x=points[rows, 0],
                y=points[rows, 1],
                z=points[rows, 2],
                mode="markers+text" if len(words) <= MOST_LABELS else "markers",
                text=safe,
                hovertemplate="%{text}<extra></extra>",
                name=html.escape(name, quote=False),
                marker={"size": 5, "color": hue},
                textfont={"size": 13, "color": hue},
            )
        )
    axes = {
        f"{letter}axis": {"title": {"text": axis_title(projection, i)}, "showticklabels": False, "showspikes": False}
        for i, letter in enumerate("xyz")
    }
    figure.update_layout(
        scene={**axes, "aspectmode": "data"},
        height=480,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        showlegend=len(names) > 1,
        legend={"orientation": "h", "y": 1.02},
    )
    return figure
