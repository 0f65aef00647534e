"""Two numbers for each thing, as points."""

from collections.abc import Sequence

import altair as alt
import numpy as np

from playground.plots.charts import FONT, data_of
from playground.plots.colors import TOKEN_HUES


def scatter(x: np.ndarray, y: np.ndarray, names: Sequence[str], x_title: str, y_title: str) -> alt.Chart:
    """Return a point for each of `names` at `x (n,)`, `y (n,)`; names and numbers are in the tooltips."""
    rows = [{"name": name, "x": float(a), "y": float(b)} for name, a, b in zip(names, x, y, strict=True)]
    axis = alt.Axis(grid=False, titleFontSize=FONT, labelFontSize=12)
    chart: alt.Chart = (
        alt.Chart(data_of(rows))
        .mark_circle(color=TOKEN_HUES[0], size=45, opacity=0.55)
        .encode(
            x=alt.X("x:Q", title=x_title, axis=axis),
            y=alt.Y("y:Q", title=y_title, axis=axis),
            tooltip=[
                alt.Tooltip("name:N"),
                alt.Tooltip("x:Q", title=x_title, format=".2f"),
                alt.Tooltip("y:Q", title=y_title, format=".3f"),
            ],
        )
        .properties(height=400)
    )
    return chart
