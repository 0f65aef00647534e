"""A file as it lies on the disk, packed or not: its content as a stream or as an unpacked file."""

import bz2
import gzip
import io
import lzma
import re
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from playground.errors import PlaygroundError, shorten
from playground.words.readers.report import printable

# Text of numbers packs to a quarter or a third; a thousandfold is zeros, made to fill a memory or a disk.
MOST_TIMES = 100
ALWAYS_ALLOWED = 16_000_000  # unpacked bytes that no ratio forbids; decoding can take many times as much memory
MOST_UNPACKED = 64_000_000_000

# All that the four unpackers raise over a damaged file; struct, ValueError and IndexError come from zipfile.
_DAMAGED = (
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    struct.error,
    ValueError,
    IndexError,
)
_ARCHIVES = {
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
}


@dataclass(frozen=True)
class Source:
    """A file of vectors. `packing` is "", "gzip", "bz2", "xz" or "zip", told by the first bytes.

    `name` is how messages call it; files that belong to it lie in the folder of `path`.
    """

    path: Path
    packing: str

    @property
    def name(self) -> str:
        return printable(self.path.name)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the unpacked content for reading from the start.

        What goes wrong with the packing, here or while it is read, becomes a `PlaygroundError`.
        """
        try:
            with self.path.open("rb") as file:
                yield self._unpacked(file) if self.packing else cast(IO[bytes], file)
        except OSError as error:
            raise PlaygroundError(f"{self.name} cannot be read: {_reason(error)}.") from None

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Give the path of the unpacked content, in a private temporary file if it has to be unpacked."""
        if not self.packing:
            yield self.path
            return
        with tempfile.TemporaryDirectory(prefix="playground-") as folder:
            target = Path(folder) / "unpacked"
            try:
                with self.path.open("rb") as packed, target.open("xb") as file:
                    shutil.copyfileobj(self._unpacked(packed), file, 1 << 20)
            except OSError as error:
                raise PlaygroundError(f"{self.name} cannot be unpacked here: {_reason(error)}.") from None
            yield target

    def _unpacked(self, file: IO[bytes]) -> IO[bytes]:
        size = self.path.stat().st_size
        most = min(max(size * MOST_TIMES, ALWAYS_ALLOWED), MOST_UNPACKED)
        try:
            stream = _unpacking(file, self.packing, self.name)
        except PlaygroundError:
            raise
        except _DAMAGED as error:
            raise _damaged(self.name, self.packing, error) from None
        return cast(IO[bytes], io.BufferedReader(_Guarded(stream, self, most), 1 << 20))


class _Guarded(io.RawIOBase):
    """Unpacked bytes, whose faults become a `PlaygroundError`, as does more of them than a file plausibly holds."""

    def __init__(self, stream: IO[bytes], source: Source, most: int) -> None:
        self._stream, self._source, self._most, self._given = stream, source, most, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        try:
            piece = self._stream.read(len(buffer))
        except _DAMAGED as error:
            raise _damaged(self._source.name, self._source.packing, error) from None
        buffer[: len(piece)] = piece
        self._given += len(piece)
        if self._given > self._most:
            raise PlaygroundError(
                f"{self._source.name} unpacks to more than {self._most:,} bytes, far more than vectors pack to: "
                "it is not opened. If it is what you want, unpack it and give the file in it."
            )
        return len(piece)


def _unpacking(file: IO[bytes], packing: str, name: str) -> IO[bytes]:
    if packing == "gzip":
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    if packing == "bz2":
        return cast(IO[bytes], bz2.BZ2File(file))
    if packing == "xz":
        return cast(IO[bytes], lzma.LZMAFile(file))
    archive = zipfile.ZipFile(file)
    return archive.open(_member(archive, name))


def _member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """Return the one file of a zip archive; folders and hidden files, which a Mac adds, do not count."""
    files = [one for one in archive.infolist() if not one.is_dir() and not _hidden(one.filename)]
    if not files:
        raise PlaygroundError(f"{name} is a zip archive without a file in it: fetch it again.")
    if len(files) > 1:
        listed = ", ".join(printable(shorten(_last_part(one.filename))) for one in files[:5])
        more = " …" if len(files) > 5 else ""
        raise PlaygroundError(
            f"{name} holds {len(files):,} files ({listed}{more}): unpack it and give the one of the vectors."
        )
    if files[0].flag_bits & 0x1:
        raise PlaygroundError(f"{name} is locked with a password: unpack it and give the file in it.")
    return files[0]


def _hidden(entry: str) -> bool:
    return entry.startswith("__MACOSX/") or _last_part(entry).startswith(".")


def _last_part(entry: str) -> str:
    return re.split(r"[/\\]", entry)[-1]


def open_source(path: Path) -> Source:
    """Return the file at `path`, its packing told by its first bytes, whatever its name says.

    Raises `PlaygroundError` for an archive of another kind, or what is no file that can be opened.
    """
    name = printable(path.name)
    try:
        if not path.is_file():  # a pipe would let us wait for ever, and a device has no end
            raise PlaygroundError(f"{name} is not there, or is not a plain file.")
        with path.open("rb") as file:
            start = file.read(512)
    except OSError as error:
        raise PlaygroundError(f"{name} cannot be opened: {_reason(error)}.") from None
    if archive := archive_kind(start):
        raise PlaygroundError(f"{name} is {archive}: unpack it and give the file in it.")
    return Source(path, packing_kind(start))


def archive_kind(start: bytes) -> str:
    """Return what archive begins with these bytes that is not opened here, such as "a RAR archive", or ""."""
    if start[257:262] == b"ustar":
        return "a tar archive"
    return next((what for magic, what in _ARCHIVES.items() if start.startswith(magic)), "")


def packing_kind(start: bytes) -> str:
    """Return "gzip", "bz2", "xz" or "zip" if a file that begins with these bytes is packed so, or ""."""
    if start.startswith(b"\x1f\x8b"):
        return "gzip"
    if start.startswith(b"BZh") and start[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bz2"
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    return "zip" if start.startswith((b"PK\x03\x04", b"PK\x05\x06")) else ""


def _damaged(name: str, packing: str, error: BaseException) -> PlaygroundError:
    return PlaygroundError(
        f"{name} is damaged or cut short: its {packing} packing cannot be undone ({_reason(error)}). Fetch it again."
    )


def _reason(error: BaseException) -> str:
    said = getattr(error, "strerror", None) or str(error).rstrip(".") or type(error).__name__
    return printable(said)
