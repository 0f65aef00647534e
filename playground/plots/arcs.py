"""Who looks at whom, as arcs over the sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

import altair as alt
import numpy as np

from playground.plots.charts import data_of
from playground.plots.colors import token_hue

LETTER, WIDE_LETTER, GAP = 8.0, 15.0, 16.0  # units of width, of a bold font of 14 where there is room for it
FONT = 14
STEPS = 24  # points of an arc


@dataclass(frozen=True)
class Arc:
    """One look: from the token `start` to the token `end`, with its weight in [0, 1]; `faint` if it means little."""

    start: int
    end: int
    weight: float
    faint: bool = False


def arcs(tokens: Sequence[str], looks: Sequence[Arc], height: int = 230) -> alt.LayerChart:
    """Return the sentence with an arc for each look, in the colour of the word that looks.

    An arc is as thick as its weight, and has its arrow head at the word that is looked at.
    """
    centres, total = _centres(tokens)
    farthest = max((abs(centres[look.end] - centres[look.start]) for look in looks), default=1.0)
    lines, heads = [], []
    for number, look in enumerate(looks):
        x0, x1 = centres[look.start], centres[look.end]
        tall = 0.2 + 0.75 * abs(x1 - x0) / max(farthest, 1e-9)
        facts = {
            "hue": token_hue(look.start),
            "width": 1.0 + 4.0 * look.weight,
            "opacity": 0.25 if look.faint else 1.0,
            "said": f"{tokens[look.start]} → {tokens[look.end]}",
            "weight": look.weight,
        }
        for step, t in enumerate(np.linspace(0, np.pi, STEPS)):
            x = (x0 + x1) / 2 - (x1 - x0) / 2 * np.cos(t)
            lines.append({"arc": number, "step": step, "x": float(x), "y": float(tall * np.sin(t)), **facts})
        heads.append({"x": float(x1), "y": 0.03, **facts})
    words = [
        {"x": float(centre), "y": -0.1, "word": token, "hue": token_hue(i)}
        for i, (centre, token) in enumerate(zip(centres, tokens, strict=True))
    ]
    crowded = total > 800
    x_scale = alt.X("x:Q", scale=alt.Scale(domain=[0, total], nice=False), axis=None)
    y_scale = alt.Y("y:Q", scale=alt.Scale(domain=[-0.9 if crowded else -0.18, 1.05], nice=False), axis=None)
    color = alt.Color("hue:N", scale=None, legend=None)
    tooltip = [alt.Tooltip("said:N", title="looks at"), alt.Tooltip("weight:Q", format=".3f")]
    text = alt.Chart(data_of(words)).mark_text(
        fontSize=FONT,
        fontWeight="bold",
        baseline="middle",
        align="right" if crowded else "center",
        angle=300 if crowded else 0,
        limit=110,
    )
    layers = [
        text.encode(x=x_scale, y=y_scale, text="word:N", color=color),
    ]
    if lines:
        drawn = alt.Chart(data_of(lines)).mark_line(interpolate="monotone", strokeCap="round")
        point = alt.Chart(data_of(heads)).mark_point(shape="triangle-down", filled=True, size=90)
        opacity = alt.Opacity("opacity:Q", scale=None, legend=None)
        layers += [
            drawn.encode(
                x=x_scale,
                y=y_scale,
                detail="arc:N",
                order="step:Q",
                color=color,
                opacity=opacity,
                strokeWidth=alt.StrokeWidth("width:Q", scale=None, legend=None),
                tooltip=tooltip,
            ),
            point.encode(x=x_scale, y=y_scale, color=color, opacity=opacity, tooltip=tooltip),
        ]
    return alt.LayerChart(layer=layers).properties(height=height + (110 if crowded else 0))


def _centres(tokens: Sequence[str]) -> tuple[np.ndarray, float]:
    """Return the middle of each token on a line of text, and the length of the line."""
    widths = [
        GAP + sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in token) for token in tokens
    ]
    if sum(widths) > 800:
        widths = [1.0] * len(tokens)  # the words stand aslant, so each needs the same room
        ends = np.cumsum(widths) * 801 / len(tokens)
        return ends - ends[0] / 2, float(ends[-1])
    ends = np.cumsum(widths)
    return ends - np.array(widths) / 2, float(ends[-1])
