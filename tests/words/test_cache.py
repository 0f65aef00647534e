"""Vectors from the cache: the same as from the file, never stale, never half, and never in the way."""

import functools
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import load_facebook_vectors, save_facebook_model

import playground as pg
from playground.words import cache, readers
from playground.words.cache import CacheEntry, cached

ROWS, DIMENSIONS = 300, 50
WORTH = 20_000  # bytes: so that small files are kept, and the tests are quick


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, which is not there yet."""
    monkeypatch.setenv("PLAYGROUND_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(cache, "WORTH", WORTH)
    return tmp_path / "home" / "cache" / "vectors"


@functools.cache
def text(seed: int, rows: int) -> bytes:
    """Return random vectors as text."""
    matrix = np.random.default_rng(seed).standard_normal((rows, DIMENSIONS)).astype(np.float32)
    words = ["king", "queen", "Zürich", "New_York", "苹果", *(f"w{row}" for row in range(5, rows))]
    lines = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words[:rows], matrix.tolist(), strict=True)]
    return "".join(lines).encode()


def write_text(path: Path, seed: int = 0, rows: int = ROWS) -> Path:
    path.write_bytes(text(seed, rows))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    return write_text(tmp_path / "files" / "vectors.txt")


@pytest.fixture
def faulty(file: Path) -> Path:
    """The file with a word that comes twice, one that is not UTF-8, one with a space, and a zero vector."""
    zero = b"nothing" + b" 0" * DIMENSIONS + b"\n"
    row = text(1, 1)
    file.write_bytes(row + zero + b"caf\xe9" + row[4:] + b"two words" + row[4:] + text(0, ROWS))
    return file


def assert_same(ours: KeyedVectors, theirs: KeyedVectors) -> None:
    assert list(ours.index_to_key) == list(theirs.index_to_key)
    assert dict(ours.key_to_index) == dict(theirs.key_to_index)
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)
    np.testing.assert_array_equal(ours.norms, theirs.norms)


def folders(home: Path) -> list[Path]:
    return sorted(home.iterdir()) if home.is_dir() else []


def test_the_second_load_gives_what_the_first_gave(faulty: Path) -> None:
    plain, first, second = readers.read_vectors(faulty), cached(faulty), cached(faulty)
    assert_same(first, plain)
    assert_same(second, plain)
    assert [one.report.from_cache for one in (plain, first, second)] == [False, False, True]
    assert second.report.left_out == {"zero vector": 1, "duplicate": 1} and second.report.repaired == 1
    assert second.report == replace(
        first.report, from_cache=True, seconds=second.report.seconds, memory=second.report.memory
    )
    assert 0 < second.report.seconds < first.report.seconds


def test_the_second_load_is_mapped_from_the_disk_and_read_only(file: Path, home: Path) -> None:
    cached(file)
    vectors = cached(file)
    (folder,) = folders(home)
    stored = np.load(folder / "vectors.npy", mmap_mode="r")
    for array in (vectors.vectors, vectors.norms):
        base = array
        while not isinstance(base, np.memmap):
            assert base.base is not None
            base = base.base
        assert base.mode == "r"
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    np.testing.assert_array_equal(stored, vectors.vectors)


def test_the_library_and_gensim_work_alike_on_mapped_vectors(file: Path, tmp_path: Path) -> None:
    first, second = cached(file), cached(file)
    assert pg.neighbors(second, "king") == pg.neighbors(first, "king")
    assert pg.lookup(second, "zürich").words == ("Zürich",)
    assert pg.lookup(second, "kingg").suggestions == pg.lookup(first, "kingg").suggestions
    assert second.most_similar("king", topn=3) == first.most_similar("king", topn=3)
    assert second.doesnt_match(["king", "queen", "w7"]) == first.doesnt_match(["king", "queen", "w7"])
    assert second.most_similar(positive=["king"], negative=["w9"]) == first.most_similar(["king"], ["w9"])
    second.save_word2vec_format(str(tmp_path / "again.bin"), binary=True)
    again = KeyedVectors.load_word2vec_format(str(tmp_path / "again.bin"), binary=True)
    assert again.index_to_key == first.index_to_key
    second.save(str(tmp_path / "again.kv"))
    saved = KeyedVectors.load(str(tmp_path / "again.kv"))
    assert type(saved.index_to_key) is list and type(saved.key_to_index) is dict
    assert_same(saved, first)


def test_subwords_are_kept(tmp_path: Path) -> None:
    sentences = [["king", "queen", "castle"], ["apple", "pear", "plums"]] * 5
    model = FastText(sentences, vector_size=30, min_count=1, bucket=10_000, epochs=1, workers=1, seed=1)
    save_facebook_model(model, str(tmp_path / "model.bin"))
    cached(tmp_path / "model.bin")
    vectors = cached(tmp_path / "model.bin")
    assert vectors.report.from_cache
    theirs = load_facebook_vectors(str(tmp_path / "model.bin"))
    for word in ("king", "kingly", "苹果树"):
        np.testing.assert_allclose(vectors.get_vector(word), theirs.get_vector(word), atol=1e-7)


def test_small_files_are_not_kept(tmp_path: Path, home: Path) -> None:
    small = write_text(tmp_path / "small.txt", rows=90)
    assert not cached(small).report.from_cache
    assert not cached(small).report.from_cache
    assert folders(home) == []


def test_a_limit_takes_the_first_rows_of_the_whole_file(faulty: Path, home: Path) -> None:
    whole = cached(faulty)
    for limit in (1, 4, 250):
        vectors, plain = cached(faulty, limit=limit), readers.read_vectors(faulty, limit=limit)
        assert vectors.report.from_cache
        assert_same(vectors, plain)
        assert (vectors.report.rows, vectors.report.limit, vectors.report.stopped) == (limit, limit, True)
        assert "w280" in whole.key_to_index and "w280" not in vectors.key_to_index
        assert pg.neighbors(vectors, "king", topn=5) == pg.neighbors(plain, "king", topn=5)
        assert "when the whole file was read" in vectors.report.notes[-1]
    beyond = cached(faulty, limit=ROWS + 3)
    assert beyond.report.from_cache and not beyond.report.stopped and beyond.report.limit == ROWS + 3
    assert beyond.report.notes == whole.report.notes
    assert_same(beyond, whole)
    assert len(folders(home)) == 1


def test_a_load_with_a_limit_has_an_entry_of_its_own_until_the_whole_file_is_read(file: Path, home: Path) -> None:
    cached(file, limit=250)
    again = cached(file, limit=250)
    assert again.report.from_cache and again.report.stopped
    assert_same(again, readers.read_vectors(file, limit=250))
    assert [(one.limit, one.words) for one in cache.entries()] == [(250, 250)]
    assert not cached(file).report.from_cache
    assert [(one.limit, one.words) for one in cache.entries()] == [(None, ROWS)]
    assert cached(file, limit=250).report.from_cache


def test_a_limit_beyond_the_end_reads_the_whole_file(file: Path) -> None:
    cached(file, limit=1_000_000)
    vectors = cached(file)
    assert vectors.report.from_cache and vectors.report.limit is None
    assert len(vectors) == ROWS


def test_normalized_words_are_another_entry(file: Path) -> None:
    text = file.read_bytes().replace("Zürich".encode(), "Zu\u0308rich".encode())
    file.write_bytes(text)
    for _ in range(2):
        assert "Zu\u0308rich" in cached(file).key_to_index
        assert "Zürich" in cached(file, normalize_keys=True).key_to_index
    assert sorted(one.normalize_keys for one in cache.entries()) == [False, True]


def test_one_file_under_two_names_is_read_once(file: Path, tmp_path: Path) -> None:
    cached(file)
    (tmp_path / "link.txt").symlink_to(file)
    vectors = cached(tmp_path / "link.txt")
    assert vectors.report.from_cache and vectors.report.name == "link.txt"


def test_a_file_that_changed_is_read_anew_and_its_old_entry_goes(file: Path) -> None:
    before = cached(file).vectors[0].copy()
    write_text(file, seed=1)
    assert cache.entries()[0].stale
    vectors = cached(file)
    assert not vectors.report.from_cache
    assert not np.array_equal(vectors.vectors[0], before)
    assert cached(file).report.from_cache
    (entry,) = cache.entries()
    assert not entry.stale


def test_a_file_that_was_only_touched_is_read_anew(file: Path) -> None:
    cached(file)
    os.utime(file, ns=(1, file.stat().st_mtime_ns + 1))
    assert not cached(file).report.from_cache
    assert cached(file).report.from_cache


def test_the_files_beside_it_count_too(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).standard_normal((ROWS, DIMENSIONS)).astype(np.float32)
    np.save(tmp_path / "some.npy", matrix)
    words = [f"w{row}" for row in range(ROWS)]
    (tmp_path / "words.txt").write_text("\n".join(words), encoding="utf-8")
    kept = KeyedVectors(DIMENSIONS)
    kept.add_vectors(words, matrix)
    kept.save(str(tmp_path / "some.kv"), sep_limit=1000)
    for name, beside in (("some.npy", "words.txt"), ("some.kv", "some.kv.vectors.npy")):
        cached(tmp_path / name)
        assert cached(tmp_path / name).report.from_cache
        os.utime(tmp_path / beside, ns=(1, 1))
        assert not cached(tmp_path / name).report.from_cache


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_grow(*arguments: object, **options: object) -> KeyedVectors:
        vectors = read(*arguments, **options)
        with file.open("a") as more:
            more.write("late" + " 1" * DIMENSIONS + "\n")
        return vectors

    read = readers.read_vectors
    monkeypatch.setattr(readers, "read_vectors", read_and_grow)
    assert "late" not in cached(file).key_to_index
    assert folders(home) == []
    monkeypatch.setattr(readers, "read_vectors", read)
    assert "late" in cached(file).key_to_index


def test_an_older_reader_is_not_trusted(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached(file)
    monkeypatch.setattr(readers, "READER_VERSION", readers.READER_VERSION + 1)
    assert cache.entries()[0].stale
    assert not cached(file).report.from_cache
    assert len(cache.entries()) == 1


STORED = ("facts.json", "words.txt", *(f"{name}.npy" for name in ("vectors", "norms", "starts", "sums", "rows")))


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\xff" * 100 + path.read_bytes()[100:]),
        lambda path: (path.unlink(), path.mkdir()),
    ],
    ids=["missing", "cut", "overwritten", "a folder"],
)
def test_a_damaged_entry_is_replaced(file: Path, home: Path, name: str, damage: Callable[[Path], object]) -> None:
    first = cached(file)
    (folder,) = folders(home)
    damage(folder / name)
    vectors = cached(file)
    assert not vectors.report.from_cache
    assert_same(vectors, first)
    again = cached(file)
    assert again.report.from_cache
    assert_same(again, first)


FACTS = ["[]", "null", "{}", '{"sizes": 3}', '{"sizes": {}, "report": {}}', "[" * 5000, "9" * 5000]


@pytest.mark.parametrize("content", FACTS, ids=range(len(FACTS)))
def test_senseless_facts_harm_nobody(file: Path, home: Path, content: str) -> None:
    first = cached(file)
    (folder,) = folders(home)
    (folder / "facts.json").write_text(content, encoding="ascii")
    assert cache.entries() == []
    assert cache.size() > 0
    assert_same(cached(file), first)
    assert cached(file).report.from_cache


def test_facts_of_another_shape_harm_nobody(file: Path, home: Path) -> None:
    first = cached(file)
    (folder,) = folders(home)
    facts = json.loads((folder / "facts.json").read_bytes())
    for change in ({"rows": 10**9}, {"dimensions": -1}, {"rows": "many"}, {"first_left_out": 3}, {"unheard_of": 1}):
        altered = facts | {"report": facts["report"] | change}
        (folder / "facts.json").write_text(json.dumps(altered), encoding="ascii")
        vectors = cached(file)
        assert not vectors.report.from_cache
        assert_same(vectors, first)


LOAD = """
import sys
from pathlib import Path
from playground.words import cache
from playground.words.cache import cached
cache.WORTH = {worth}
{before}
vectors = cached(Path(sys.argv[1]))
print(len(vectors), vectors.report.from_cache, *vectors.report.notes)
"""


def start(file: Path, before: str = "") -> subprocess.Popen[str]:
    """Start a process that loads the file, `before` being what it does first."""
    command = [sys.executable, "-c", LOAD.format(before=before, worth=WORTH), str(file)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_write_at_once_leave_one_whole_entry(file: Path, home: Path, tmp_path: Path) -> None:
    # each waits, with its entry written, until the others have theirs
    together = f"""
