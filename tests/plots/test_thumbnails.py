"""Small pictures of matrices, read back by an image library that knows nothing of ours."""

import base64
import io

import numpy as np
import pytest

from playground.plots.thumbnails import BLOCKED, thumbnail

Image = pytest.importorskip("PIL.Image")


def pixels(address: str) -> np.ndarray:
    head, data = address.split(",")
    assert head == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


def test_a_pixel_a_cell():
    assert pixels(thumbnail(np.zeros((3, 7)), "signed")).shape == (3, 7, 3)


def test_negative_is_red_zero_is_pale_and_positive_is_blue():
    ((negative, zero, positive),) = pixels(thumbnail(np.array([[-2.0, 0.0, 2.0]]), "signed")).astype(int)
    assert negative[0] > negative[2] + 50
    assert zero.min() > 230
    assert positive[2] > positive[0] + 50


def test_weights_have_one_scale_from_zero_to_one():
    low, high = (
        pixels(thumbnail(np.array([[0.1, 0.1]]), "weights"))[0],
        pixels(thumbnail(np.array([[0.1, 0.9]]), "weights"))[0],
    )
    assert low[0].tolist() == high[0].tolist() != high[1].tolist()


def test_what_is_not_finite_is_grey():
    shown = pixels(thumbnail(np.array([[1.0, -np.inf, np.nan]]), "signed"))[0]
    assert shown[1].tolist() == shown[2].tolist() == list(BLOCKED)
