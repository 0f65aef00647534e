"""Packed files, named rightly or not, damaged, locked, nested, far too large; and what is no plain file."""

import bz2
import gzip
import io
import lzma
import os
import stat
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from playground.errors import PlaygroundError
from playground.words.readers import binary, read_vectors, text
from playground.words.readers.rows import Table
from playground.words.readers.source import open_source

Write = Callable[..., Path]
FIVE = b"plum 0.9 0.1\nmoss 0.1 0.8\nkite 0.3 -0.2\nlamp -0.4 0.6\nharbor 0.5 0.5\n"
WORDS = ["plum", "moss", "kite", "lamp", "harbor"]


def zipped(content: bytes, name: str = "any.txt", method: int = zipfile.ZIP_DEFLATED, **others: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr(name, content)
        for other, other_content in others.items():
            archive.writestr(other, other_content)
    return packed.getvalue()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda content: gzip.compress(content, compresslevel=1),
    "bz2": lambda content: bz2.compress(content, compresslevel=1),
    "xz": lambda content: lzma.compress(content, preset=0),
    "zip": zipped,
}


def refusal(path: Path) -> str:
    with pytest.raises(PlaygroundError) as raised:
        read_vectors(path)
    message = str(raised.value)
    assert message.endswith(".")
    assert message.isprintable()
    return message


# Told by content


@pytest.mark.parametrize("name", ["any.txt", "any.txt.gz", "any.bz2", "any.xz", "any.zip", "any"])
@pytest.mark.parametrize("packing", PACKED)
def test_the_packing_is_told_by_content_whatever_the_name_says(write: Write, packing: str, name: str) -> None:
    vectors = read_vectors(write(PACKED[packing](FIVE), name))
    assert vectors.index_to_key == WORDS
    assert vectors.report.packing == packing
    assert vectors.report.sentences == [f"{name}: 5 words of 2 numbers (GloVe text, no header, {packing}-packed)."]
    plain = read_vectors(write(FIVE, name))
    assert (plain.index_to_key, plain.report.packing) == (WORDS, "")


@pytest.mark.parametrize("packing", PACKED)
def test_every_format_may_be_packed(original: KeyedVectors, tmp_path: Path, packing: str) -> None:
    for number, (is_binary, header) in enumerate([(False, True), (False, False), (True, True)]):
        path = tmp_path / f"{number}.any"
        original.save_word2vec_format(str(path), binary=is_binary, write_header=header)
        path.write_bytes(PACKED[packing](path.read_bytes()))
        found = read_vectors(path)
        assert found.index_to_key == original.index_to_key
        np.testing.assert_array_equal(found.vectors, original.vectors)


@pytest.mark.parametrize("packing", PACKED)
def test_packed_content_of_several_pieces_is_whole(write: Write, packing: str) -> None:
    rows = [f"w{number} {number} 0.5" for number in range(1, 100_000)]
    vectors = read_vectors(write(PACKED[packing]("\n".join(rows).encode())))
    np.testing.assert_array_equal(vectors.vectors[:, 0], range(1, 100_000))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_pieces_in_a_row_are_one_file(write: Write, pack: Callable[[bytes], bytes]) -> None:
    assert read_vectors(write(pack(FIVE[:30]) + pack(FIVE[30:]))).index_to_key == WORDS


def test_a_limit_unpacks_no_more_than_it_needs(write: Write) -> None:
    rows = "\n".join(f"w{number} {number} 0.5" for number in range(300_000)).encode()
    cut = gzip.compress(rows)[:-100_000]
    assert len(read_vectors(write(cut), limit=10)) == 10
    assert "cut short" in refusal(write(cut))


# Damaged


@pytest.mark.parametrize("packing", PACKED)
def test_a_cut_file_is_refused_at_any_length(write: Write, packing: str) -> None:
    content = PACKED[packing](FIVE * 3)
    for length in range(10, len(content) - (packing == "zip")):
        message = refusal(write(content[:length], "cut.any"))
        assert message.startswith("cut.any is damaged or cut short: its ") or length < 14
        assert packing in message or length < 14


