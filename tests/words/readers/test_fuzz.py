"""Whatever a file holds, reading it ends in a model that is whole or in one sentence: soon, and in little memory.

Run as a program, it makes any number of random edits on valid files of every format:
`python tests/words/readers/test_fuzz.py 50000 1` (edits, seed).
"""

import bz2
import faulthandler
import gzip
import io
import json
import lzma
import math
import os
import pickle
import pickletools
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Word2Vec
from gensim.models.fasttext import save_facebook_model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.errors import PlaygroundError
from playground.words.readers import read_vectors

Write = Callable[..., Path]

EDITS, SEED = 1_500, 0  # of the test; by hand, as many as one likes
SECONDS = 5  # for one file: a guard against endless loops, far from what any needs
MEGABYTES = 500

ROOT = Path(__file__).resolve().parents[3]
WORDS = ["plum", "moss", "kite", "lamp", "harbor", "café", "北京", "2024", "New York", "</s>", "x\u2028y", "the"]
SENTENCES = [["plum", "moss", "kite", "北京"], ["lamp", "harbor", "plum", "café"]] * 5


def examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


def outcome(path: Path, limit: int | None = None) -> str:
    """Read a file, check what comes of it, and return "a model", or the sentence."""
    try:
        vectors = read_vectors(path, limit)
    except PlaygroundError as error:
        message = str(error)
        assert message.isprintable(), message
        assert message.endswith("."), message
        assert "more memory than is free" not in message, message
        return message
    report, words, matrix = vectors.report, vectors.index_to_key, vectors.vectors
    count = len(words)
    assert count == len(set(words)) > 0
    assert dict(vectors.key_to_index) == {word: row for row, word in enumerate(words)}
    assert all(isinstance(word, str) and word.encode("utf-8") for word in words)
    assert (matrix.shape, matrix.dtype) == ((count, vectors.vector_size), np.float32)
    assert np.isfinite(vectors.norms).all() and (vectors.norms > 0).all()
    assert not matrix.flags.writeable
    assert (report.rows, report.dimensions) == matrix.shape
    assert limit is None or count <= limit
    assert len(report.first_left_out) == min(10, sum(report.left_out.values()))
    assert len(report.first_repaired) == min(10, report.repaired)
    assert all(sentence.isprintable() for sentence in report.sentences), report.sentences
    return "a model"


# Arbitrary content

BEGINNINGS = [b"", b"5 4\n", b"2 3\n", b"9999999999 300\n", b"plum 0.1 0.2\n", b"\xef\xbb\xbf", b"\x93NUMPY\x01\x00"]
BEGINNINGS += [b"\x80\x04\x95", b"\x80\x02", b"(dp0\n", b"]q\x00", b"\x1f\x8b\x08", b"BZh91AY&SY", b"\xfd7zXZ\x00"]
BEGINNINGS += [
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\xba\x16\x4f\x2f\x0c\x00\x00\x00",
    b"0.1\t0.2\n",
    b"<",
    b"{",
    b"\xff\xfe",
]


@examples(240)
@given(st.sampled_from(BEGINNINGS), st.binary(max_size=300), st.sampled_from([None, 1, 3]))
def test_any_bytes_end_in_a_model_or_a_sentence(write: Write, start: bytes, rest: bytes, limit: int | None) -> None:
    outcome(write(start + rest), limit)


@examples(180)
@given(st.lists(st.text(max_size=30), max_size=10), st.sampled_from(["\n", "\r\n", "\t", " "]))
def test_any_lines_of_text_end_in_a_model_or_a_sentence(write: Write, lines: list[str], joint: str) -> None:
    outcome(write(joint.join(lines).encode("utf-8", "surrogatepass")))


