"""Downloads from a real server on this machine, which cuts, lies, stalls and fails as servers do."""

import gzip
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from model_server import Faults, Server

from playground.errors import DownloadCancelledError, DownloadError, PlaygroundError
from playground.words import downloads, remote
from playground.words.catalog import entry_named
from playground.words.downloads import Progress, download, refresh, removable, remove

TEXT = b"4 3\none 1 0 0\ntwo 0 1 0\nthree 0 0 1\nfour 1 1 0\n"
TINY = gzip.compress(TEXT, mtime=0)
LARGE = random.Random(1).randbytes(3_000_000)
HALF = len(LARGE) // 2


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "PAUSES", (0.01, 0.01, 0.01, 0.01))


@pytest.fixture
def large(server: Server) -> Server:
    """The server with one model whose file is three megabytes of noise."""
    server.add("large", LARGE)
    refresh()
    return server


def files(path: Path) -> set[str]:
    """Return what lies beside a model's file, without the lock, which is left for the next."""
    return {file.name for file in path.parent.iterdir() if not file.name.endswith(".lock")}


def part() -> Path:
    model = remote.model_named("large")
    assert model is not None
    place = remote.place(model)
    return place.with_name(f"{place.name}.part")


def test_a_model_is_fetched_checked_and_named(server: Server, tmp_path: Path) -> None:
    server.add("tiny", TINY)
    refresh()
    assert not entry_named("tiny").here
    path = download("tiny")
    assert path == tmp_path / "home" / "data" / "models" / "tiny" / "tiny.gz"
    assert path.read_bytes() == TINY
    assert files(path) == {"tiny.gz"}
    entry = entry_named("tiny")
    assert entry.here and entry.bytes == len(TINY)


def test_what_is_here_is_not_asked_for_again(large: Server) -> None:
    path = download(entry_named("large"))
    before = len(large.asked)
    assert download("large") == path
    assert len(large.asked) == before


def test_no_program_of_the_server_is_asked_for(large: Server) -> None:
    download("large")
    assert {path for path, _ in large.asked} == {"/list.json", "/large/large.gz"}


def test_what_gensims_downloader_has_fetched_is_here(large: Server, tmp_path: Path) -> None:
    path = tmp_path / "gensim-data" / "large" / "large.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(LARGE)
    assert entry_named("large").here
    assert download("large") == path
    assert large.ranges() == []


def test_progress_rises_to_the_whole(large: Server) -> None:
    told: list[Progress] = []
    large.faults.cut_at = HALF
    large.faults.times = 1
    download("large", progress=told.append)
    received = [one.received for one in told]
    assert received == sorted(received)
    assert (received[0], received[-1]) == (0, len(LARGE))
    assert {one.total for one in told} == {len(LARGE)}
    assert told[0].seconds_left is None and told[-1].seconds_left == 0
    assert told[-1].bytes_per_second > 0


@pytest.mark.parametrize(
    "cut",
    [{"cut_after": 1_000_000}, {"cut_after": 1_000_000, "no_length": True}, {"cut_after": 1_000_000, "chunked": True}],
)
def test_a_download_goes_on_after_each_cut(large: Server, cut: dict) -> None:
    large.faults = Faults(**cut)
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [None, "bytes=1000000-", "bytes=2000000-"]


def test_a_cut_that_nothing_gets_over_keeps_what_came(large: Server) -> None:
    large.faults.cut_at = HALF
    with pytest.raises(
        DownloadError, match=r"was cut\. 1\.5 MB of 3\.0 MB are kept: the next download goes on"
    ) as told:
        download("large")
    assert str(told.value).count("\n") == 0
    assert part().stat().st_size == HALF
    large.faults = Faults()
    large.asked.clear()
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [f"bytes={HALF}-"]


def test_a_server_that_gives_a_little_each_time_is_given_up(large: Server) -> None:
    large.faults.cut_after = 10
    with pytest.raises(DownloadError, match=r"was cut\. 50 bytes of 3\.0 MB are kept"):
        download("large")
    assert len(large.ranges()) == 5


