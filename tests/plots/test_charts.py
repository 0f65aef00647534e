"""What the pictures show, read from their Vega-Lite specification."""

import numpy as np
import pytest

from playground.plots.charts import bars, heatmap, strips
from playground.plots.colors import TOKEN_HUES, token_hue
from playground.plots.maps import Arrow, angle_picture, word_map
from playground.plots.projection import project
from playground.plots.space import word_space

STRANGE = ["the", "the", "2024", "$x$", "<b>x</b>", '"];alert(1)//', "a\\b", "苹果"]


def rows_of(chart, layer: int = 0) -> list[dict]:
    spec = chart.to_dict()
    name = (spec["layer"][layer] if "layer" in spec else spec).get("data", spec.get("data"))["name"]
    return spec["datasets"][name]


def test_every_cell_keeps_its_own_row_and_column_though_words_repeat():
    matrix = np.arange(64.0).reshape(8, 8) / 64
    cells = rows_of(heatmap(matrix, STRANGE, STRANGE, "weights"))
    assert len({(cell["row"], cell["column"]) for cell in cells}) == 64
    assert [cell["value"] for cell in cells] == matrix.ravel().tolist()
    assert cells[1]["from"] == "the" and cells[1]["to"] == "the"


def test_words_are_labels_by_place_and_cannot_end_the_label_expression():
    import json

    axis = heatmap(np.eye(8), STRANGE, STRANGE, "weights").to_dict()["layer"][0]["encoding"]["y"]["axis"]
    literal = axis["labelExpr"].removesuffix("[datum.value]")
    assert json.loads(literal) == STRANGE


def test_weights_have_one_fixed_scale_and_scores_one_that_is_symmetric_about_0():
    def domain(kind, matrix):
        return heatmap(matrix, ["a", "b"], ["a", "b"], kind).to_dict()["layer"][0]["encoding"]["color"]["scale"][
            "domain"
        ]

    weights = domain("weights", np.array([[0.2, 0.3], [0.1, 0.4]]))
    assert (weights[0], weights[-1]) == (0, 1)
    scores = domain("signed", np.array([[3.0, -1.0], [0.0, 2.0]]))
    assert (scores[0], scores[-1]) == (-3, 3) and 0 in scores


def test_a_blocked_score_is_drawn_as_missing_not_as_a_number():
    cells = rows_of(heatmap(np.array([[0.5, -np.inf]]), ["a"], ["a", "b"], "signed"))
    assert cells[1]["value"] is None and cells[1]["text"] == "–"


def test_matrices_to_compare_can_share_a_scale():
    small = strips(np.full((2, 5), 0.1), ["a", "b"], extent=4.0).to_dict()
    assert small["encoding"]["color"]["scale"]["domain"][-1] == 4.0


def test_a_strip_holds_every_number():
    matrix = np.random.default_rng(0).normal(size=(3, 100))
    cells = rows_of(strips(matrix, ["a", "b", "a"]))
    assert [cell["value"] for cell in cells] == pytest.approx(matrix.ravel().tolist())


def test_bars_carry_their_numbers():
    assert [row["text"] for row in rows_of(bars(["queen", "man"], [0.7511, -0.2], "cosine"))] == ["0.751", "−0.200"]


def test_the_map_shows_each_point_where_the_projection_puts_it():
    projection = project(np.random.default_rng(1).normal(size=(6, 10)))
    chart = word_map(projection, list("abcdef"), ["x"] * 3 + ["y"] * 3, arrows=[Arrow(0, 1)])
    points = next(rows for rows in chart.to_dict()["datasets"].values() if len(rows) == 6 and "word" in rows[0])
    assert [(row["x"], row["y"]) for row in points] == [tuple(point) for point in projection.points.tolist()]


def test_both_axes_of_a_map_have_as_many_units_per_pixel():
    """Vega works the domains out from the picture's size: the two formulas differ only in side and centre."""
    projection = project(np.random.default_rng(1).normal(size=(6, 10)))
    encoding = word_map(projection, list("abcdef"), ["x"] * 6).to_dict()["layer"][0]["encoding"]
    x, y = (encoding[axis]["scale"]["domainMax"]["expr"].split(" / 2 * ") for axis in "xy")
    assert x[1] == y[1]
    assert x[0].endswith("width") and y[0].endswith("height")


@pytest.mark.parametrize("cosine", [1.0, 0.75, 0.0, -0.4, -1.0, 1.0000001])
def test_the_angle_is_drawn_as_wide_as_it_is(cosine):
    spec = angle_picture(cosine, "a", "b").to_dict()
    shown = [row["word"] for rows in spec["datasets"].values() for row in rows if "°" in str(row.get("word"))]
    assert shown == [f"{np.degrees(np.arccos(np.clip(cosine, -1, 1))):.1f}°"]


def test_plotly_gets_words_without_its_pseudo_html():
    projection = project(np.random.default_rng(1).normal(size=(3, 10)), dims=3)
    figure = word_space(projection, ["<b>x</b>", "a&amp;b", "c"], ["<i>", "<i>", "<i>"])
    assert list(figure.data[0].text) == ["&lt;b&gt;x&lt;/b&gt;", "a&amp;amp;b", "c"]
    assert figure.data[0].name == "&lt;i&gt;"


def luminance(hue: str) -> float:
    """WCAG 2: relative luminance of an sRGB colour."""
    channels = [int(hue[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("hue", TOKEN_HUES)
def test_each_token_colour_stands_out_on_the_light_and_on_the_dark_page(hue):
    """WCAG asks 3:1 of graphics and of bold text of this size or larger."""
    from playground.app.launch import DARK, LIGHT

    for page in (LIGHT["backgroundColor"], DARK["backgroundColor"]):
        high, low = sorted((luminance(hue), luminance(page)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 3.9


def test_after_ten_tokens_the_colours_repeat():
    assert token_hue(10) == token_hue(0) and len(set(TOKEN_HUES)) == 10
