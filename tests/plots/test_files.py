"""Pictures as files, read back."""

import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from PIL import Image

from playground.plots.files import picture_file
from playground.plots.maps import word_map
from playground.plots.projection import project

WORDS = ["king", "国王", "<b>x</b>", "שלום", "$x$", "a&b"]


def picture():
    return word_map(project(np.random.default_rng(1).normal(size=(6, 10))), WORDS, ["words"] * 6, selectable=True)


def test_the_png_is_sharp_and_white_behind():
    image = Image.open(io.BytesIO(picture_file(picture(), "png"))).convert("RGB")
    assert image.width > 2000
    assert image.getpixel((2, 2)) == (255, 255, 255)
    assert len(image.getcolors(1_000_000)) > 10  # something is drawn


def test_the_svg_holds_every_word_as_text_and_nothing_to_fetch():
    svg = picture_file(picture(), "svg").decode()
    texts = [element.text for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]
    assert set(WORDS) <= set(texts)
    assert set(re.findall(r'https?://[^"]*', svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
