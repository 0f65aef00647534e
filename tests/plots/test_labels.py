import numpy as np

from playground.plots.labels import place_labels


def boxes(points, labels, places):
    """The rectangles that the labels cover, with the letter sizes of the module's docstring turned into pixels."""
    rectangles = []
    for (x, y), label, place in zip(points, labels, places, strict=True):
        if place is not None:
            width = 7 * len(label)
            left = {"left": 0, "center": -width / 2, "right": -width}[place.align] + x + place.dx
            rectangles.append((left, y + place.dy - 6, left + width, y + place.dy + 6))
    return rectangles


def test_no_label_covers_another():
    generator = np.random.default_rng(0)
    points = generator.uniform(0, 400, size=(60, 2))
    labels = [f"word{i}" for i in range(60)]
    covered = boxes(points, labels, place_labels(points, labels))
    assert len(covered) > 20
    for i, a in enumerate(covered):
        for b in covered[:i]:
            assert a[2] <= b[0] or a[0] >= b[2] or a[3] <= b[1] or a[1] >= b[3]


def test_two_words_at_one_point_do_not_both_get_the_same_place():
    first, second = place_labels(np.zeros((2, 2)), ["king", "queen"])
    assert first is None or second is None or first != second


def test_a_label_keeps_off_an_arrow_where_it_can():
    points = np.array([[0.0, 0.0], [300.0, 0.0]])
    with_line = place_labels(points, ["here", ""], [(points[0], points[1])])[0]
    without = place_labels(points, ["here", ""])[0]
    assert without.align == "left" and with_line.align != "left"


def test_an_empty_label_takes_no_place():
    assert place_labels(np.array([[0.0, 0.0]]), [""]) == [None]


def test_a_label_stays_inside_the_picture():
    corner = np.array([[98.0, 50.0]])
    assert place_labels(corner, ["word"])[0].align == "left"  # to the right of its point
    assert place_labels(corner, ["word"], size=(100, 100))[0].align == "right"
    assert place_labels(corner, ["a word longer than the picture"], size=(100, 100)) == [None]


def test_larger_letters_find_room_for_fewer_words():
    points = np.random.default_rng(0).uniform(0, 400, size=(60, 2))
    labels = [f"word{i}" for i in range(60)]
    small, large = (sum(place is not None for place in place_labels(points, labels, font=font)) for font in (9, 26))
    assert large < small
