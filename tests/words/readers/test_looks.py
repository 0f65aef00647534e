"""What people take for files of vectors, and what the refusal calls it."""

import json
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.errors import PlaygroundError
from playground.words.readers import read_vectors

Write = Callable[..., Path]
PAGE = (
    "<!DOCTYPE html>\n<html lang='en'><head><title>404</title></head>\n<body>Page 404\n<p>Error 404</p></body></html>\n"
)
LISTED = {"plum": [0.1, 0.2], "moss": [0.3, 0.4]}
FILES: list[tuple[str, bytes, str]] = [
    ("page", PAGE.encode(), "an HTML page"),
    ("page after blank lines", b"\n\n  " + PAGE.lower().encode(), "an HTML page"),
    ("page with a mark", b"\xef\xbb\xbf" + PAGE.encode(), "an HTML page"),
    ("xml", b'<?xml version="1.0"?>\n<Error>\n<Code>AccessDenied 403</Code>\n</Error>\n', "an HTML page"),
    ("comment", b"<!-- moved -->\n<a href='x'>here</a>\n", "an HTML page"),
    ("pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "a Git LFS pointer"),
    ("json", json.dumps(LISTED).encode(), "a JSON file"),
    ("json in lines", json.dumps(LISTED, indent=2).encode(), "a JSON file"),
    ("json list", json.dumps([["plum", 0.1, 0.2], ["moss", 0.3, 0.4]]).encode(), "a JSON file"),
    ("json rows", b'{"word": "plum", "vector": [0.1, 0.2]}\n' * 3, "a JSON file"),
    ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 5 >>\n", "a PDF document"),
    ("png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "a picture"),
    ("jpeg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)), "a picture"),
    ("hdf5", b"\x89HDF\r\n\x1a\n" + bytes(100), "an HDF5 file"),
    ("sqlite", b"SQLite format 3\x00" + bytes(100), "an SQLite database"),
    ("parquet", b"PAR1\x15\x04\x15" + bytes(100), "a Parquet file"),
    ("arrow", b"ARROW1\x00\x00" + bytes(100), "an Arrow file"),
    ("elf", b"\x7fELF\x02\x01\x01" + bytes(100), "a program"),
    ("exe", b"MZ\x90\x00\x03\x00" + bytes(100), "a program"),
    ("rtf", b"{\\rtf1\\ansi plum 0.1 0.2\\par}\n", "an RTF document"),
    ("utf-16", "plum 0.1 0.2\nmoss 0.3 0.4\n".encode("utf-16"), "text in UTF-16"),
    ("utf-16-le", "plum 0.1 0.2\nmoss 0.3 0.4\n".encode("utf-16-le"), "text in UTF-16"),
    ("utf-16-be", "plum 0.1 0.2\nmoss 0.3 0.4\n".encode("utf-16-be"), "text in UTF-16"),
    ("words", b"plum\nmoss\nkite\n", "a list of words without numbers"),
    ("prose", b"It was a dark night.\nThe lamp\nwent out.\n", "text whose lines are not a word and numbers"),
    ("csv", b"word,x,y\nplum,0.1,0.2\nmoss,0.3,0.4\n", "a table separated by commas"),
    ("zlib", zlib.compress(b"plum 0.1 0.2\n" * 100), "holds binary data of another kind"),
    ("zeros", bytes(1000), "holds binary data of another kind"),
    ("bytes", bytes(range(1, 32)) * 20 + b"\x00", "holds binary data of another kind"),
    ("pickled list", pickle.dumps(["plum", "moss"]), "a pickled list"),
    ("pickled dict", pickle.dumps(LISTED, protocol=0), "a pickled dict"),
]


@pytest.mark.parametrize(("content", "what"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_a_file_of_another_kind_is_called_what_it_is(write: Write, content: bytes, what: str) -> None:
    with pytest.raises(PlaygroundError) as raised:
        read_vectors(write(content, "other.vec"))
    message = str(raised.value)
    assert message.startswith("other.vec")
    assert what in message
    assert message.endswith(".")
    assert message.isprintable()


def test_vectors_of_tags_marks_and_brackets_are_vectors(write: Write) -> None:
    """Each could begin a page, a JSON file, a merge, a pickle, an archive."""
    words = ["<s>", "<unk>", "<a", "<!doctype", "<?xml", "[[", "{", '{"', "[]", "<<<<<<<", "=======", ">>>>>>>"]
    words += ["%PDF", "MZ", "PAR1", "version", "cposix", "(dp0", "BZh9", "PK", "ustar", "\x01", "0:1"]
    for first in words:
        rows = [f"{word} 0.5 -{number}" for number, word in enumerate([first, *words], 1)]
        assert read_vectors(write("\n".join(rows))).index_to_key == list(dict.fromkeys([first, *words]))