def test_a_server_that_ignores_ranges_starts_anew(large: Server) -> None:
    large.faults.cut_after = HALF
    large.faults.times = 1
    large.faults.ignore_range = True
    path = download("large")
    assert path.read_bytes() == LARGE
    large.faults = Faults(cut_after=HALF, ignore_range=True)
    path.unlink()
    with pytest.raises(DownloadError, match="was cut"):
        download("large")


def test_a_file_that_has_changed_meanwhile_starts_anew(large: Server) -> None:
    large.faults.cut_at = HALF
    with pytest.raises(DownloadError):
        download("large")
    changed = bytes(reversed(LARGE))
    large.add("large", changed)
    large.etag = '"two"'
    large.faults = Faults()
    refresh()
    large.asked.clear()
    assert download("large").read_bytes() == changed
    assert large.ranges() == [f"bytes={HALF}-"]
    assert large.asked[0][1]["If-Range"] == '"one"'


def test_a_range_from_another_place_starts_anew(large: Server) -> None:
    part().parent.mkdir(parents=True)
    part().write_bytes(LARGE[:HALF])
    large.faults = Faults(range_from=HALF - 7, times=1)
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [f"bytes={HALF}-", None]


def test_a_part_longer_than_the_file_starts_anew(large: Server) -> None:
    part().parent.mkdir(parents=True)
    part().write_bytes(LARGE + b"more")
    assert download("large").read_bytes() == LARGE


def test_a_part_that_another_server_does_not_go_on_from_starts_anew(large: Server) -> None:
    large.files["/large/large.gz"] = LARGE[:HALF]  # shorter than the part, so that it answers 416
    part().parent.mkdir(parents=True)
    part().write_bytes(LARGE[: HALF + 5])
    with pytest.raises(DownloadError, match="checksum is another"):
        download("large")
    assert large.ranges()[:2] == [f"bytes={HALF + 5}-", None]


def test_a_part_that_is_whole_needs_no_network(large: Server) -> None:
    part().parent.mkdir(parents=True)
    part().write_bytes(LARGE)
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == []


def test_damage_in_a_kept_part_is_found(large: Server) -> None:
    part().parent.mkdir(parents=True)
    part().write_bytes(b"x" + LARGE[1:HALF])
    with pytest.raises(DownloadError, match=r"checksum is another: what came is deleted\. Try again"):
        download("large")
    assert not part().exists()
    assert download("large").read_bytes() == LARGE


def test_a_wrong_file_is_deleted_and_said(large: Server) -> None:
    large.files["/large/large.gz"] = LARGE[:-1] + b"x"
    with pytest.raises(DownloadError, match="is not the file that was published") as told:
        download("large")
    assert f"{large.address}/large/large.gz" in str(told.value)
    assert files(part()) == set()
    assert not entry_named("large").here


def test_a_shorter_file_than_published_is_noticed(large: Server) -> None:
    large.files["/large/large.gz"] = LARGE[:HALF]
    with pytest.raises(DownloadError, match="is not the file that was published"):
        download("large")
    assert files(part()) == set()


@pytest.mark.parametrize("faults", [{}, {"chunked": True}, {"no_length": True}])
def test_a_longer_file_than_published_is_left_off(large: Server, faults: dict) -> None:
    large.faults = Faults(extra=LARGE, **faults)
    with pytest.raises(DownloadError, match="is longer than the 3,000,000 bytes that were published"):
        download("large")
    assert files(part()) == set()


def test_a_length_that_is_too_long_does_not_spoil_a_whole_file(large: Server) -> None:
    large.faults.length = 1000
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [None]


def test_a_length_that_is_too_short_is_made_up_for(large: Server) -> None:
    large.faults.length = -1_000_000
    large.faults.times = 1
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [None, "bytes=2000000-"]


def test_a_length_that_is_always_too_short_is_said(large: Server) -> None:
    large.faults.length = -1_000_000
    large.faults.ignore_range = True
    with pytest.raises(DownloadError, match="has ended after 2,000,000 of 3,000,000 bytes"):
        download("large")


