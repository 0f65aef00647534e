"""Fetch a model of the catalogue: resumable, checked, one at a time, and there only when it is whole."""

import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playground.amounts import duration, size
from playground.errors import DownloadCancelledError, DownloadError, PlaygroundError, shorten
from playground.words import remote
from playground.words.catalog import Entry, catalog, entry_named
from playground.words.partfile import PartFile
from playground.words.remote import RemoteModel
from playground.words.web import WebError, get

PAUSES = (0.5, 1.0, 2.0, 4.0)  # seconds before each further try; a try that gets further starts them anew
WORTH_A_TRY = 1_000_000  # bytes, or a hundredth of the file: a server that gives a little each time has an end too
LONGEST_PAUSE = 60  # seconds: a server that wants a longer one is not waited for
CHUNK = 1 << 18
LARGEST_LIST = 4_000_000  # bytes
NAMED = 8  # sets of vectors that a message names


@dataclass(frozen=True)
class Progress:
    """How far a download is: bytes here, of how many, the speed of the last seconds and the time left by it.

    `seconds_left` is None while there is no speed yet.
    """

    received: int
    total: int
    bytes_per_second: float
    seconds_left: float | None


def download(
    model: Entry | str,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Path:
    """Fetch a model of the catalogue unless it is on this disk; return the path of its file.

    `progress` is called some times a second, `cancelled` is asked as often: True stops the download. What came
    is kept, and the next call goes on from there. The file is checked against its published MD5 and gets its
    name only then. Raises `PlaygroundError` for a name that cannot be downloaded, `DownloadError` for what
    goes wrong on the way, `DownloadCancelledError` for a stop.
    """
    wanted = _model(model.name if isinstance(model, Entry) else model)
    if here := remote.find(wanted):
        return here
    target = remote.place(wanted)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _alone(target, wanted.name):
            if here := remote.find(wanted):  # the one before us was fetching the same
                return here
            _fetch(wanted, target, _Meter(wanted.bytes, progress), cancelled or (lambda: False))
    except OSError as error:
        raise DownloadError(f"{wanted.name} cannot be kept in {target.parent}: {error.strerror or error}.") from None
    return target


def remove(name: str) -> int:
    """Delete a model that was fetched, or what a stopped download left of it; return the bytes that are free now.

    Raises `PlaygroundError` if nothing of it is in the folder of fetched models: what gensim's own downloader
    fetched is not ours to delete.
    """
    model = remote.model_named(name)
    folder = remote.place(model).parent if model else None
    if model is None or folder is None or not folder.is_dir():
        raise PlaygroundError(f"{shorten(name)} has not been fetched by the playground, so there is nothing to remove.")
    with _alone(remote.place(model), name):
        freed = sum(file.stat().st_size for file in folder.iterdir())
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise DownloadError(f"{name} cannot be removed from {folder}: {error.strerror or error}.") from None
    return freed


def removable(name: str) -> bool:
    """Tell whether `remove` has something to delete."""
    model = remote.model_named(name)
    return model is not None and remote.place(model).parent.is_dir()


def refresh() -> list[RemoteModel]:
    """Fetch the list of models anew, keep it for later, also offline, and return it. Raises `DownloadError`."""
    address = remote.list_address()
    try:
        with get(address) as response:
            text = b""
            while len(text) <= LARGEST_LIST and (more := response.raw.read1(CHUNK, decode_content=False)):
                text += more
        found = remote.parse(text)
        remote.keep(found)
    except WebError as error:
        raise DownloadError(f"{_explained(error)} The list stays as it was.") from None
    except PlaygroundError as error:
        raise DownloadError(f"{address}: {error} The list stays as it was.") from None
    except OSError as error:
        raise DownloadError(f"The list of models cannot be kept: {error.strerror or error}.") from None
    return found


def _model(name: str) -> RemoteModel:
    if found := remote.model_named(name):
        return found
    entry = entry_named(name)
    if entry.here:
        raise PlaygroundError(f"{shorten(name)} is on this disk already: there is nothing to fetch.")
    raise PlaygroundError(f"{name} does not come from the catalogue of models. To get it: {entry.get}")


def _fetch(model: RemoteModel, target: Path, meter: "_Meter", cancelled: Callable[[], bool]) -> None:
    several = len(model.files) > 1
    ends = [target.with_name(name) for name in model.files]
    parts = [PartFile(end) for end in ends]
    here = sum(end.stat().st_size if end.exists() else part.size for end, part in zip(ends, parts, strict=True))
    _check_space(target.parent, model.bytes - here + (model.bytes if several else 0), model.name)
    for name, end, part, checksum in zip(model.files, ends, parts, model.checksums, strict=True):
        if not end.exists():
            address = remote.file_address(model, name)
            _fetch_file(address, part, checksum, model.bytes - meter.before, meter, cancelled)
            part.finish()
        meter.before += end.stat().st_size
    if several:
        _join(ends, target)


def _fetch_file(
    address: str, part: PartFile, checksum: str, most: int, meter: "_Meter", cancelled: Callable[[], bool]
) -> None:
    """Make `part` whole: the file whose checksum is the published one, of at most `most` bytes.

    The checksum alone decides. The lengths that a server or the catalogue state only tell whether to ask again.
    """
    if part.size > most:
        part.clear()
    start = furthest = part.size
    tries = 0
    while part.checksum() != checksum:
        try:
            if _receive(address, part, most, meter, cancelled) and part.checksum() != checksum:
                part.clear()
                raise DownloadError(
                    f"{address} is not the file that was published, as its checksum is another: what came is deleted. "
                    "Try again, or get the list anew with `playground models --refresh`."
                )
        except WebError as trouble:
            if part.checksum() == checksum:  # all is here, whatever length was promised
                return
            if part.size - furthest > min(WORTH_A_TRY, most // 100):
                furthest, tries = part.size, 0
            pause = PAUSES[min(tries, len(PAUSES) - 1)] if trouble.pause is None else trouble.pause
            hopeless = not trouble.again or (trouble.offline and part.size == start)
            if hopeless or tries == len(PAUSES) or pause > LONGEST_PAUSE:
                raise DownloadError(_explained(trouble) + _kept(part, most)) from None
            tries += 1
            meter(part.size)
            _wait(pause, part, most, cancelled)


def _receive(address: str, part: PartFile, most: int, meter: "_Meter", cancelled: Callable[[], bool]) -> bool:
    """Add what the server sends to `part`; tell whether that is all there is.

    Raises `WebError` if something is missing, `DownloadError` if there is too much.
    """
    with get(address, part.asks_for_the_rest()) as response:
        if response.status_code == 416:  # no bytes from there on: all are here, or it is another file by now
            if part.is_all_of(response.headers):
                return True
            part.clear()
            raise WebError("The server does not go on from where the download stopped", again=True)
        if response.status_code == 206 and not part.continues_with(response.headers):
            part.clear()
            raise WebError("The server goes on from another place than was asked", again=True)
        if response.status_code == 200:
            part.clear()
        with part.growing(response.headers) as add:
            meter(part.size)
            while part.size <= most and (data := response.raw.read1(CHUNK, decode_content=False)):
                add(data)
                meter(part.size)
                if cancelled():
                    raise _stopped(part, most)
    if part.size > most:
        part.clear()
        raise DownloadError(
            f"{address} is longer than the {most:,} bytes that were published, so it is another file: "
            "what came is deleted. Get the list anew with `playground models --refresh`."
        )
    if part.size < most:
        raise WebError(f"The server has ended after {part.size:,} of {most:,} bytes", again=True)
    return True


def _stopped(part: PartFile, most: int) -> DownloadCancelledError:
    return DownloadCancelledError(f"Stopped.{_kept(part, most) or ' Nothing had come yet.'}")


def _kept(part: PartFile, most: int) -> str:
    if not part.size:
        return ""
    return f" {size(part.size)} of {size(most)} are kept: the next download goes on from there."


def _wait(pause: float, part: PartFile, most: int, cancelled: Callable[[], bool]) -> None:
    end = time.monotonic() + pause
    while True:
        if cancelled():
            raise _stopped(part, most)
        left = end - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, 0.1))


