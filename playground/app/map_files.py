"""What a reader can take away from the map."""

from collections.abc import Callable, Sequence

import altair as alt
import numpy as np

from playground.export.tables import coordinates_csv, projector_metadata, projector_vectors, similarity_csv
from playground.plots.files import picture_file

FOR_EXCEL = "utf-8-sig"


def map_files(
    words: Sequence[str],
    matrix: np.ndarray,
    points: np.ndarray,
    axes: Sequence[str],
    picture: alt.LayerChart | None,
) -> dict[str, tuple[str | Callable[[], bytes], str]]:
    """Return the files by name, each made when it is asked for; a `picture` of three dimensions is not among them."""

    def similarities() -> bytes:
        units = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        return similarity_csv(words, np.clip(units @ units.T, -1.0, 1.0)).encode(FOR_EXCEL)

    files: dict[str, tuple[str | Callable[[], bytes], str]] = {}
    if picture is not None:
        shown = picture
        files["map.png"] = (lambda: picture_file(shown, "png"), "image/png")
        files["map.svg"] = (lambda: picture_file(shown, "svg"), "image/svg+xml")
    files["coordinates.csv"] = (lambda: coordinates_csv(words, points, axes).encode(FOR_EXCEL), "text/csv")
    files["similarities.csv"] = (similarities, "text/csv")
    # the two files that the Embedding Projector of TensorFlow loads
    files["vectors.tsv"] = (lambda: projector_vectors(matrix).encode(), "text/tab-separated-values")
    files["metadata.tsv"] = (lambda: projector_metadata(words).encode(), "text/tab-separated-values")
    return files
