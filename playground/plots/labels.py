"""Words beside points, without one covering another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from unicodedata import east_asian_width

import numpy as np

LETTER, WIDE_LETTER, LINE = 7.6, 14.0, 16.0  # pixels, of a bold font of 13
POINT = 6.0  # pixels: a point's radius and a little air


@dataclass(frozen=True)
class Place:
    """Where a label stands: its shift from the point in pixels (y down) and its alignment."""

    dx: float
    dy: float
    align: Literal["left", "center", "right"]


_PLACES = (
    Place(10, 0, "left"),
    Place(-10, 0, "right"),
    Place(0, -15, "center"),
    Place(0, 15, "center"),
    Place(8, -12, "left"),
    Place(8, 12, "left"),
    Place(-8, -12, "right"),
    Place(-8, 12, "right"),
)


def place_labels(
    points: np.ndarray, labels: Sequence[str], lines: Sequence[tuple[np.ndarray, np.ndarray]] = ()
) -> list[Place | None]:
    """Return a place for each label of `points (n, 2)`, in pixels; None where no place is free.

    Earlier labels choose first. A label may cover neither another label nor a point, nor one of the `lines`
    (start, end), unless no other place is left.
    """
    dots = _around(points, POINT)  # (n, 4): left, top, right, bottom
    inked = [_around(start + np.linspace(0, 1, 60)[:, None] * (end - start), 2.0) for start, end in lines]
    taken = np.empty((0, 4))
    places: list[Place | None] = []
    for index, label in enumerate(labels):
        chosen = None
        if label:
            others = np.delete(dots, index, axis=0)
            boxes = [(place, _box(points[index], label, place)) for place in _PLACES]
            free = [(p, box) for p, box in boxes if not _overlaps(box, taken) and not _overlaps(box, others)]
            clear = [(p, box) for p, box in free if not any(_overlaps(box, line) for line in inked)]
            if free:
                chosen, box = (clear or free)[0]
                taken = np.vstack([taken, box])
        places.append(chosen)
    return places


def _around(points: np.ndarray, distance: float) -> np.ndarray:
    return np.concatenate([points - distance, points + distance], axis=1)


def _box(point: np.ndarray, label: str, place: Place) -> np.ndarray:
    width = sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in label)
    x, y = point[0] + place.dx, point[1] + place.dy
    left = {"left": x, "center": x - width / 2, "right": x - width}[place.align]
    return np.array([left, y - LINE / 2, left + width, y + LINE / 2])


def _overlaps(box: np.ndarray, others: np.ndarray) -> bool:
    apart = (others[:, 2] < box[0]) | (others[:, 0] > box[2]) | (others[:, 3] < box[1]) | (others[:, 1] > box[3])
    return not bool(apart.all())
