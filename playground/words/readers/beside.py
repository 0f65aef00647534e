"""The files that lie beside a file of vectors and belong to it, such as the list of its words."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from playground.errors import PlaygroundError
from playground.words.readers.report import printable
from playground.words.readers.source import Source, open_source

WORD_BYTES = 500  # a file of words has no more than so many for each, or it is something else
SPARE = 1_000_000  # bytes that it may have beyond that

Words = Sequence[bytes | str]

_BOM = b"\xef\xbb\xbf"
_PACKED = (".gz", ".bz2", ".xz", ".zip")


def beside(source: Source, name: str) -> Path | None:
    """Return the path of another file in the folder of `source`, or None if there is none of this name."""
    path = source.path.with_name(name)
    try:
        return path if path != source.path and path.is_file() else None
    except OSError:  # the name is too long for a file
        return None


def unpacked_name(source: Source) -> str:
    """Return the file's name without the ending that says that it is packed."""
    name = source.path.name
    return name.removesuffix(source.path.suffix) if source.packing and source.path.suffix in _PACKED else name


def words_beside(
    source: Source, names: list[str], count: int, words_of: Callable[[Path], Words | None]
) -> tuple[str, Words]:
    """Return the name of the first file beside it, out of `names`, with `count` words, and the words.

    `words_of(path)` gives those of a file, or None if it is none of words. Raises `PlaygroundError`, with all
    that was looked for and found.
    """
    found = []
    for name in names:
        path = beside(source, name)
        if path is None:
            continue
        words, shown = words_of(path), printable(name)
        if words is not None and len(words) == count:
            return shown, words
        found.append(f"{shown} has {len(words):,} words" if words is not None else f"{shown} is no list of words")
    seen = f"; {', '.join(found)}" if found else ""
    raise PlaygroundError(
        f"{source.name} has {count:,} rows of numbers, and their words are in no file beside it{seen}. "
        f"Looked for: {', '.join(map(printable, names))}."
    )


def content_of(path: Path, count: int) -> bytes | None:
    """Return what a file of `count` words holds, or None if it cannot be one: it is far too large, or damaged."""
    pieces, left = [], (count + 2) * WORD_BYTES + SPARE
    with suppress(PlaygroundError), open_source(path).open() as stream:
        while piece := stream.read(1 << 20):
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                return None
        return b"".join(pieces).removeprefix(_BOM)
    return None


def lines_of(content: bytes) -> list[bytes]:
    """Return the lines, which LF alone ends, or CR LF if it ends them all."""
    if content.count(b"\r\n") == content.count(b"\n"):
        content = content.replace(b"\r\n", b"\n")
    return content.removesuffix(b"\n").split(b"\n") if content else []


def encodable(word: str) -> bytes | str:
    """Return half a character, which no text file can hold, as bytes; rows write those out."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return word.encode("utf-8", errors="surrogatepass")
    return word
