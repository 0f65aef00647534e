"""The bundled word vectors, and how a table of vectors becomes gensim `KeyedVectors`."""

from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from playground.bundled import data_folder, read_files


def load_bundled(name: str, folder: Path | None = None) -> KeyedVectors:
    """Return the bundled vectors `name` ("glove", "zh") as read-only float32 `KeyedVectors`.

    The words are in order of frequency. Both files are checked against the SHA-256 of the manifest, which
    costs some hundredths of a second and means that a damaged file never gives quietly wrong numbers.
    """
    content = read_files(name, folder)
    folder = folder or data_folder()
    words = content["words.txt"].decode("utf-8").split("\n")[:-1]
    return keyed_vectors(words, np.load(folder / name / "vectors.npy", mmap_mode="r"))


def keyed_vectors(words: list[str], matrix: np.ndarray) -> KeyedVectors:
    """Return `KeyedVectors` over `words` and `matrix (len(words), d)`, as float32 and read-only.

    float32 because BLAS has no float16. Read-only because the app shares one object between sessions.
    """
    vectors = KeyedVectors(matrix.shape[1], dtype=np.float32)
    vectors.index_to_key = words
    vectors.key_to_index = {word: index for index, word in enumerate(words)}
    vectors.vectors = np.ascontiguousarray(matrix, dtype=np.float32)
    vectors.fill_norms()
    vectors.vectors.flags.writeable = False
    vectors.norms.flags.writeable = False
    return vectors