@pytest.mark.parametrize("packing", PACKED)
def test_a_changed_byte_gives_the_vectors_or_a_refusal(write: Write, packing: str) -> None:
    content = PACKED[packing](FIVE)
    for place in range(len(content)):
        for change in (1, 0x80, 0xFF):
            changed = bytearray(content)
            changed[place] ^= change
            path = write(bytes(changed))
            try:
                assert read_vectors(path).index_to_key == WORDS
            except PlaygroundError as error:
                assert str(error).endswith(".")


# Zip archives


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_of_any_method_is_opened(write: Write, method: int) -> None:
    assert read_vectors(write(zipped(FIVE, method=method))).index_to_key == WORDS


@pytest.mark.parametrize(
    "name", ["../../x.txt", "/etc/x.txt", "..\\..\\x.txt", "C:\\x.txt", "a/b/c.txt", "new\nline.txt", "x" * 5000]
)
def test_the_names_in_a_zip_lead_nowhere(write: Write, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    path = folder / "any.zip"
    path.write_bytes(zipped(FIVE, name))
    assert read_vectors(path).index_to_key == WORDS
    with open_source(path).on_disk() as unpacked:
        assert unpacked.name == "unpacked"
        assert unpacked.read_bytes() == FIVE
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [path]


def test_what_a_mac_adds_to_a_zip_does_not_count(write: Write) -> None:
    others = {"__MACOSX/._any.txt": b"x", "vectors/.DS_Store": b"x", "folder/": b"", ".hidden": b"x"}
    assert read_vectors(write(zipped(FIVE, "vectors/any.txt", **others))).index_to_key == WORDS


def test_a_zip_of_several_files_is_refused_with_their_names(write: Write) -> None:
    message = refusal(write(zipped(FIVE, "folder/one.txt", **{"two.txt": FIVE}), "many.zip"))
    assert message == "many.zip holds 2 files (one.txt, two.txt): unpack it and give the one of the vectors."
    others = {f"{number}\u202e.txt": b"" for number in range(2_000)}
    assert "2,001 files" in refusal(write(zipped(FIVE, **others)))


def test_an_empty_zip_is_refused(write: Write) -> None:
    for content in (b"PK\x05\x06" + bytes(18), zipped(b"", "folder/")):
        assert "without a file in it" in refusal(write(content))


def test_a_locked_zip_is_refused(write: Write) -> None:
    content = bytearray(zipped(FIVE))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    assert "locked with a password" in refusal(write(bytes(content)))


def test_a_zip_whose_directory_lies_about_sizes_is_refused(write: Write) -> None:
    content = bytearray(zipped(FIVE))
    place = content.index(b"PK\x01\x02") + 24
    for size in (0, 1, len(FIVE) + 1, 0xFFFFFFFE):
        content[place : place + 4] = size.to_bytes(4, "little")
        path = write(bytes(content))
        try:
            assert read_vectors(path).index_to_key in (WORDS, WORDS[:1])
        except PlaygroundError as error:
            assert str(error).endswith(".")


# Packed twice, and other archives


@pytest.mark.parametrize("inner", PACKED)
@pytest.mark.parametrize("outer", PACKED)
def test_a_file_packed_twice_is_refused(write: Write, outer: str, inner: str) -> None:
    assert f"holds a packed file again ({inner})" in refusal(write(PACKED[outer](PACKED[inner](FIVE))))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_archive_is_refused(write: Write, pack: Callable[[bytes], bytes]) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("vectors.txt")
        member.size = len(FIVE)
        archive.addfile(member, io.BytesIO(FIVE))
    assert "a tar archive" in refusal(write(pack(packed.getvalue())))


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "a 7-Zip archive"),
        (b"Rar!\x1a\x07\x01\x00", "a RAR archive"),
        (b"\x28\xb5\x2f\xfd\x24\x00", "a Zstandard archive"),
    ],
)
def test_other_archives_are_named(write: Write, start: bytes, what: str) -> None:
    assert f"is {what}: unpack it" in refusal(write(start + bytes(600)))
    assert what in refusal(write(gzip.compress(start + bytes(600))))


@pytest.mark.parametrize("word", ["BZh", "BZh91AY", "PK", "7z", "Rar!", "ustar"])
def test_a_word_that_archives_begin_with_is_a_word(write: Write, word: str) -> None:
    assert read_vectors(write(f"{word} 0.1 0.2\nplum 0.3 0.4\n")).index_to_key == [word, "plum"]


