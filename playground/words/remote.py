"""gensim-data's catalogue of word vectors: a bundled copy, or the list that was fetched last.

A list from the network is not trusted: a name in it becomes a folder on this disk and a part of an address,
so it has to fit a strict pattern, and each number has to be a plausible one.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playground.bundled import read_files
from playground.errors import PlaygroundError, shorten
from playground.words.folders import models_folder, write_whole

LIST_ADDRESS = "https://raw.githubusercontent.com/RaRe-Technologies/gensim-data/master/list.json"
FILES_ADDRESS = "https://github.com/RaRe-Technologies/gensim-data/releases/download"
OURS = ("glove", "zh", "glove-50d")  # no list may put other vectors under these names
MOST_MODELS = 1000
NOT_STATED = "not stated"

# Letters, digits, - and _, and dots inside: no path, no hidden file, nothing that a shell or an address reads.
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9])){0,99}")
_MD5 = re.compile(r"[0-9a-f]{32}")
_CREATIVE_COMMONS = re.compile(r"https?://creativecommons\.org/licenses/([a-z-]{2,8})/(\d\.\d)")

_UNSOUND = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # what a strange list comes to


@dataclass(frozen=True)
class RemoteModel:
    """A set of word vectors in the catalogue.

    `bytes` is the size of its file, or of all its parts together; `checksums` are MD5 in hexadecimal digits,
    one a part; `corpus` is what it was made from, as the catalogue says.
    """

    name: str
    words: int
    dimensions: int
    bytes: int
    licence: str
    corpus: str
    file_name: str
    checksums: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files on the server, in the order in which they are joined."""
        if len(self.checksums) == 1:
            return (self.file_name,)
        return tuple(f"{self.file_name}_{number:02d}" for number in range(len(self.checksums)))


def models() -> list[RemoteModel]:
    """Return the models of the list that was last fetched from the present server, or of the bundled copy."""
    try:
        kept = json.loads(_kept_list().read_bytes())
        if kept["server"] == list_address():
            return _parsed(kept)
    except (OSError, *_UNSOUND):  # none yet, or damaged
        pass
    return parse(read_files("models")["catalogue.json"])


def model_named(name: str) -> RemoteModel | None:
    """Return the model of that name, if the list has it."""
    return next((model for model in models() if model.name == name), None)


def list_address() -> str:
    """Return the address of the list: gensim-data's, or that of the server which `PLAYGROUND_MODELS_URL` names.

    Raises `PlaygroundError` if the variable holds no address.
    """
    chosen = _chosen_server()
    return f"{chosen}/list.json" if chosen else LIST_ADDRESS


def file_address(model: RemoteModel, file_name: str) -> str:
    """Return the address of a file of `model`, on the server as for `list_address`."""
    return f"{_chosen_server() or FILES_ADDRESS}/{model.name}/{file_name}"


def place(model: RemoteModel) -> Path:
    """Return the path that the model's file has, or will have once it is fetched."""
    return models_folder() / "models" / model.name / model.file_name


def find(model: RemoteModel) -> Path | None:
    """Return the path of the model's file if it is on this disk, fetched by us or by gensim's own downloader."""
    for path in (place(model), _gensim_folder() / model.name / model.file_name):
        try:
            if path.is_file():
                return path
        except OSError:  # a folder that may not be looked into
            continue
    return None


def parse(text: bytes) -> list[RemoteModel]:
    """Return the models of a `list.json`, in its order, without those for testing and those that are not sound.

    Raises `PlaygroundError` if it is no such list, or holds no sound model.
    """
    try:
        return _parsed(json.loads(text))
    except _UNSOUND:
        raise PlaygroundError("The list of models is not one: it holds no sound model.") from None


def keep(found: list[RemoteModel]) -> None:
    """Make `found` the list in use, also offline, for as long as the present server is chosen."""
    listed = {"server": list_address(), "models": {model.name: _facts(model) for model in found}}
    write_whole(_kept_list(), json.dumps(listed, indent=2))


