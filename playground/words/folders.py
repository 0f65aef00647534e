"""Where the playground keeps what it has fetched or made, outside the project."""

import os
from pathlib import Path

from playground.errors import PlaygroundError


def cache_folder() -> Path:
    """Return the folder of what can be made again at any time, such as converted vectors."""
    return _home("cache")


def models_folder() -> Path:
    """Return the folder of fetched models and of the list of files opened lately."""
    return _home("data")


def write_whole(path: Path, text: str) -> None:
    """Write a file that others never see half, nor mixed with what another thread or process writes."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as new:
        try:
            new.write(text)
            new.close()
            Path(new.name).replace(path)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


def _home(kind: str) -> Path:
    """`PLAYGROUND_HOME` puts everything in one folder of the user's choice: a large disk, a class's share."""
    if chosen := os.environ.get("PLAYGROUND_HOME"):
        try:
            return Path(chosen).expanduser() / kind
        except RuntimeError:
            raise PlaygroundError(
                f"PLAYGROUND_HOME is {chosen}, and nobody has that home: give a whole path."
            ) from None
    import platformdirs

    path = platformdirs.user_cache_path if kind == "cache" else platformdirs.user_data_path
    return path("playground", appauthor=False)
