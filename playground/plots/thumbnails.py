"""A matrix as a very small picture: one pixel a cell, to be enlarged without smoothing."""

import base64
import struct
import zlib

import numpy as np

from playground.plots.charts import Kind
from playground.plots.colors import SIGNED_SCALE, WEIGHT_SCALE

BLOCKED = (150, 158, 168)  # a number that is not finite, such as a masked score


def thumbnail(matrix: np.ndarray, kind: Kind, extent: float | None = None) -> str:
    """Return `matrix (n, m)` as the address ("data:image/png…") of a picture of m × n pixels.

    "weights" run from 0 to 1, "signed" values from −extent to extent, which is their largest size unless
    given. What is not finite is grey.
    """
    finite = np.isfinite(matrix)
    values = np.where(finite, matrix, 0.0)
    high = 1.0 if kind == "weights" else extent or float(np.abs(values).max(initial=0)) or 1.0
    low = 0.0 if kind == "weights" else -high
    index = np.clip(np.rint((values - low) / (high - low) * 254), 0, 254).astype(np.uint8)
    index[~finite] = 255
    return "data:image/png;base64," + base64.b64encode(_png(index, _palette(kind))).decode()


def _palette(kind: Kind) -> bytes:
    """Return 256 colours of three bytes: 255 along the scale, then that of what is not finite."""
    stops = WEIGHT_SCALE if kind == "weights" else SIGNED_SCALE
    rgb = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in stops])
    places = np.linspace(0, len(stops) - 1, 255)
    colors = np.stack([np.interp(places, np.arange(len(stops)), rgb[:, c]) for c in range(3)], axis=1)
    along: bytes = np.rint(colors).astype(np.uint8).tobytes()
    return along + bytes(BLOCKED)


def _png(index: np.ndarray, palette: bytes) -> bytes:
    """Return a PNG of palette colours (ISO/IEC 15948): 8 bits a pixel, no filter."""
    height, width = index.shape
    rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), index], axis=1)  # each row begins with its filter
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