NUMBERS = st.one_of(
    st.floats(width=32).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["", "nan", "1e999", "-0", "0,5", "3:0.5", "x", "1_0", "\u0661", "0x1", "1\x00", "[0.1,", "\r"]),
)
NEARLY_ROWS = st.builds(
    lambda word, numbers, gap, end: word + gap + gap.join(numbers) + end,
    st.one_of(st.sampled_from([*WORDS, "", " ", "<<<<<<<", "\ufeff"]), st.text(max_size=4)),
    st.lists(NUMBERS, min_size=1, max_size=5),
    st.sampled_from([" ", " ", " ", "\t", "  "]),
    st.sampled_from(["", "", " ", "\r"]),
)
HEADERS = st.sampled_from(
    ["", "", "3 3\n", "1 1\n", "-1 0\n", "99999999999999999999 99999999999999999999\n", "3 3 3\n"]
)


@examples(150)
@given(HEADERS, st.lists(NEARLY_ROWS, min_size=1, max_size=8), st.sampled_from([None, 1, 2]))
def test_lines_that_are_nearly_rows_end_in_a_model_or_a_sentence(
    write: Write, header: str, rows: list[str], limit: int | None
) -> None:
    outcome(write((header + "\n".join(rows)).encode("utf-8", "surrogatepass")), limit)


@examples(120)
@given(
    st.integers(-1, 6),
    st.integers(-1, 5),
    st.lists(
        st.tuples(st.one_of(st.sampled_from(WORDS).map(str.encode), st.binary(max_size=5)), st.binary(max_size=17))
    ),
    st.sampled_from([b"", b"\n", b"\r\n"]),
)
def test_rows_that_are_nearly_binary_end_in_a_model_or_a_sentence(
    write: Write, count: int, dimensions: int, rows: list[tuple[bytes, bytes]], end: bytes
) -> None:
    content = b"".join(word + b" " + numbers.ljust(4 * max(dimensions, 0), b"\x3e") + end for word, numbers in rows)
    outcome(write(f"{count} {dimensions}\n".encode() + content))


# Pickles: instructions in any order, and those of a real model, changed

NAMES = [b"cgensim.models.keyedvectors\nKeyedVectors\n", b"cnumpy.core.multiarray\n_reconstruct\n", b"cos\nsystem\n"]
NAMES += [b"cnumpy\ndtype\n", b"cnumpy\nndarray\n", b"ccopy_reg\n_reconstructor\n", b"c__builtin__\neval\n"]
OPERANDS = {
    "K": st.binary(min_size=1, max_size=1),
    "J": st.binary(min_size=4, max_size=4),
    "X": st.binary(max_size=5).map(lambda text: len(text).to_bytes(4, "little") + text),
    "B": st.binary(max_size=5).map(lambda text: len(text).to_bytes(4, "little") + text),
    "\x8c": st.binary(max_size=5).map(lambda text: bytes([len(text)]) + text),
    "\x96": st.integers(0, 2**64 - 1).map(lambda size: size.to_bytes(8, "little")),
    "I": st.integers().map(lambda number: b"%d\n" % number),
    "F": st.floats().map(lambda number: repr(number).encode() + b"\n"),
    "q": st.binary(min_size=1, max_size=1),
    "r": st.binary(min_size=4, max_size=4),
    "h": st.binary(min_size=1, max_size=1),
    "G": st.binary(min_size=8, max_size=8),
}
INSTRUCTION = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from([code.code.encode("latin-1") for code in pickletools.opcodes if code.arg is None]),
    *(operand.map(lambda given, code=code: code.encode("latin-1") + given) for code, operand in OPERANDS.items()),
)


@examples(180)
@given(st.sampled_from([b"\x80\x02", b"\x80\x04", b"\x80\x05"]), st.lists(INSTRUCTION, max_size=25))
def test_any_instructions_of_a_pickle_end_in_a_sentence(write: Write, start: bytes, steps: list[bytes]) -> None:
    assert outcome(write(start + b"".join(steps) + b".")) != "a model"


