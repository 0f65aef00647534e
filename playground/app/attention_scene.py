"""What the attention views draw from: every matrix of a layer by name, as it is now, was, and changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt
import numpy as np

from playground.attention.workbench import LayerRun
from playground.plots.charts import TALLEST, Kind, heatmap, strips

NOW, BEFORE, DIFFERENCE = "now", "before the edits", "difference"
Axis = Literal["words", "numbers"]
WIDEST_GRID = 12  # columns of numbers that can still be read


@dataclass(frozen=True)
class Matrix:
    """How to find a matrix in a run, for one head, and how to read its rows and columns."""

    title: str
    pick: Callable[[LayerRun, int], np.ndarray]
    rows: Axis
    columns: Axis
    kind: Kind = "signed"
    value: str = "value"


MATRICES: dict[str, Matrix] = {
    "words": Matrix("The words", lambda run, head: run.words, "words", "numbers"),
    "positions": Matrix(
        "+ the positions",
        lambda run, head: np.zeros_like(run.words) if run.positions is None else run.positions,
        "words",
        "numbers",
    ),
    "X": Matrix("X", lambda run, head: run.steps.x, "words", "numbers"),
    "W_Q": Matrix("W_Q", lambda run, head: run.layer.w_q[head], "numbers", "numbers"),
    "W_K": Matrix("W_K", lambda run, head: run.layer.w_k[head], "numbers", "numbers"),
    "W_V": Matrix("W_V", lambda run, head: run.layer.w_v[head], "numbers", "numbers"),
    "Q": Matrix("Q = X·W_Q", lambda run, head: run.steps.query[head], "words", "numbers"),
    "K": Matrix("K = X·W_K", lambda run, head: run.steps.key[head], "words", "numbers"),
    "V": Matrix("V = X·W_V", lambda run, head: run.steps.value[head], "words", "numbers"),
    "scores": Matrix("Scores", lambda run, head: run.steps.scores[head], "words", "words", value="score"),
    "scaled": Matrix("Scaled scores", lambda run, head: run.steps.scaled[head], "words", "words", value="scaled score"),
    "masked": Matrix("Masked scores", lambda run, head: run.masked[head], "words", "words", value="masked score"),
    "weights": Matrix("Weights", lambda run, head: run.steps.weights[head], "words", "words", "weights", "weight"),
    "output of the head": Matrix("Weights · V", lambda run, head: run.steps.heads[head], "words", "numbers"),
    "concat": Matrix("Concat", lambda run, head: run.steps.concat, "words", "numbers"),
    "W_O": Matrix("W_O", lambda run, head: run.layer.w_o, "numbers", "numbers"),
    "output": Matrix("Output = Concat·W_O", lambda run, head: run.steps.output, "words", "numbers"),
}


@dataclass(frozen=True)
class Cell:
    """A cell of a matrix, by name; row and column counted from 0."""

    matrix: str
    row: int
    column: int


@dataclass(frozen=True)
class Scene:
    """The tokens (padding too), the chosen query and head, the layer now, and before its edits.

    `length` counts the words without padding; `query_key` is the input that holds the query's number.
    """

    tokens: Sequence[str]
    length: int
    query: int
    query_key: str
    head: int
    now: LayerRun
    before: LayerRun
    view: str = NOW

    @property
    def shown(self) -> LayerRun:
        """The run whose numbers are explained: that of now, unless the one of before is asked for."""
        return self.before if self.view == BEFORE else self.now

    def matrix(self, name: str) -> np.ndarray:
        """Return the matrix as the page shows it; as a difference, a cell that stays blocked is 0."""
        pick = MATRICES[name].pick
        now, before = pick(self.now, self.head), pick(self.before, self.head)
        if self.view != DIFFERENCE:
            return before if self.view == BEFORE else now
        with np.errstate(invalid="ignore"):
            return np.where(now == before, 0.0, now - before)

    def kind(self, name: str) -> Kind:
        """Return how the matrix is coloured: a difference has a sign."""
        return "signed" if self.view == DIFFERENCE else MATRICES[name].kind

    def labels(self, name: str, axis: int) -> Sequence[str]:
        """Return the words or the numbers along the rows (axis 0) or columns (1) of a matrix."""
        matrix = MATRICES[name]
        if (matrix.rows, matrix.columns)[axis] == "words":
            return self.tokens
        return [str(i + 1) for i in range(matrix.pick(self.now, self.head).shape[axis])]


def draw(
    scene: Scene,
    name: str,
    *,
    extent: float | None = None,
    marked: tuple[int, int] | None = None,
    clickable: bool = False,
    legend: bool = True,
    tallest: int = TALLEST,
) -> alt.LayerChart | alt.Chart:
    """Return the picture of a matrix: cells with their numbers where they have room, or strips of colour."""
    matrix, spec = scene.matrix(name), MATRICES[name]
    pairs = spec.columns == "words"
    rows, columns = scene.labels(name, 0), scene.labels(name, 1)
    by_word = spec.rows == "words"
    if pairs or (matrix.shape[1] <= WIDEST_GRID and len(matrix) <= 16):
        return heatmap(
            matrix,
            rows,
            columns,
            scene.kind(name),
            chosen=scene.query if pairs else None,
            value_name=spec.value,
            colored=True if pairs else ("rows" if by_word else False),
            extent=extent,
            marked=marked,
            clickable=clickable,
            legend=legend,
        )
    return strips(
        matrix,
        rows,
        extent=extent,
        value_name=spec.value,
        colored=by_word,
        legend=legend,
        tallest=tallest,
        clickable=clickable,
        marked=marked,
    )


def extent_of(*matrices: np.ndarray) -> float:
    """Return the largest finite size among the matrices, for one scale of colours; 1 if all is 0."""
    return max((float(np.abs(m[np.isfinite(m)]).max(initial=0)) for m in matrices), default=0.0) or 1.0
