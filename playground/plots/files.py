"""A picture as a file to keep: PNG for pages and slides, SVG to be drawn on."""

import io
from typing import Literal

import altair as alt

from playground.plots.maps import HEIGHT, WIDTH

FONTS = "Noto Sans, Liberation Sans, Arial, Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif"
SHARPNESS = 2.5  # pixels of the PNG per pixel of the screen: sharp when printed as wide as a page


def picture_file(
    picture: alt.LayerChart | alt.Chart, kind: Literal["png", "svg"], size: tuple[int, int] = (WIDTH, HEIGHT)
) -> bytes:
    """Return `picture` on white as a PNG or an SVG file, `size` (width, height) in pixels of the screen.

    vl-convert draws it, with the fonts of this machine; nothing is fetched.
    """
    width, height = size
    sized = picture.properties(width=width, height=height, background="white", padding=14).configure(font=FONTS)
    if kind == "svg":
        text = io.StringIO()
        sized.save(text, format="svg")
        return text.getvalue().encode()
    out = io.BytesIO()
    sized.save(out, format="png", scale_factor=SHARPNESS)
    return out.getvalue()
