"""The files that come with the playground: where they lie, and whether they are whole."""

import hashlib
import json
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError

_REMAKE = "Remake it with `{command}`, or install the playground again."
_REMAKE_ALL = _REMAKE.format(command="python scripts/build_vectors.py")


def data_folder() -> Path:
    """Return the folder of the bundled data: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"


def read_manifest(folder: Path | None = None) -> dict[str, Any]:
    """Return what `data/manifest.json` says of each bundled set: source, licence, SHA-256, size."""
    path = (folder or data_folder()) / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PlaygroundError(f"The bundled file {path} is missing. {_REMAKE_ALL}") from None
    except (OSError, ValueError) as error:
        raise PlaygroundError(f"The bundled file {path} cannot be read ({error}). {_REMAKE_ALL}") from None
    if not isinstance(manifest, dict):
        raise PlaygroundError(f"The bundled file {path} lists no sets of vectors. {_REMAKE_ALL}")
    return manifest


def read_files(name: str, folder: Path | None = None) -> dict[str, bytes]:
    """Return the content of the files of the bundled set `name`, each checked against its SHA-256.

    The check costs some hundredths of a second and means that a damaged file never gives quietly wrong
    numbers. Raises `PlaygroundError` for a set, or a file of it, that is missing, unreadable or damaged.
    """
    folder = folder or data_folder()
    manifest = read_manifest(folder)
    if name not in manifest:
        raise PlaygroundError(f"The bundled file {folder / 'manifest.json'} has no set {name!r}. {_REMAKE_ALL}")
    remake = _REMAKE.format(command=manifest[name]["command"])
    content = {}
    for file_name, expected in manifest[name]["files"].items():
        path = folder / name / file_name
        try:
            content[file_name] = path.read_bytes()
        except OSError as error:
            reason = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
            raise PlaygroundError(f"The bundled file {path} {reason}. {remake}") from None
        if hashlib.sha256(content[file_name]).hexdigest() != expected:
            raise PlaygroundError(f"The bundled file {path} is damaged: its SHA-256 is not the manifest's. {remake}")
    return content