def _explained(error: WebError) -> str:
    if error.offline:
        here = [shorten(entry.name) for entry in catalog() if entry.here]
        more = f" and {len(here) - NAMED} more" if len(here) > NAMED else ""
        return f"{error}: is this machine online? On this disk already: {', '.join(here[:NAMED])}{more}."
    if error.missing:
        return f"{error}: `playground models --refresh` gets the list anew."
    if error.pause is not None and error.pause > LONGEST_PAUSE:
        return f"{error}, and asks to come back in {duration(error.pause)}."
    return f"{error}."


def _check_space(folder: Path, needed: int, name: str) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise DownloadError(
            f"{name} needs {size(needed)} more on the disk of {folder}, and {size(free)} are free: "
            "make room, or set PLAYGROUND_HOME to a folder on another disk."
        )


def _join(parts: list[Path], target: Path) -> None:
    joined = target.with_name(f"{target.name}.joined")
    with joined.open("wb") as file:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())
    joined.replace(target)
    for part in parts:
        part.unlink()


@contextmanager
def _alone(target: Path, name: str) -> Iterator[None]:
    """Keep other windows and commands, of this or another process, from fetching the same model meanwhile."""
    from filelock import FileLock, Timeout

    lock = FileLock(target.with_name(f"{target.name}.lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise DownloadError(f"Another window or command is fetching {name}: wait until it is done.") from None
    try:
        yield
    finally:
        lock.release()


class _Meter:
    """Tells a listener of the progress, at most ten times a second, by the speed of the last five seconds."""

    def __init__(self, total: int, listener: Callable[[Progress], None] | None) -> None:
        self.before = 0  # bytes of the parts that are whole
        self._total, self._listener = total, listener
        self._seen: deque[tuple[float, int]] = deque()

    def __call__(self, part: int) -> None:
        now, received = time.monotonic(), self.before + part
        if self._listener is None or (self._seen and now - self._seen[-1][0] < 0.1 and received < self._total):
            return
        self._seen.append((now, received))
        while now - self._seen[0][0] > 5 and len(self._seen) > 2:
            self._seen.popleft()
        (start, first), (end, last) = self._seen[0], self._seen[-1]
        speed = max(0.0, (last - first) / (end - start)) if end > start else 0.0
        left = (self._total - received) / speed if speed else None
        self._listener(Progress(received, self._total, speed, left))
