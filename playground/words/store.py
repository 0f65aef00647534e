"""The bundled word vectors, and how a table of vectors becomes gensim `KeyedVectors`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from gensim.models import KeyedVectors
from gensim.models.fasttext import FastTextKeyedVectors

from playground.bundled import data_folder, read_files

if TYPE_CHECKING:
    from playground.words.readers.rows import Subwords

_BLOCK = 1 << 20  # numbers at a time: a matrix on the disk is read through, not held


def load_bundled(name: str, folder: Path | None = None) -> KeyedVectors:
    """Return the bundled vectors `name` ("glove", "zh") as read-only float32 `KeyedVectors`.

    The words are in order of frequency. Both files are checked against the SHA-256 of the manifest, which
    costs some hundredths of a second and means that a damaged file never gives quietly wrong numbers.
    """
    content = read_files(name, folder)
    folder = folder or data_folder()
    words = content["words.txt"].decode("utf-8").split("\n")[:-1]
    return keyed_vectors(words, np.load(folder / name / "vectors.npy", mmap_mode="r"))


def keyed_vectors(
    words: Sequence[str],
    matrix: np.ndarray,
    *,
    key_to_index: Mapping[str, int] | None = None,
    norms: np.ndarray | None = None,
    subwords: "Subwords | None" = None,
) -> KeyedVectors:
    """Return `KeyedVectors` over `words` and `matrix (len(words), d)`, as float32 and read-only.

    A float32 matrix is not copied, so that one on the disk stays there. `key_to_index` and `norms
    (len(words),)` are made from the others unless they are given. With `subwords` of a fastText model the
    result is a `FastTextKeyedVectors`, which also has vectors of unknown words.

    float32 because BLAS has no float16. Read-only because the app shares one object between sessions.
    """
    if subwords is not None and subwords.bucket > 0:  # without buckets, unknown words have no vectors
        vectors = FastTextKeyedVectors(matrix.shape[1], subwords.min_n, subwords.max_n, subwords.bucket)
        vectors.vectors_ngrams = _read_only(subwords.ngrams)
    else:
        vectors = KeyedVectors(matrix.shape[1], dtype=np.float32)
    vectors.index_to_key = words
    vectors.key_to_index = {word: index for index, word in enumerate(words)} if key_to_index is None else key_to_index
    vectors.vectors = _read_only(matrix)
    vectors.norms = _read_only(row_norms(vectors.vectors) if norms is None else norms)
    return vectors


def row_norms(matrix: np.ndarray) -> np.ndarray:
    """Return the length of each row of `matrix (n, d)`, `(n,)`, as gensim computes it; inf where it overflows."""
    norms = np.empty(len(matrix), dtype=matrix.dtype)
    rows = max(1, _BLOCK // matrix.shape[1])
    with np.errstate(over="ignore"):
        for start in range(0, len(matrix), rows):
            norms[start : start + rows] = np.linalg.norm(matrix[start : start + rows], axis=1)
    return norms


def _read_only(array: np.ndarray) -> np.ndarray:
    """Return a float32 view that cannot be written to; the caller's own array stays as it is."""
    view = np.ascontiguousarray(array, dtype=np.float32).view()
    view.flags.writeable = False
    return view


def memory_of(vectors: KeyedVectors) -> int:
    """Return the bytes that a model holds: its arrays, and its words."""
    arrays = sum(value.nbytes for value in vars(vectors).values() if isinstance(value, np.ndarray))
    words = sum(map(sys.getsizeof, vectors.index_to_key)) + sys.getsizeof(vectors.index_to_key)
    return arrays + words + sys.getsizeof(vectors.key_to_index)