def test_a_file_that_is_not_there_is_said_without_another_try(large: Server) -> None:
    del large.files["/large/large.gz"]
    with pytest.raises(DownloadError, match=r"does not have the file large\.gz \(404 Not Found\): .*--refresh"):
        download("large")
    assert len(large.ranges()) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(large: Server, status: int) -> None:
    large.faults = Faults(status=status, times=2)
    assert download("large").read_bytes() == LARGE
    assert len(large.ranges()) == 3


def test_a_server_that_stays_busy_is_left_alone(large: Server) -> None:
    large.faults.status = 503
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1 answers 503 Service Unavailable"):
        download("large")
    assert len(large.ranges()) == 5


def test_a_refusal_is_not_asked_again(large: Server) -> None:
    large.faults.status = 403
    with pytest.raises(DownloadError, match="answers 403 Forbidden"):
        download("large")
    assert len(large.ranges()) == 1


def test_the_pause_that_a_server_asks_for_is_kept(large: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(downloads, "_wait", lambda pause, *rest: pauses.append(pause))
    large.faults = Faults(status=503, retry_after="7", times=1)
    assert download("large").read_bytes() == LARGE
    assert pauses == [7]


@pytest.mark.parametrize(
    "when", [lambda: "3600", lambda: format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)]
)
def test_a_pause_that_is_too_long_is_said(large: Server, when: Callable[[], str]) -> None:
    large.faults = Faults(status=503, retry_after=when())
    with pytest.raises(DownloadError, match=r"answers 503 .*, and asks to come back in (1 h 0 min|60 min 0 s|59 min)"):
        download("large")
    assert len(large.ranges()) == 1


@pytest.mark.parametrize("retry_after", ["soon", "-5", "1e9", "", "\u0663"])
def test_a_pause_that_is_no_time_is_ours(large: Server, retry_after: str) -> None:
    large.faults = Faults(status=503, retry_after=retry_after, times=1)
    assert download("large").read_bytes() == LARGE


def test_a_cancelled_download_keeps_what_came(large: Server) -> None:
    with pytest.raises(DownloadCancelledError, match=r"Stopped\. .* of 3\.0 MB are kept: the next download goes on"):
        download("large", cancelled=lambda: True)
    kept = part().stat().st_size
    assert 0 < kept < len(LARGE)
    large.asked.clear()
    assert download("large").read_bytes() == LARGE
    assert large.ranges() == [f"bytes={kept}-"]


def test_a_pause_can_be_cancelled(large: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "PAUSES", (50.0,))
    large.faults.status = 503
    with pytest.raises(DownloadCancelledError, match=r"Stopped\. Nothing had come yet"):
        download("large", cancelled=lambda: len(large.ranges()) > 0)


