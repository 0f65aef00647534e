"""A file of word vectors, of any format, → `KeyedVectors` and a report, or one sentence that says what is wrong.

The format is told by the content, never by the name.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from playground.errors import PlaygroundError
from playground.words.readers import arrays, binary, fasttext, lines, looks, native, text
from playground.words.readers.report import LoadReport, counted, in_words
from playground.words.readers.rows import Table
from playground.words.readers.source import Source, archive_kind, open_source, packing_kind
from playground.words.store import keyed_vectors, memory_of

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

READER_VERSION = 1  # goes up when the same file is read otherwise than before: the cache is then made anew
START = 1 << 16  # bytes by which a format is told

Reader = Callable[[Source, int | None, bool], Table]


def read_vectors(path: Path, limit: int | None = None, normalize_keys: bool = False) -> "KeyedVectors":
    """Return the vectors of a file, read-only; their `report` is a `LoadReport`.

    Formats: text with or without a header (word2vec, fastText `.vec`, GloVe), word2vec binary, fastText
    `.bin`, gensim's `.kv` and `.model`, NumPy `.npy` with a list of words beside it, the pair of TSV files of
    the Embedding Projector; each may be packed by gzip, bz2, xz or zip. Rows without a word or a direction
    are left out, of equal words the first is kept. `limit` keeps the first so many words and reads no
    further; `normalize_keys` writes all words in Unicode's form NFC. Raises `PlaygroundError`.
    """
    started = time.perf_counter()
    source = open_source(path)
    try:
        table = _reader(source)(source, limit, normalize_keys)
        vectors = _vectors(source, table)
    except MemoryError:
        raise PlaygroundError(
            f"{source.name} needs more memory than is free here: give a limit, such as its first 100,000 words."
        ) from None
    rows = table.rows
    vectors.report = LoadReport(
        name=source.name,
        format=table.format,
        packing=source.packing,
        rows=len(rows.words),
        dimensions=rows.dimensions,
        header=table.header,
        left_out=counted(rows.left_out),
        first_left_out=rows.first_left_out,
        repaired=rows.repaired,
        first_repaired=tuple(rows.first_repaired),
        limit=limit,
        stopped=rows.stopped,
        seconds=time.perf_counter() - started,
        memory=memory_of(vectors),
        notes=table.notes,
    )
    return vectors


def _reader(source: Source) -> Reader:
    """Return the reader for the format that the first bytes tell; raises `PlaygroundError` for no format of ours."""
    with source.open() as stream:
        start = stream.read(START)
    if not start.removeprefix(lines.BOM).strip():
        raise PlaygroundError(f"{source.name} is empty: it holds no word vectors. Fetch it again.")
    for told, reader in (
        (fasttext.is_fasttext, fasttext.read),
        (arrays.is_npy, arrays.read_npy),
        (native.is_native, native.read),
    ):
        if told(start):
            return reader
    if inner := archive_kind(start) or packing_kind(start):
        raise PlaygroundError(f"{source.name} holds a packed file again ({inner}): unpack it and give what is in it.")
    if not lines.has_rows(start):
        if what := looks.foreign(start.removeprefix(lines.BOM)):
            raise PlaygroundError(f"{source.name} is not a file of word vectors: it looks like {what}.")
        headed = lines.header(start.partition(b"\n")[0]) is not None
        if headed and (binary.plausible(start) or not lines.is_printable(start)):
            return binary.read
        if b"\x00" in start:
            raise PlaygroundError(
                f"{source.name} is not a file of word vectors that can be read here: it holds binary data of another "
                "kind."
            )
    return arrays.read_tsv if arrays.is_tsv(start) else text.read


def _vectors(source: Source, table: Table) -> "KeyedVectors":
    rows = table.rows
    if not rows.words:
        why = f": its rows are left out ({in_words(counted(rows.left_out))})" if rows.left_out else ""
        raise PlaygroundError(f"{source.name} holds no usable word vector{why}.")
    return keyed_vectors(rows.words, rows.matrix(), key_to_index=rows.key_to_index, subwords=table.subwords)
