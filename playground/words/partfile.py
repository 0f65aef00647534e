"""The part of a file that has come so far: on disk, ready to be continued."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class PartFile:
    """`<target>.part`, and beside it which state of the server's file it belongs to.

    `size` is how many bytes there are. The MD5 is kept up to date as they come.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._path = target.with_name(f"{target.name}.part")
        self._mark = target.with_name(f"{target.name}.part.json")
        self._md5 = hashlib.md5(usedforsecurity=False)
        self.size = 0
        if self._path.exists():
            with self._path.open("rb") as file:
                while data := file.read(1 << 20):
                    self._md5.update(data)
                    self.size += len(data)

    def checksum(self) -> str:
        """Return the MD5 of what has come so far."""
        return self._md5.hexdigest()

    def asks_for_the_rest(self) -> dict[str, str]:
        """Return the headers that ask for what is missing, or for all of it if the file has changed meanwhile."""
        if not self.size:
            return {}
        validator = self._validator()
        return {"Range": f"bytes={self.size}-"} | ({"If-Range": validator} if validator else {})

    def continues_with(self, headers: Mapping[str, str]) -> bool:
        """Tell whether an answer (206) begins where this part ends, and is of the same state of the file."""
        found = re.match(r"bytes (\d{1,20})-\d", headers.get("Content-Range", ""))
        mine, theirs = self._validator(), _validator(headers)
        return found is not None and int(found[1]) == self.size and (not mine or not theirs or mine == theirs)

    def is_all_of(self, headers: Mapping[str, str]) -> bool:
        """Tell whether an answer "there is nothing after that" (416) is of a file as long as this part."""
        found = re.fullmatch(r"bytes \*/(\d{1,20})", headers.get("Content-Range", "").strip())
        return found is not None and int(found[1]) == self.size

    def clear(self) -> None:
        """Delete what has come."""
        self._path.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)
        self._md5 = hashlib.md5(usedforsecurity=False)
        self.size = 0

    @contextmanager
    def growing(self, headers: Mapping[str, str]) -> Iterator[Callable[[bytes], None]]:
        """Give a function that adds bytes, from the answer that has these `headers`."""
        validator = _validator(headers) or self._validator()
        self._mark.write_text(json.dumps({"validator": validator}), encoding="utf-8")
        with self._path.open("ab") as file:

            def add(data: bytes) -> None:
                file.write(data)
                self._md5.update(data)
                self.size += len(data)

            yield add

    def finish(self) -> None:
        """Give the file its name, in one step."""
        with self._path.open("rb+") as file:
            os.fsync(file.fileno())
        self._path.replace(self._target)
        self._mark.unlink(missing_ok=True)

    def _validator(self) -> str:
        try:
            kept = json.loads(self._mark.read_bytes())["validator"]
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return kept if isinstance(kept, str) and kept.isprintable() else ""


def _validator(headers: Mapping[str, str]) -> str:
    """Return what tells this state of a file from others: its ETag, unless weak, or the time of its last change."""
    etag = headers.get("ETag", "")
    return etag if etag.startswith('"') else headers.get("Last-Modified", "")
