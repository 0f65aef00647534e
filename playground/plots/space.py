"""Points in three dimensions, to be turned by hand (Plotly)."""

import html
import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from playground.plots.colors import TOKEN_HUES
from playground.plots.labels import Place, place_labels
from playground.plots.maps import CHOSEN, CROWD, FONT, LONGEST_LABEL, WIDTH, Link, shown_groups
from playground.plots.numbers import percent
from playground.plots.plane import GREY, Arrow
from playground.plots.projection import Projection

HEIGHT = 440
SHAPES = ("circle", "square", "diamond", "cross", "x", "circle-open", "square-open", "diamond-open")
EYE = np.array([1.5, 1.5, 0.85])  # where the reader stands at first, in units of the picture's sides
LOOK_AT = np.array([0.0, 0.0, -0.12])  # a little below the middle: the titles of the axes stand there
_FIELD = math.pi / 4  # Plotly's angle of view
_SIDES = {"left": "right", "right": "left", "center": "center"}  # Plotly names where the text is, not its anchor


def word_space(
    projection: Projection,
    words: Sequence[str],
    groups: Sequence[str],
    *,
    arrows: Sequence[Arrow] = (),
    links: Sequence[Link] = (),
    labelled: Sequence[bool] | None = None,
    tooltips: Sequence[str] | None = None,
    chosen: Collection[int] = (),
    font: float = FONT,
) -> go.Figure:
    """Return `projection.points (n, 3)` as a turnable picture, by group.

    Labels are kept apart as the picture is first seen; the other words have tooltips, as in `word_map`.
    Plotly reads pseudo-HTML in its texts, so `& < >` of a word are given as entities.
    """
    points = projection.points
    safe = [html.escape(word, quote=False) for word in words]
    notes = [html.escape(note, quote=False) for note in tooltips] if tooltips else [""] * len(words)
    shown = list(labelled) if labelled is not None else [True] * len(words)
    ratio = _sides(points)
    labels = [word if show and len(word) <= LONGEST_LABEL else "" for word, show in zip(words, shown, strict=True)]
    crowd = len(words) > CROWD
    order = [row for row, label in enumerate(labels) if label or not crowd]
    placed = place_labels(
        _screen(points, ratio)[order], [labels[row] for row in order], font=font, size=(WIDTH, HEIGHT)
    )
    places = dict(zip(order, placed, strict=True))
    figure = go.Figure()
    if links:
        figure.add_trace(_lines([(points[link.start], points[link.end]) for link in links], width=1.5))
    if arrows:
        shafts = [(points[arrow.start], points[arrow.end]) for arrow in arrows]
        figure.add_trace(_lines([*shafts, *_barbs(points, arrows)], width=4))
    hues, names = shown_groups(groups)
    for number, name in enumerate(names):
        rows = [i for i, group in enumerate(hues) if group == name]
        hue = TOKEN_HUES[number % len(TOKEN_HUES)]
        figure.add_trace(
            go.Scatter3d(
                x=points[rows, 0],
                y=points[rows, 1],
                z=points[rows, 2],
                mode="markers+text",
                text=[safe[i] if places.get(i) else "" for i in rows],
                textposition=[_position(places.get(i)) for i in rows],
                hovertext=[safe[i] + (f"<br>{notes[i]}" if notes[i] else "") for i in rows],
                hovertemplate="%{hovertext}<extra></extra>",
                name=html.escape(name, quote=False),
                marker={"size": 2.5 if crowd else 5, "color": hue, "symbol": SHAPES[number % len(SHAPES)]},
                textfont={"size": font, "color": hue},
            )
        )
    if chosen:
        figure.add_trace(_rings(points[sorted(chosen)]))
    figure.update_layout(
        scene=_scene(projection, ratio),
        height=HEIGHT,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        showlegend=len(names) > 1,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False},
        hoverlabel={"align": "left"},
    )
    return figure


def _sides(points: np.ndarray) -> np.ndarray:
    """Return the sides of the box, of one scale for all axes, about 1 long; a flat axis keeps a little depth."""
    span = points.max(axis=0) - points.min(axis=0)
    sides: np.ndarray = np.maximum(span / max(float(span.max()), 1e-9), 0.05) * 1.25
    return sides


def _scene(projection: Projection, sides: np.ndarray) -> dict[str, Any]:
    points, ratio = projection.points, projection.explained_variance_ratio
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.maximum(high - low, 1e-9) * 0.05
    scene: dict[str, Any] = {
        f"{letter}axis": {
            "title": {"text": "" if ratio is None else f"PC {i + 1}, {percent(float(ratio[i]))}", "font": {"size": 13}},
            "range": [low[i] - room[i], high[i] + room[i]],
            "showticklabels": False,
            "showspikes": False,
        }
        for i, letter in enumerate("xyz")
    }
    scene["aspectmode"] = "manual"
    scene["aspectratio"] = dict(zip("xyz", sides.tolist(), strict=True))
    scene["camera"] = {
        "eye": dict(zip("xyz", EYE.tolist(), strict=True)),
        "center": dict(zip("xyz", LOOK_AT.tolist(), strict=True)),
    }
    return scene


def _screen(points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Return where `points (n, 3)` are seen from `EYE`, in pixels, y down."""
    low, high = points.min(axis=0), points.max(axis=0)
    placed = (points - (low + high) / 2) / np.maximum(high - low, 1e-9) * sides / 1.1
    forward = (LOOK_AT - EYE) / np.linalg.norm(LOOK_AT - EYE)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    seen = placed - EYE
    scale = HEIGHT / 2 / math.tan(_FIELD / 2) / np.maximum(seen @ forward, 0.1)
    return np.stack([WIDTH / 2 + seen @ right * scale, HEIGHT / 2 - seen @ up * scale], axis=1)


def _position(place: Place | None) -> str:
    if place is None:
        return "middle right"
    height = "middle" if place.dy == 0 else "top" if place.dy < 0 else "bottom"
    return f"{height} {_SIDES[place.align]}"


def _lines(ends: Sequence[tuple[np.ndarray, np.ndarray]], width: float) -> go.Scatter3d:
    x, y, z = zip(*(row for start, end in ends for row in (start.tolist(), end.tolist(), [None] * 3)), strict=True)
    line = {"color": GREY, "width": width}
    return go.Scatter3d(x=x, y=y, z=z, mode="lines", line=line, hoverinfo="skip", showlegend=False, connectgaps=False)


def _barbs(points: np.ndarray, arrows: Sequence[Arrow]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the lines that make the heads of `arrows`: drawn cones cost a computer without graphics seconds."""
    length = 0.035 * float(np.ptp(points, axis=0).max())
    lines = []
    for arrow in arrows:
        start, end = points[arrow.start], points[arrow.end]
        step = end - start
        if np.linalg.norm(step) > 1e-9:
            along = step / np.linalg.norm(step)
            tip = start + 0.95 * step
            across = np.cross(along, np.eye(3)[np.abs(along).argmin()])
            across /= np.linalg.norm(across)
            for side in (across, -across, np.cross(along, across), -np.cross(along, across)):
                lines.append((tip, tip - length * (along - 0.4 * side)))
    return lines


def _rings(points: np.ndarray) -> go.Scatter3d:
    x, y, z = points.T
    marker = {"size": 12, "color": CHOSEN, "symbol": "circle-open", "line": {"width": 3, "color": CHOSEN}}
    return go.Scatter3d(x=x, y=y, z=z, mode="markers", marker=marker, hoverinfo="skip", showlegend=False)
