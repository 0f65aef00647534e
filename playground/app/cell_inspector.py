"""How one number came about: choose a cell, by a click or by row and column, and see its arithmetic."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from playground.app.attention_scene import DIFFERENCE, MATRICES, Cell, Scene
from playground.app.cell_arithmetic import ARITHMETIC
from playground.app.edit_bar import Edits
from playground.app.state import fill
from playground.attention.edits import Edit
from playground.plots.charts import CELL

EDITABLE = {"X": "X", "W_Q": "W_Q", "W_K": "W_K", "W_V": "W_V", "W_O": "W_O", "masked": "mask"}
IN_SIGHT = "matrices_in_sight"  # the pictures of the last run
MOST_EDITED_AT_ONCE = 8  # columns of a matrix that can be typed over as a table


def remember_click(scene: Scene, name: str, picture: str) -> None:
    """Take a click on the picture of that key, of the matrix `name`, over into the inputs."""
    clicked: list[dict[str, Any]] = st.session_state[picture]["selection"][CELL]
    if name not in st.session_state.get(IN_SIGHT, ()):
        return  # the browser repeats the last click on a picture that is gone
    if not clicked or "column" not in clicked[0]:
        return  # a second click on a cell takes the selection back
    row = int(clicked[0]["row"]) + 1
    values: dict[str, Any] = {"part": name, "column": int(clicked[0]["column"]) + 1}
    if MATRICES[name].rows == "numbers":
        values["row"] = row
    elif row <= scene.length:
        values[scene.query_key] = row
    fill(values)


def choose_cell(scene: Scene, names: tuple[str, ...], draw: Callable[[str, tuple[int, int]], None]) -> Cell:
    """Show the pictures of a step, by `draw(name, place)`, and below them the inputs for a cell; return it."""
    st.session_state[IN_SIGHT] = names
    pictures = st.container()  # above the inputs, and drawn when they are known
    with st.container(key="inspector", horizontal=True, vertical_alignment="bottom", gap="small"):
        name = _part(names)
        matrix = MATRICES[name]
        rows, columns = scene.matrix(name).shape
        row = scene.query
        if matrix.rows == "numbers":
            _keep_within("row", rows)
            row = int(st.number_input("Row", 1, rows, 1, key="row", bind="query-params", width=130)) - 1
        _keep_within("column", columns)
        label = "Column: key word, number" if matrix.columns == "words" else "Column, number"
        start = min(2, columns)
        column = st.number_input(label, 1, columns, start, key="column", bind="query-params", width=200) - 1
    with pictures:
        draw(name, (row, int(column)))
    return Cell(name, row, int(column))


def _part(names: tuple[str, ...]) -> str:
    """Return the matrix whose cell is chosen, asking for it where the step has several."""
    if len(names) == 1:
        return names[0]
    start = names[-1] if names[-1] == "output" else names[0]
    if st.session_state.get("part", start) not in names:
        st.session_state["part"] = start
    chosen = st.segmented_control("Matrix", names, default=start, key="part", required=True, bind="query-params")
    return str(chosen)


def _keep_within(key: str, most: int) -> None:
    """Move the number of a row or column to the last one of a smaller matrix."""
    if st.session_state.get(key, 1) > most:
        st.session_state[key] = most


def inspect(scene: Scene, cell: Cell, edits: Edits) -> None:
    """Show the numbers that made the cell, whether they add up to it, and an input to change it."""
    with st.container(key="arithmetic", gap="small"):
        ARITHMETIC[cell.matrix](scene, cell)
    if cell.matrix in EDITABLE and scene.view != DIFFERENCE:
        _change(scene, cell, edits)


def _place(scene: Scene, name: str, row: int, column: int) -> tuple[int, ...]:
    return (scene.head, row, column) if name in ("W_Q", "W_K", "W_V") else (row, column)


def _change(scene: Scene, cell: Cell, edits: Edits) -> None:
    """Show what changes the chosen cell, and for a small matrix a table to type over."""
    name = EDITABLE[cell.matrix]
    matrix = scene.now.matrices[name]
    matrix = matrix[scene.head] if matrix.ndim == 3 else matrix
    place = _place(scene, name, cell.row, cell.column)
    stamp = f"{name}_{'_'.join(map(str, place))}_{len(edits.setup.edits)}"  # a new cell, a new value: a new input
    if name == "mask":
        allowed = bool(matrix[cell.row, cell.column])
        st.button(
            "Block this cell" if allowed else "Allow this cell",
            key=f"switch_{stamp}",
            on_click=edits.add,
            args=(Edit(name, place, 0.0 if allowed else 1.0),),
        )
        return
    key = f"value_{stamp}"

    def set_value() -> None:
        edits.add(Edit(name, place, float(st.session_state[key])))

    st.number_input(
        f"Change {name}[{', '.join(str(i + 1) for i in place)}] to",
        value=float(matrix[cell.row, cell.column]),
        step=0.1,
        format="%.4g",
        key=key,
        on_change=set_value,
        width=260,
    )
    if matrix.shape[1] <= MOST_EDITED_AT_ONCE and len(matrix) <= 16:
        _table(scene, cell, name, matrix, edits)


def _table(scene: Scene, cell: Cell, name: str, matrix: np.ndarray, edits: Edits) -> None:
    key = f"table_{name}_{scene.head}_{len(edits.setup.edits)}_{'x'.join(map(str, matrix.shape))}"

    def typed() -> None:
        changed = st.session_state[key]["edited_rows"]
        edits.add(
            *(
                Edit(name, _place(scene, name, int(row), int(column) - 1), float(value))
                for row, values in changed.items()
                for column, value in values.items()
                if value is not None and math.isfinite(value)
            )
        )

    st.markdown("**Or type over any number:**")
    first = "word" if MATRICES[cell.matrix].rows == "words" else "row"
    labels = list(scene.labels(cell.matrix, 0))
    st.data_editor(
        {first: labels, **{str(j + 1): matrix[:, j].tolist() for j in range(matrix.shape[1])}},
        key=key,
        disabled=[first],
        hide_index=True,
        on_change=typed,
        alt=f"the numbers of {name}, to type over",
    )
