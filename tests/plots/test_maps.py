"""The map's groups, labels, lines and rings, read from its Vega-Lite specification."""

import numpy as np
import pytest

from playground.plots.maps import BRUSH, CLICK, Link, first_of_groups, shown_groups, word_map
from playground.plots.projection import project
from playground.plots.space import word_space

POINTS = project(np.random.default_rng(1).normal(size=(6, 10)))
DEEP = project(np.random.default_rng(1).normal(size=(6, 10)), dims=3)


def tables(chart) -> list[list[dict]]:
    return list(chart.to_dict()["datasets"].values())


def test_a_group_is_known_by_its_shape_as_well_as_by_its_colour():
    encoding = word_map(POINTS, list("abcdef"), ["x", "y", "z"] * 2).to_dict()["layer"][0]["encoding"]
    assert encoding["color"]["scale"]["domain"] == encoding["shape"]["scale"]["domain"] == ["x", "y", "z"]
    for name in ("color", "shape"):
        assert len(set(encoding[name]["scale"]["range"])) == 3


def test_more_groups_than_a_legend_holds_share_the_last_place():
    hues, names = shown_groups([f"g{i}" for i in range(50)])
    assert len(names) == 12 and names[-1] == "other groups"
    assert hues[10] == "g10" and set(hues[11:]) == {"other groups"}
    assert shown_groups(["a", "b", "a"]) == (["a", "b", "a"], ["a", "b"])


def test_of_many_words_each_group_has_its_first_ones_labelled():
    groups = ["a"] * 100 + ["b"] * 100
    labelled = first_of_groups(groups, 60)
    assert labelled[:30] == [True] * 30 and not any(labelled[30:100])
    assert sum(labelled[100:]) == 30
    assert all(first_of_groups(groups[:50], 60))


def test_a_line_joins_its_two_words_and_tells_their_cosine():
    chart = word_map(POINTS, list("abcdef"), ["x"] * 6, links=[Link(0, 3, 0.5)])
    (line,) = next(rows for rows in tables(chart) if rows and "cosine" in rows[0])
    assert line["words"] == "a – d" and line["cosine"] == "0.500"
    assert [line["x"], line["y"], line["x2"], line["y2"]] == pytest.approx([*POINTS.points[0], *POINTS.points[3]])


def test_a_chosen_word_has_a_ring_and_the_first_choice_of_a_place_for_its_label():
    close = project(np.concatenate([np.zeros((40, 3)), np.eye(3) * 100]))
    words = [f"word{i}" for i in range(43)]
    plain, chosen = (tables(word_map(close, words, ["x"] * 43, chosen=rows)) for rows in ([], [39]))
    labels = [next(rows for rows in one if "word" in rows[0])[39]["label"] for one in (plain, chosen)]
    assert labels == ["", "word39"]
    (ring,) = next(rows for rows in chosen if "word" not in rows[0])
    assert (ring["x"], ring["y"]) == pytest.approx(tuple(close.points[39]))


def test_only_a_selectable_map_takes_clicks():
    spec = word_map(POINTS, list("abcdef"), ["x"] * 6, selectable=True).to_dict()
    assert [parameter["name"] for parameter in spec["params"]] == [CLICK, BRUSH]
    assert "params" not in str(word_map(POINTS, list("abcdef"), ["x"] * 6).to_dict())


def test_labels_are_kept_inside_the_picture_and_placed_again_for_a_phone():
    long = ["a" * 30] * 6
    rows = next(rows for rows in tables(word_map(POINTS, long, ["x"] * 6)) if "word" in rows[0])
    assert sum(bool(row["label2"]) for row in rows) < sum(bool(row["label"]) for row in rows)


def test_the_deep_picture_has_the_same_places_lines_and_rings():
    figure = word_space(DEEP, list("abcdef"), ["x"] * 6, links=[Link(0, 3, 0.5)], chosen=[2], tooltips=["<i>"] * 6)
    lines, words, ring = figure.data
    assert [lines.x[0], lines.x[1], lines.x[2]] == [DEEP.points[0, 0], DEEP.points[3, 0], None]
    np.testing.assert_allclose(words.z, DEEP.points[:, 2])
    np.testing.assert_allclose(ring.x, DEEP.points[[2], 0])
    assert words.hovertext[0] == "a<br>&lt;i&gt;"


def test_the_deep_picture_has_one_scale_for_all_axes():
    scene = word_space(DEEP, list("abcdef"), ["x"] * 6).layout.scene
    spans = [np.ptp(getattr(scene, f"{letter}axis").range) for letter in "xyz"]
    sides = [getattr(scene.aspectratio, letter) for letter in "xyz"]
    np.testing.assert_allclose(np.divide(spans, sides), spans[0] / sides[0])
