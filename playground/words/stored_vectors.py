"""A model as a folder of arrays: written once, and then opened by memory-mapping, whatever its size."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from playground.words.readers.report import LeftOut, LoadReport
from playground.words.readers.rows import Subwords
from playground.words.store import keyed_vectors
from playground.words.stored_words import StoredIndex, StoredWords, WordArrays, word_arrays

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

_FACTS, _TEXT = "facts.json", "words.txt"

Facts = dict[str, Any]


def numbers(vectors: "KeyedVectors") -> dict[str, np.ndarray]:
    """Return the arrays of numbers of a model, by the names under which they are stored."""
    arrays = {"vectors": vectors.vectors, "norms": vectors.norms}
    if hasattr(vectors, "vectors_ngrams"):
        arrays["ngrams"] = vectors.vectors_ngrams
    return arrays


def write_folder(folder: Path, vectors: "KeyedVectors", more: Facts) -> None:
    """Write a model and its report, with facts of the caller's own, into an empty folder.

    Raises `OSError` if the disk does not take it, and `ValueError` for words that cannot be stored.
    """
    words = word_arrays(vectors.index_to_key)
    small = {"norms": vectors.norms, "starts": words.starts, "sums": words.sums, "rows": words.rows}
    arrays = numbers(vectors) | small
    for name, array in arrays.items():
        with _written(folder / f"{name}.npy") as file:
            # not np.save, which hides why a disk does not take it
            np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
            file.write(array.data)
    with _written(folder / _TEXT) as file:
        file.write(words.text.data)
    facts = more | {
        "report": asdict(vectors.report),
        "mark": words.mark,
        "subwords": {name: getattr(vectors, name) for name in ("min_n", "max_n", "bucket")}
        if "ngrams" in arrays
        else {},
        "sizes": {file.name: file.stat().st_size for file in folder.iterdir()},
        "checksums": {name: crc32(array.data) for name, array in (*small.items(), ("text", words.text))},
    }
    with _written(folder / _FACTS) as file:
        file.write(json.dumps(facts).encode("ascii"))


def read_facts(folder: Path) -> Facts:
    """Return the facts that were written; raises `OSError` or `ValueError` if there are none."""
    facts = json.loads((folder / _FACTS).read_bytes())
    if not isinstance(facts, dict):
        raise ValueError(f"{_FACTS} holds no facts")
    return facts


def open_folder(folder: Path, limit: int | None = None) -> "KeyedVectors":
    """Return the first `limit` vectors of those written, with the report of the file's first load.

    All is checked but the vectors' own numbers, which would have to be read for it. Raises an exception of any
    kind if the folder is damaged.
    """
    facts = read_facts(folder)
    for name, size in facts["sizes"].items():
        if (folder / name).stat().st_size != size:
            raise ValueError(f"{name} has not the size that was written")
    report = _report(facts["report"])
    rows, dimensions = report.rows, report.dimensions
    count = rows if limit is None else min(limit, rows)
    small = {
        "text": np.asarray(np.memmap(folder / _TEXT, np.uint8, mode="r")),
        "norms": _array(folder, "norms", np.float32, rows),
        "starts": _array(folder, "starts", np.int64, rows + 1),
        "sums": _array(folder, "sums", np.uint32, rows),
        "rows": _array(folder, "rows", np.uint32, rows),
    }
    for name, array in small.items():
        if crc32(array.data) != facts["checksums"][name]:
            raise ValueError(f"{name} is not what was written")
    stored = WordArrays(small["text"], facts["mark"], small["starts"][: count + 1], small["sums"], small["rows"])
    words = StoredWords(stored)
    subwords = facts["subwords"]
    vectors = keyed_vectors(
        words,
        _array(folder, "vectors", np.float32, rows, dimensions)[:count],
        key_to_index=StoredIndex(words, stored),
        norms=small["norms"][:count],
        subwords=Subwords(_array(folder, "ngrams", np.float32, subwords["bucket"], dimensions), **subwords)
        if subwords
        else None,
    )
    held = numbers(vectors) | small
    memory = sum(array.nbytes for array in held.values())
    vectors.report = replace(_first_rows(report, limit), memory=memory, from_cache=True)
    return vectors


@contextmanager
def _written(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that is on the disk itself when it is closed: a rename may be there sooner than its content."""
    with path.open("xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _array(folder: Path, name: str, dtype: type[np.generic], *shape: int) -> np.ndarray:
    mapped = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    if mapped.dtype != dtype or mapped.shape != shape or not mapped.flags.c_contiguous:
        raise ValueError(f"{name} is not the array that was written")
    return np.asarray(mapped)


def _report(raw: dict[str, Any]) -> LoadReport:
    """Return the report that JSON holds; lists were tuples."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    values["first_left_out"] = tuple(LeftOut(**one) for one in values["first_left_out"])
    values["first_repaired"] = tuple((place, word) for place, word in values["first_repaired"])
    return LoadReport(**values)


def _first_rows(report: LoadReport, limit: int | None) -> LoadReport:
    """Return the report on a load with `limit` that took the first rows of another load's."""
    if limit is None or limit >= report.rows:
        return replace(report, limit=limit)
    notes = report.notes
    if report.left_out or report.repaired:
        notes = (*notes, "What is left out or repaired was counted when the whole file was read.")
    return replace(report, rows=limit, limit=limit, stopped=True, notes=notes)