@pytest.fixture(scope="module")
def steps_of_models() -> list[list[bytes]]:
    """The instructions of three pickled models, one by one."""
    found = []
    for protocol in (0, 2, 4):
        for vectors in (Word2Vec(SENTENCES, vector_size=4, min_count=1, epochs=1).wv, fasttext().wv):
            content = pickle.dumps(vectors, protocol)
            places = [place for _, _, place in pickletools.genops(content)]
            found.append([content[a:b] for a, b in zip(places, [*places[1:], len(content)], strict=True)])
    return found


@examples(150)
@given(st.data())
def test_changed_instructions_of_a_model_end_in_a_model_or_a_sentence(
    write: Write, steps_of_models: list[list[bytes]], data: st.DataObject
) -> None:
    steps = list(data.draw(st.sampled_from(steps_of_models)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(steps) - 1))
        other = data.draw(st.one_of(INSTRUCTION, st.sampled_from(steps)))
        match data.draw(st.sampled_from(["drop", "insert", "replace", "swap"])):
            case "drop" if len(steps) > 2:
                del steps[place]
            case "insert":
                steps.insert(place, other)
            case "replace":
                steps[place] = other
            case "swap":
                steps[place], steps[-place] = steps[-place], steps[place]
    outcome(write(b"".join(steps)))


# Random edits on valid files


def fasttext() -> FastText:
    return FastText(SENTENCES, vector_size=4, min_count=1, epochs=1, bucket=40)


def valid_files(folder: Path) -> list[tuple[Path, Path]]:
    """Write valid files of every format; return each file to edit, and the one to open then. The last is long."""
    vectors = KeyedVectors(6)
    vectors.add_vectors(WORDS, np.random.default_rng(0).standard_normal((len(WORDS), 6)).astype(np.float32))
    edited: list[tuple[Path, Path]] = []

    def file(name: str) -> Path:
        path = folder / f"{len(edited)}" / name
        path.parent.mkdir(exist_ok=True)
        edited.append((path, path))
        return path

    for name, options in {
        "header.txt": {},
        "glove.txt": {"write_header": False},
        "plain.bin": {"binary": True},
    }.items():
        vectors.save_word2vec_format(str(file(name)), **options)
    file("ends.vec").write_bytes((folder / "0" / "header.txt").read_bytes().replace(b"\n", b" \r\n"))
    rows = [word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, vectors.vectors, strict=True)]
    file("newlines.bin").write_bytes(b"12 6\n" + b"\n".join(rows) + b"\n")
    save_facebook_model(fasttext(), str(file("fasttext.bin")))
    for protocol in (2, 4):
        vectors.save(str(file("native.kv")), pickle_protocol=protocol)
        Word2Vec(SENTENCES, vector_size=4, min_count=1, epochs=1).save(
            str(file("native.model")), pickle_protocol=protocol
        )
        fasttext().save(str(file("native.model")), pickle_protocol=protocol)
    path = file("apart.kv")
    vectors.save(str(path), sep_limit=0)
    edited.append((path.with_name("apart.kv.vectors.npy"), path))
    path = file("array.npy")
    np.save(path, vectors.vectors)
    edited.append((path.with_name("array.txt"), path))
    edited[-1][0].write_text("\n".join(WORDS))
    path = file("vectors.tsv")
    np.savetxt(path, vectors.vectors, delimiter="\t")
    edited.append((path.with_name("metadata.tsv"), path))
    edited[-1][0].write_text("word\tcount\n" + "".join(f"{word}\t1\n" for word in WORDS))
    for number, pack in enumerate((gzip.compress, bz2.compress, lzma.compress, zipped)):
        source = edited[number * 2][0]  # text, binary, newlines, fastText
        file(f"{source.name}.packed").write_bytes(pack(source.read_bytes()))
    file("native.kv.gz").write_bytes(gzip.compress((folder / "6" / "native.kv").read_bytes()))
    file("long.txt").write_text("".join(f"w{row} {row / 7} {row / 11} -0.5\n" for row in range(26_000)))
    return edited


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("any.bin", content)
    return packed.getvalue()