def test_without_a_network_one_sentence_names_what_is_here(
    large: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large.add("tiny", TINY)
    refresh()
    download("tiny")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody listens
        kept = (tmp_path / "home" / "data" / "catalogue.json").read_text()
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        (tmp_path / "home" / "data" / "catalogue.json").write_text(kept.replace(large.address, address))
        monkeypatch.setenv("PLAYGROUND_MODELS_URL", address)
        with pytest.raises(DownloadError) as told:
            download("large")
        assert "127.0.0.1 cannot be reached" in str(told.value)
        assert "On this disk already: glove, zh, tiny." in str(told.value).replace("glove-50d, ", "")
        assert download("tiny").read_bytes() == TINY


def test_a_server_without_its_encryption_is_one_sentence(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_MODELS_URL", server.address.replace("http:", "https:"))
    with pytest.raises(DownloadError, match=r"The secure connection to 127\.0\.0\.1 cannot be made"):
        refresh()


def test_a_silent_server_is_not_waited_for_for_ever(large: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from playground.words import web

    monkeypatch.setattr(web, "READ_TIMEOUT", 0.2)
    large.faults.pause = threading.Event()
    with pytest.raises(DownloadError, match=r"has sent nothing for 0\.2 seconds"):
        download("large")


@pytest.mark.parametrize("parts", [2, 3])
def test_the_parts_of_a_model_become_one_file(server: Server, parts: int) -> None:
    server.add("several", LARGE, parts=parts)
    refresh()
    server.faults = Faults(cut_after=700_000)
    told: list[Progress] = []
    path = download("several", progress=told.append)
    assert path.read_bytes() == LARGE
    assert files(path) == {"several.gz"}
    assert told[-1].received == told[-1].total == len(LARGE)
    assert [one.received for one in told] == sorted(one.received for one in told)


def test_parts_that_are_here_are_not_fetched_again(server: Server) -> None:
    server.add("several", LARGE, parts=3)
    refresh()
    second = server.files.pop("/several/several.gz_01")
    with pytest.raises(DownloadError, match=r"does not have the file several\.gz_01"):
        download("several")
    server.files["/several/several.gz_01"] = second
    server.asked.clear()
    path = download("several")
    assert path.read_bytes() == LARGE
    assert [asked for asked, _ in server.asked] == ["/several/several.gz_01", "/several/several.gz_02"]


def test_a_part_with_a_wrong_checksum_is_deleted(server: Server) -> None:
    server.add("several", LARGE, parts=3)
    refresh()
    server.files["/several/several.gz_01"] = bytes(1_000_000)
    with pytest.raises(DownloadError, match=r"several\.gz_01 is not the file that was published"):
        download("several")
    model = remote.model_named("several")
    assert model is not None
    assert files(remote.place(model)) == {"several.gz_00"}


def test_a_disk_without_room_is_said_before_anything_comes(server: Server) -> None:
    server.add("huge", TINY, file_size=9 * 10**12)
    refresh()
    with pytest.raises(DownloadError, match=r"huge needs 9\.0 TB more on the disk of .* are free: make room, or set"):
        download("huge")
    assert server.ranges() == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such right there")
def test_a_folder_that_may_not_be_written_is_said(large: Server, tmp_path: Path) -> None:
    blocked = tmp_path / "home" / "data" / "models"
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("a file where the folder would be")
    with pytest.raises(DownloadError, match=r"large cannot be kept in .*models"):
        download("large")


def test_only_one_process_fetches_a_model_and_the_other_finds_it(large: Server) -> None:
    large.faults.pause = threading.Event()
    command = [sys.executable, "-m", "playground", "download", "large"]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as other:
        assert other.stderr is not None
        assert b"large: 0 %" in other.stderr.readline()  # it has the lock, and is waiting for the server
        with pytest.raises(DownloadError, match="Another window or command is fetching large"):
            download("large")
        large.faults.pause.set()
        other.communicate()
    assert other.returncode == 0
    assert download("large").read_bytes() == LARGE
    assert len(large.ranges()) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("glove", "glove is on this disk already: there is nothing to fetch"),
        ("no-such", "There is no model called 'no-such'"),
        ("larg", "Near names: large"),
        ("../../x", "There is no model called"),
        ("x" * 10_000, "There is no model called"),
    ],
)
def test_a_name_that_cannot_be_fetched_is_said(large: Server, name: str, told: str) -> None:
    with pytest.raises(PlaygroundError, match=told) as raised:
        download(name)
    assert len(str(raised.value)) < 300


def test_a_fetched_model_can_be_removed_and_fetched_again(large: Server) -> None:
    path = download("large")
    assert removable("large")
    assert remove("large") == len(LARGE)
    assert not path.parent.exists() and not removable("large") and not entry_named("large").here
    assert download("large").read_bytes() == LARGE


def test_what_a_stopped_download_left_is_removed_too(large: Server) -> None:
    with pytest.raises(DownloadCancelledError):
        download("large", cancelled=lambda: True)
    left = part().stat().st_size
    assert remove("large") >= left > 0
    assert not part().exists()


@pytest.mark.parametrize("name", ["glove", "large", "no-such-model", "../large"])
def test_only_what_was_fetched_can_be_removed(large: Server, name: str) -> None:
    with pytest.raises(PlaygroundError, match="has not been fetched by the playground"):
        remove(name)
