"""The bundled word vectors: where they lie, and how they become gensim `KeyedVectors`."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import KeyedVectors

from playground.errors import PlaygroundError

REMAKE = "Remake it with `python3 scripts/build_vectors.py`, or install the playground again."


def data_folder() -> Path:
    """Return the folder of the bundled data: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"


def read_manifest(folder: Path | None = None) -> dict[str, Any]:
    """Return what `data/manifest.json` says of each bundled set: source, licence, SHA-256, size."""
    path = (folder or data_folder()) / "manifest.json"
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PlaygroundError(f"The bundled file {path} is missing. {REMAKE}") from None
    except (OSError, ValueError) as error:
        raise PlaygroundError(f"The bundled file {path} cannot be read ({error}). {REMAKE}") from None
    return manifest


def load_bundled(name: str, folder: Path | None = None) -> KeyedVectors:
    """Return the bundled vectors `name` ("glove", "zh") as read-only float32 `KeyedVectors`.

    The words are in order of frequency. Both files are checked against the SHA-256 of the manifest, which
    costs some hundredths of a second and means that a damaged file never gives quietly wrong numbers.
    """
    folder = folder or data_folder()
    files = read_manifest(folder)[name]["files"]
    content = {}
    for file_name, expected in files.items():
        path = folder / name / file_name
        try:
            content[file_name] = path.read_bytes()
        except OSError as error:
            reason = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
            raise PlaygroundError(f"The bundled file {path} {reason}. {REMAKE}") from None
        if hashlib.sha256(content[file_name]).hexdigest() != expected:
            raise PlaygroundError(
                f"The bundled file {path} is damaged: its SHA-256 is not the manifest's. {REMAKE}"
            )
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