def _gensim_folder() -> Path:
    """Return where gensim's own downloader puts its models."""
    try:
        return Path(os.environ.get("GENSIM_DATA_DIR") or "~/gensim-data").expanduser()
    except RuntimeError:  # no home folder
        return Path("gensim-data")


def _kept_list() -> Path:
    return models_folder() / "catalogue.json"


def _chosen_server() -> str:
    chosen = os.environ.get("PLAYGROUND_MODELS_URL", "").strip().rstrip("/")
    try:
        parts = urlsplit(chosen)
        sound = not chosen or (parts.scheme in ("http", "https") and parts.hostname)
    except ValueError:
        sound = False
    if not sound:
        raise PlaygroundError(
            f"PLAYGROUND_MODELS_URL is {shorten(chosen)!r}, which is no address: it begins with http:// or https://."
        )
    return chosen


def _parsed(listed: Any) -> list[RemoteModel]:
    """Raise one of `_UNSOUND` if there is no sound model."""
    found: dict[str, RemoteModel] = {}
    for name, facts in list(listed["models"].items())[:MOST_MODELS]:
        model = _model(name, facts)
        if model is not None:
            found.setdefault(name.casefold(), model)  # some disks do not tell capitals apart
    if not found:
        raise ValueError("no sound model")
    return list(found.values())


def _model(name: str, facts: Any) -> RemoteModel | None:
    if not isinstance(facts, dict) or not _NAME.fullmatch(name) or name in OURS:
        return None
    parameters = facts.get("parameters")
    try:
        parts = _whole(facts.get("parts"), 100)
        keys = ["checksum"] if parts == 1 else [f"checksum-{number}" for number in range(parts)]
        return RemoteModel(
            name=name,
            words=_whole(facts.get("num_records"), 10**9),
            dimensions=_whole(parameters.get("dimension") if isinstance(parameters, dict) else None, 10**5),
            bytes=_whole(facts.get("file_size"), 10**13),
            licence=_licence(_text(facts.get("license"))),
            corpus=_text(facts.get("base_dataset")),
            file_name=_fitting(facts.get("file_name"), _NAME),
            checksums=tuple(_fitting(facts.get(key), _MD5) for key in keys),
        )
    except ValueError:
        return None


def _whole(value: Any, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"not a whole number from 1 to {most}")
    return value


def _fitting(value: Any, pattern: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"not like {pattern.pattern}")
    return value


def _text(value: Any) -> str:
    """Return one printable line of moderate length; "not stated" for none."""
    words = " ".join(value.split()) if isinstance(value, str) else ""
    words = "".join(character for character in words if character.isprintable())
    return shorten(words, 120) if words and words != "not found" else NOT_STATED


def _licence(text: str) -> str:
    """Return the usual name of a licence for the link to it; another text stays as it is."""
    if match := _CREATIVE_COMMONS.match(text):
        return f"CC-{match[1].upper()}-{match[2]}"
    if re.match(r"https?://(www\.)?opendatacommons\.org/licenses/pddl\b", text):
        return "PDDL-1.0"
    if text.startswith("https://github.com/commonsense/conceptnet-numberbatch/"):
        return "CC-BY-SA-4.0"  # so its LICENSE.txt says of the data
    return text


def _facts(model: RemoteModel) -> dict[str, Any]:
    """Return the model as `list.json` writes it."""
    several = len(model.checksums) > 1
    keys = [f"checksum-{number}" for number in range(len(model.checksums))] if several else ["checksum"]
    return {
        "num_records": model.words,
        "parameters": {"dimension": model.dimensions},
        "file_size": model.bytes,
        "base_dataset": model.corpus,
        "license": model.licence,
        "file_name": model.file_name,
        "parts": len(model.checksums),
        **dict(zip(keys, model.checksums, strict=True)),
    }