def edit(content: bytes, chance: random.Random) -> bytes:
    """Return the bytes with one to three random changes."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        size = len(changed)
        # most formats decide early what the rest is
        place = chance.randrange(min(size, chance.choice((16, 200, size or 1))) or 1)
        span = min(int(math.exp(chance.uniform(0, 9))), size)
        match chance.randrange(9):
            case 0 if size:
                changed[place] ^= 1 << chance.randrange(8)
            case 1 if size:
                changed[place] = chance.choice(b"\x00\xff\n\r\t 0159.-ne\x80\x7f")
            case 2:
                del changed[place : place + span]
            case 3:
                changed[place:place] = chance.randbytes(min(span, 64))
            case 4:
                changed[place:place] = changed[place : place + span] * chance.choice((1, 1, 2, 20))
            case 5:
                del changed[chance.randrange(size + 1) :]
            case 6:
                number = chance.choice((0, -1, 1, 2**31 - 1, -(2**31), 2**31, 2**62, chance.getrandbits(31)))
                length = chance.choice((4, 8))
                changed[place : place + length] = (number % 256**length).to_bytes(length, "little")
            case 7:
                changed[place : place + span] = bytes([chance.choice(b"\x00\x20\x0a\x39\xff")]) * span
            case 8:
                changed[place:place] = chance.choice(
                    (b"9" * 18, b"\n\n", b" ", b"\r\n", b"nan ", b"1e999 ", b"\xe2\x80")
                )
    return bytes(changed)


class Hang(BaseException):
    """A file took too long."""


def stop(*_: object) -> None:
    raise Hang


def run_edits(edits: int, seed: int) -> dict[str, object]:
    """Edit valid files of all formats in turn; return what went wrong, how files ended, and the peak memory."""
    warnings.simplefilter("error")
    signal.signal(signal.SIGALRM, stop)
    failures: list[str] = []
    ends: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        files = valid_files(Path(name))
        for path, opened in files:
            assert outcome(opened) == "a model", f"{path.name}: {outcome(opened)}"
        for number in range(edits):
            path, opened = files[number % (len(files) - 1) if number % 150 else -1]  # the last is long
            valid = path.read_bytes()
            path.write_bytes(edit(valid, random.Random(f"{seed} {number}")))
            faulthandler.dump_traceback_later(4 * SECONDS, exit=True)  # where no signal is heard
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            started = time.perf_counter()
            try:
                end = outcome(opened, None if number % 3 else 2)
                ends[end if end == "a model" else "a sentence"] += 1
            except (Exception, Hang) as error:
                failures.append(f"edit {number} of {path.name}: {type(error).__name__}: {error}"[:2_000])
                if keep := os.environ.get("KEEP"):
                    (Path(keep) / f"{number}-{path.name}").write_bytes(path.read_bytes())
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                faulthandler.cancel_dump_traceback_later()
            slowest = max(slowest, time.perf_counter() - started)
            path.write_bytes(valid)
    return {"failures": failures, "ends": ends, "megabytes": peak_megabytes(), "slowest": slowest}


def peak_megabytes() -> int:
    """Return the most memory that this process has held; where Linux tells it, without what its parent held."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def test_random_edits_on_files_of_every_format_end_in_a_model_or_a_sentence() -> None:
    """In a process of its own, whose memory is measured and which may hang alone."""
    done = subprocess.run(
        [sys.executable, __file__, str(EDITS), str(SEED)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-5_000:]
    found = json.loads(done.stdout)
    assert found["failures"] == []
    assert found["megabytes"] < MEGABYTES
    assert min(found["ends"].values()) > EDITS // 20  # both ends are met
    assert sum(found["ends"].values()) == EDITS


if __name__ == "__main__":
    print(json.dumps(run_edits(int(sys.argv[1]), int(sys.argv[2])), indent=1, ensure_ascii=False))
