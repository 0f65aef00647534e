"""Words beside points, without one covering another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import east_asian_width

import numpy as np

FONT = 13
LETTER, WIDE_LETTER, LINE = 7.6, 14.0, 16.0  # pixels, of a bold font of 13
POINT = 6.0  # pixels: a point's radius and a little air


@dataclass(frozen=True)
class Place:
    """Where a label stands: its shift from the point in pixels (y down) and its alignment."""

    dx: float
    dy: float
    align: Literal["left", "center", "right"]


def place_labels(
    points: np.ndarray,
    labels: Sequence[str],
    lines: Sequence[tuple[np.ndarray, np.ndarray]] = (),
    *,
    font: float = FONT,
    size: tuple[float, float] | None = None,
) -> list[Place | None]:
    """Return a place for each label of `points (n, 2)`, in pixels; None where no place is free.

    Earlier labels choose first. A label may cover neither another label nor a point, and stays inside a
    picture of `size` (width, height). It keeps off the `lines` (start, end) too, unless no other place is left.
    """
    dots = np.concatenate([points - POINT, points + POINT], axis=1)  # (n, 4): left, top, right, bottom
    steps = np.linspace(0, 1, 60)[:, None]
    inked = np.concatenate([start + steps * (end - start) for start, end in lines]) if lines else np.empty((0, 2))
    ink = np.concatenate([inked - 2, inked + 2], axis=1)
    offered = _places(font)
    taken = np.empty((len(labels), 4))
    count = 0
    places: list[Place | None] = []
    for point, label in zip(points, labels, strict=True):
        chosen: Place | None = None
        if label:
            boxes = _boxes(point, label, offered, font)
            free: np.ndarray = ~np.logical_or(_overlap(boxes, dots), _overlap(boxes, taken[:count]))
            if size is not None:
                free &= np.logical_and(boxes[:, :2] >= 0, boxes[:, 2:] <= size).all(axis=1)
            clear = free & ~_overlap(boxes, ink)
            if free.any():
                best = int((clear if clear.any() else free).argmax())
                chosen = offered[best]
                taken[count] = boxes[best]
                count += 1
        places.append(chosen)
    return places


def _places(font: float) -> tuple[Place, ...]:
    above, corner = POINT + font * LINE / FONT / 2 + 1, POINT + font * LINE / FONT / 2 - 2
    return (
        Place(11, 0, "left"),
        Place(-11, 0, "right"),
        Place(0, -above, "center"),
        Place(0, above, "center"),
        Place(8, -corner, "left"),
        Place(8, corner, "left"),
        Place(-8, -corner, "right"),
        Place(-8, corner, "right"),
    )


def _boxes(point: np.ndarray, label: str, places: Sequence[Place], font: float) -> np.ndarray:
    """Return the rectangle that `label` covers at each place, (places, 4)."""
    letters = sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in label)
    width, height = letters * font / FONT, LINE * font / FONT
    shift = {"left": 0.0, "center": width / 2, "right": width}
    left = np.array([point[0] + place.dx - shift[place.align] for place in places])
    top = np.array([point[1] + place.dy - height / 2 for place in places])
    return np.stack([left, top, left + width, top + height], axis=1)


def _overlap(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return for each of `boxes (m, 4)` whether it covers a part of any of `others (n, 4)`, (m,)."""
    left, top, right, bottom = (boxes[:, i, None] for i in range(4))
    apart = (others[:, 2] < left) | (others[:, 0] > right) | (others[:, 3] < top) | (others[:, 1] > bottom)
    return np.asarray((~apart).any(axis=1))
