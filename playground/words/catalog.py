"""What can be loaded, and `load`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from playground.errors import PlaygroundError, shorten

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True)
class Entry:
    """One set of word vectors that `load` knows by name."""

    name: str
    title: str
    language: str
    words: int
    dimensions: int
    bytes: int
    licence: str
    source: str
    here: bool  # its files are on this disk
    stamp: tuple[int, ...]  # sizes and times of change of its files: another stamp, another content


def catalog() -> list[Entry]:
    """Return the word vectors that can be loaded by name, the default first."""
    from playground.bundled import data_folder, read_manifest

    folder = data_folder()
    entries = []
    for name, facts in read_manifest(folder).items():
        if "words" not in facts:
            continue
        files = [folder / name / file_name for file_name in facts["files"]]
        here = all(file.is_file() for file in files)
        entries.append(
            Entry(
                name=name,
                title=facts["name"],
                language=_LANGUAGES.get(facts["language"], facts["language"]),
                words=facts["words"],
                dimensions=facts["dimensions"],
                bytes=sum(file.stat().st_size for file in files) if here else 0,
                licence=facts["licence"],
                source=", ".join(f"{one['registry']} {one['package']} {one['version']}" for one in facts["sources"]),
                here=here,
                stamp=_stamp(files) if here else (),
            )
        )
    return entries


def _stamp(files: list[Path]) -> tuple[int, ...]:
    stats = [file.stat() for file in files]
    return tuple(number for stat in stats for number in (stat.st_size, stat.st_mtime_ns))


def load(source: str | Path = "glove", limit: int | None = None) -> "KeyedVectors":
    """Return word vectors as gensim `KeyedVectors`, words in the file's order.

    `source` is a name of the `catalog` ("glove": English, "zh": Chinese) or the path of a word2vec or GloVe
    file. `limit` keeps only the first so many words (the most frequent ones, as these files are sorted).
    Raises `PlaygroundError` if there is no such name or file, or if the file holds no word vectors.
    """
    from playground.bundled import read_manifest
    from playground.words.store import keyed_vectors, load_bundled

    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise PlaygroundError(f"limit must be a whole number of words, at least 1, not {limit!r}.")
    manifest = read_manifest()
    names = [name for name, facts in manifest.items() if "words" in facts]
    if str(source) in names:
        vectors = load_bundled(str(source))
        if limit is not None and limit < len(vectors):
            vectors = keyed_vectors(vectors.index_to_key[:limit], vectors.vectors[:limit])
        return vectors
    try:
        path = Path(source).expanduser()
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, RuntimeError) as error:  # a name that is too long, a home folder that does not exist
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise PlaygroundError(f"{shorten(str(source))!r} cannot be opened: {reason}.") from None
    if is_folder:
        raise PlaygroundError(f"{shorten(str(path))} is a folder: give the file of vectors in it.")
    if not is_file:
        raise PlaygroundError(
            f"There are no vectors called {shorten(str(source))!r} and no such file: "
            f"give one of {', '.join(names)}, or the path of a file."
        )
    from playground.words.readers import read_vectors

    return read_vectors(path, limit=limit)