import os, time
from playground.words import cache
rename = cache._rename
def wait(written, folder):
    Path({str(tmp_path)!r}, f"ready-{{os.getpid()}}").touch()
    while len(list(Path({str(tmp_path)!r}).glob("ready-*"))) < 3:
        time.sleep(0.01)
    rename(written, folder)
cache._rename = wait
"""
    running = [start(file, together) for _ in range(3)]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (out.strip(), err) == (f"{ROWS} False", "")
    assert [folder.name.startswith("writing-") for folder in folders(home)] == [False]
    vectors = cached(file)
    assert vectors.report.from_cache
    assert_same(vectors, readers.read_vectors(file))


KILL = f"""
import os
synced = os.fsync
def kill(number, after=[]):
    synced(number)
    after.append(1)
    if len(after) == 3:
        os.kill(os.getpid(), {int(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)})
os.fsync = kill
"""


def test_a_writer_that_is_killed_leaves_nothing_that_is_read(file: Path, home: Path) -> None:
    process = start(file, KILL)
    process.communicate(timeout=60)
    assert process.returncode != 0
    (left,) = folders(home)
    assert left.name.startswith("writing-") and any(left.iterdir())
    assert cache.entries() == [] and cache.size() > 0
    vectors = cached(file)
    assert not vectors.report.from_cache and vectors.report.notes == ()
    assert cached(file).report.from_cache
    assert left in folders(home)  # another process could still be writing it
    long_ago = time.time() - 7200
    for path in (*left.iterdir(), left):
        os.utime(path, (long_ago, long_ago))
    os.utime(file)
    cached(file)
    assert left not in folders(home)


def test_emptying_removes_what_a_killed_writer_left(file: Path, home: Path) -> None:
    start(file, KILL).communicate(timeout=60)
    left = cache.size()
    assert left > 0
    assert cache.empty() == left
    assert folders(home) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot limit the size of a file")
def test_a_full_disk_is_said_and_loading_goes_on(file: Path, home: Path) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))"
    out, err = start(file, limited).communicate(timeout=60)
    assert err == ""
    assert out.startswith(f"{ROWS} False The next load will be no faster: nothing could be kept in {home} (")
    assert folders(home) == []


def test_a_disk_without_enough_space_is_not_filled(file: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(file)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10_000))
    vectors = cached(file)
    assert len(vectors) == ROWS
    (note,) = vectors.report.notes
    assert "nothing could be kept" in note and "No space left" in note
    assert folders(home) == []


def test_a_cache_that_cannot_be_made_is_said_and_loading_goes_on(file: Path, home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("a file where the folder should be")
    for _ in range(2):
        vectors = cached(file)
        assert len(vectors) == ROWS
        assert "nothing could be kept" in vectors.report.notes[-1] and str(home) in vectors.report.notes[-1]
    assert cache.entries() == [] and cache.size() == cache.empty() == 0


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_folder_that_may_not_be_written_is_said(file: Path, home: Path) -> None:
    home.mkdir(parents=True)
    home.chmod(0o500)
    assert "Permission denied" in cached(file).report.notes[-1]
    home.chmod(0)
    assert len(cached(file)) == ROWS
    home.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
@pytest.mark.parametrize(("of_file", "of_entry"), [(0o600, 0o700), (0o644, 0o755), (0o640, 0o750)])
def test_who_may_not_read_the_file_may_not_read_its_entry(file: Path, home: Path, of_file: int, of_entry: int) -> None:
    file.chmod(of_file)
    cached(file)
    (folder,) = folders(home)
    assert stat.S_IMODE(folder.stat().st_mode) == of_entry


def test_a_home_that_nobody_has_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_HOME", "~nobody_of_that_name/here")
    with pytest.raises(pg.PlaygroundError, match="PLAYGROUND_HOME is ~nobody_of_that_name/here"):
        cached(file)


def test_the_list_says_what_is_kept(file: Path, home: Path, tmp_path: Path) -> None:
    assert cache.entries() == [] and cache.size() == 0
    other = write_text(tmp_path / "other.txt", seed=1, rows=350)
    cached(file)
    cached(other)
    newest, oldest = cache.entries()
    on_disk = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
    assert newest == CacheEntry(other, 350, DIMENSIONS, None, False, newest.bytes, newest.when, False, newest.folder)
    assert (oldest.source, oldest.words) == (file, ROWS)
    assert newest.bytes + oldest.bytes == cache.size() == on_disk
    assert abs(datetime.now(UTC) - newest.when) < timedelta(minutes=1)
    other.unlink()
    assert [one.stale for one in cache.entries()] == [True, False]


def test_the_oldest_entries_go_when_the_cache_outgrows_its_bound(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.cached(file)
    (first,) = cache.entries()
    monkeypatch.setattr(cache, "LARGEST", first.bytes * 3 // 2)
    other = write_text(tmp_path / "other.vec", seed=1)
    cache.cached(other)
    assert [one.source for one in cache.entries()] == [other.resolve()]


def test_emptying_frees_the_bytes_and_leaves_open_vectors_usable(file: Path, home: Path) -> None:
    plain = cached(file)
    vectors = cached(file)
    (home / "notes of mine").mkdir()
    held = cache.size()
    assert cache.empty() == held
    assert [path.name for path in folders(home)] == ["notes of mine"]
    assert_same(vectors, plain)
    assert not cached(file).report.from_cache


def test_what_is_no_file_of_vectors_is_refused_as_without_a_cache(tmp_path: Path, home: Path) -> None:
    page = tmp_path / "page.vec"
    page.write_text("<html><body>" + "not vectors " * 200_000)
    with pytest.raises(pg.PlaygroundError) as plain:
        readers.read_vectors(page)
    with pytest.raises(pg.PlaygroundError) as ours:
        cached(page)
    assert str(ours.value) == str(plain.value)
    assert folders(home) == []