# Bombs


@pytest.fixture(scope="module")
def megabytes_of_blank_lines() -> bytes:
    return FIVE + b"\n" * 25_000_000


@pytest.mark.parametrize("packing", PACKED)
def test_what_unpacks_to_a_thousandfold_is_not_read_to_its_end(
    write: Write, megabytes_of_blank_lines: bytes, packing: str
) -> None:
    path = write(PACKED[packing](megabytes_of_blank_lines), "bomb.any")
    assert path.stat().st_size < 160_000
    assert "bomb.any unpacks to more than 16,000,000 bytes" in refusal(path)


def test_a_bomb_does_not_fill_the_disk(write: Write, megabytes_of_blank_lines: bytes) -> None:
    path = write(PACKED["gzip"](megabytes_of_blank_lines))
    with pytest.raises(PlaygroundError, match="unpacks to more than"), open_source(path).on_disk():
        pass


def test_a_packed_file_of_plausible_size_may_be_large(write: Write) -> None:
    """Rows of zeros and ones pack well; below 64 MB nothing is asked."""
    rows = [f"w{number} " + " ".join(["0"] * 99 + ["1"]) for number in range(20_000)]
    assert len(read_vectors(write(gzip.compress("\n".join(rows).encode())))) == 20_000


@pytest.mark.parametrize("packing", PACKED)
def test_what_is_unpacked_to_the_disk_is_private_and_removed(write: Write, packing: str) -> None:
    with open_source(write(PACKED[packing](FIVE))).on_disk() as path:
        assert path.read_bytes() == FIVE
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.parent.exists()


def test_a_plain_file_is_not_copied(write: Write) -> None:
    path = write(FIVE)
    with open_source(path).on_disk() as found:
        assert found == path


# What is no plain file


def test_a_pipe_a_folder_and_a_device_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero"), Path("/dev/null"), tmp_path / "nothing"):
        assert "is not there, or is not a plain file" in refusal(path)


@contextmanager
def without_rights() -> Iterator[None]:
    """Give up the rights of the administrator, if the tests have them: they open everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_file_that_may_not_be_read_is_named(write: Write) -> None:
    path = write(FIVE, "mine.txt")
    path.chmod(0)
    with without_rights():
        assert refusal(path).startswith("mine.txt cannot be opened: Permission denied")


@pytest.mark.parametrize("name", ["new\nline.txt", "right\u202eleft.txt", "half\udce9.txt", "tab\t.txt", "x" * 300])
def test_a_message_shows_an_odd_name_on_one_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    refusal(path)
    if len(name) < 255:
        path.write_bytes(b"")
        assert "is empty" in refusal(path)
        path.write_bytes(FIVE)
        vectors = read_vectors(path)
        assert vectors.index_to_key == WORDS
        assert vectors.report.sentences[0].isprintable()


@pytest.mark.parametrize("binary", [True, False])
def test_a_file_that_shrinks_while_it_is_read_gives_a_model_or_a_refusal(tmp_path: Path, binary: bool) -> None:
    vectors = KeyedVectors(50)
    vectors.add_vectors([f"w{number}" for number in range(5_000)], np.ones((5_000, 50), dtype=np.float32))
    path = tmp_path / "shrinking.any"
    done = threading.Event()

    def shrink() -> None:
        while not done.is_set():
            for size in (700_000, 300_000, 0):
                os.truncate(path, size)

    for _ in range(5):
        vectors.save_word2vec_format(str(path), binary=binary)
        done.clear()
        thread = threading.Thread(target=shrink)
        thread.start()
        try:
            assert len(read_vectors(path)) <= 5_000
        except PlaygroundError as error:
            assert str(error).endswith(".")
        finally:
            done.set()
            thread.join()


@pytest.mark.parametrize("reader", [binary.read, text.read])
def test_a_file_emptied_after_its_format_was_told_is_refused(write: Write, reader: Callable[..., Table]) -> None:
    source = open_source(write(b""))
    with pytest.raises(PlaygroundError, match=r"became shorter|holds no rows"):
        reader(source, None, False)
