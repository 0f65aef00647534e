"""A pickle is read as a description: what it says comes out right, and nothing that it asks for is done."""

import pickle
import struct
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.errors import PlaygroundError
from playground.words.readers.inert import LONG, CutShortError, Name, Named, Record, decode

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
THINGS = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner) | st.tuples(inner) | st.tuples(inner, inner, inner, inner) | st.dictionaries(st.text(), inner)
    ),
    max_leaves=20,
)
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class RefusedError(Exception):
    """What the check of these tests raises."""


def read(data: bytes) -> Any:
    """Return what a pickle describes that names nothing but a codec, which protocols 0 to 2 need for bytes."""
    return decode(data, "any.kv", only_codec)


def only_codec(name: Name) -> None:
    if name not in {("_codecs", "encode"), ("__builtin__", "bytes")}:
        raise RefusedError(name)


def accept(name: Name) -> None:
    """Let every name pass: even then nothing may run."""


def plain(thing: Any) -> Any:
    """Undo what protocols 0 to 2 do to bytes: they ask for a text to be encoded."""
    if isinstance(thing, Record):
        return str(thing.args[0]).encode("latin-1") if thing.args else b""
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    return type(thing)(map(plain, thing)) if isinstance(thing, list | tuple) else thing


@contextmanager
def little_memory(most: int = 20_000_000) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


@given(THINGS, st.sampled_from(PROTOCOLS))
def test_plain_data_is_what_was_pickled_in_every_protocol(thing: object, protocol: int) -> None:
    assert plain(read(pickle.dumps(thing, protocol=protocol))) == thing


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_many_words_and_their_rows_are_those_pickled(protocol: int) -> None:
    words = [f"word{number}" for number in range(70_000)]  # more than 65,536: then rows are written in four bytes
    pickled = {"index_to_key": words, "key_to_index": {word: row for row, word in enumerate(words)}}
    assert read(pickle.dumps(pickled, protocol=protocol)) == pickled


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_object_becomes_a_record_of_its_class_and_attributes(protocol: int) -> None:
    record = decode(pickle.dumps(RefusedError("why"), protocol=protocol), "any.kv", accept)
    assert isinstance(record, Record)
    assert record.maker == (RefusedError.__module__, "RefusedError")
    assert record.args[-1] == "why"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_attributes_are_the_state_of_a_record(protocol: int) -> None:
    path = pickle.dumps(np.random.RandomState(0), protocol=protocol)
    record = decode(path, "any.kv", accept)
    assert isinstance(record, Record)
    assert isinstance(record.state, dict)
    assert record.state["bit_generator"] == "MT19937"


def test_a_set_is_given_as_a_list() -> None:
    assert sorted(read(pickle.dumps({3, 1, 2}, protocol=4))) == [1, 2, 3]
    assert sorted(read(pickle.dumps(frozenset({"a", "b"}), protocol=4))) == ["a", "b"]


def test_a_list_within_itself_is_read() -> None:
    within: list[object] = []
    within.append(within)
    read_back = read(pickle.dumps(within))
    assert read_back[0] is read_back


def test_texts_of_python_2_are_read() -> None:
    assert read(b"S'caf\\xe9'\np1\n.") == "café"
    assert read(b"(dp1\nS'a'\nI1\nsS'b'\nL2L\ns.") == {"a": 1, "b": 2}
    assert read(b"(U\x01aT\x01\x00\x00\x00bt.") == ("a", "b")


def test_memo_numbers_may_begin_at_one_as_in_python_2() -> None:
    assert read(b"\x80\x02]q\x01(U\x01aq\x02h\x02e.") == ["a", "a"]


def test_long_bytes_are_not_copied_out_of_the_file() -> None:
    pickled = pickle.dumps([b"\x01" * (LONG + 1)])
    (content,) = read(pickled)
    assert isinstance(content, memoryview)
    assert content.obj is pickled
    assert bytes(content) == b"\x01" * (LONG + 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_pickle_that_is_cut_short_is_said_to_be(protocol: int) -> None:
    pickled = pickle.dumps({"words": ["plum", "moss"], "rows": [1, 300, 70_000, 2.5, b"ab"]}, protocol=protocol)
    for length in range(len(pickled)):
        with pytest.raises(CutShortError, match=r"^any\.kv is cut short"):
            read(pickled[:length])


CALLS = {
    "REDUCE": b"cos\nsystem\n(S'touch RAN'\ntR.",
    "REDUCE of eval": b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x13open('RAN', 'w')   \x85R.",
    "NEWOBJ": b"\x80\x02cos\nsystem\nX\x09\x00\x00\x00touch RAN\x85\x81.",
    "NEWOBJ_EX": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x09touch RAN\x85}\x92.",
    "OBJ": b"(cos\nsystem\nS'touch RAN'\no.",
    "INST": b"(S'touch RAN'\nios\nsystem\n.",
    "a dotted name": b"\x80\x04\x8c\x07pathlib\x8c\x12os.system.__call__\x93\x8c\x09touch RAN\x85R.",
    "a state that names a function": b"\x80\x02cio\nopen\n)R}X\x0c\x00\x00\x00__setstate__cos\nsystem\nsb.",
}


@pytest.mark.parametrize("pickled", CALLS.values(), ids=CALLS.keys())
def test_nothing_that_a_pickle_calls_is_run(pickled: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(decode(pickled, "any.kv", accept), Record)  # even when every name is let pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pickled", CALLS.values(), ids=CALLS.keys())
def test_a_name_is_checked_before_anything_is_made_of_it(pickled: bytes) -> None:
    with pytest.raises(RefusedError):
        read(pickled)


def test_a_module_that_is_named_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "named_by_a_pickle.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(tmp_path))
    named = decode(b"cnamed_by_a_pickle\nThing\n.", "any.kv", accept)
    assert isinstance(named, Named)
    assert named.name == ("named_by_a_pickle", "Thing")
    assert "named_by_a_pickle" not in sys.modules


REFUSED = {
    "a state for a class": b"\x80\x02cplayground.errors\nPlaygroundError\n}X\x01\x00\x00\x00aK\x01sb.",
    "a persistent id": b"P1\n.",
    "a persistent id from the stack": b"K\x01Q.",
    "an extension code": b"\x80\x02\x82\x01.",
    "an extension code of two bytes": b"\x80\x02\x83\x01\x00.",
    "an extension code of four bytes": b"\x80\x02\x84\x01\x00\x00\x00.",
    "a buffer apart": b"\x80\x05\x97.",
    "a buffer made read-only": b"\x80\x05C\x01a\x98.",
    "a call of a number": b"K\x01)R.",
    "a call with a list": b"cos\nsystem\n]R.",
    "a name of numbers": b"K\x01K\x02\x93.",
    "an empty stack": b".",
    "a mark that was not set": b"K\x01t.",
    "a thing never kept": b"h\x05.",
    "a thing left out when others were kept": b"K\x01q\x03h\x01.",
    "text that is no UTF-8": b"\x8c\x01\xff.",
    "a key without a value": b"}(K\x01u.",
    "an append to a number": b"K\x01K\x02a.",
    "an entry of a number": b"K\x01K\x02K\x03s.",
    "a text without quotation marks": b"Sabc\n.",
    "a number of letters": b"Iabc\n.",
    "a number of too many digits": b"I" + b"9" * 1_000 + b"\n.",
    "a number of too many bytes": b"\x8b\x00\x10\x00\x00" + b"\x01" * 4096 + b".",
    "things begun and never ended": b"(" * 100_000 + b".",
}


@pytest.mark.parametrize("pickled", REFUSED.values(), ids=REFUSED.keys())
def test_a_pickle_that_makes_no_sense_is_refused(pickled: bytes) -> None:
    with pytest.raises(PlaygroundError, match=r"^any\.kv is damaged: .* at byte \d"):
        decode(pickled, "any.kv", accept)


HUGE = struct.pack("<I", 0xFFFFFFF0)
BOMBS = {
    "a memo of billions": b"K\x01r" + HUGE + b".",
    "a memo of billions, written out": b"K\x01p4294967280\n.",
    "bytes of billions": b"B" + HUGE,
    "bytes of 8 EB": b"\x8e" + b"\xff" * 7 + b"\x7f",
    "a bytearray of 8 EB": b"\x96" + b"\xff" * 7 + b"\x7f",
    "a text of 8 EB": b"\x8d" + b"\xff" * 7 + b"\x7f",
    "a text of billions": b"X" + HUGE,
    "a number of billions of bytes": b"\x8b" + HUGE,
    "a frame of 8 EB": b"\x80\x04\x95" + b"\xff" * 7 + b"\x7f",
    "lists of nothing": b"]" * 1_000_000 + b".",
    "dicts of nothing": b"}" * 1_000_000 + b".",
    "tuples in tuples": b")" + b"\x85" * 1_000_000 + b".",
    "records of nothing": b"cos\nsystem\n" + b"2)R" * 300_000 + b".",
    "names": b"cos\nsystem\n" * 100_000,
    "marks": b"(" * 1_000_000,
}


@pytest.mark.parametrize("pickled", BOMBS.values(), ids=BOMBS.keys())
def test_memory_is_bounded_by_the_size_of_the_file(pickled: bytes) -> None:
    with little_memory(), pytest.raises(PlaygroundError):
        decode(pickled, "any.kv", accept)


def test_lists_within_lists_come_to_an_end() -> None:
    numbers = b"K\x00K\x00K\x00000"  # so that lists are no large part of the file
    thing = read((numbers + b"]") * 50_000 + b"a" * 49_999 + b".")
    depth = 0
    while thing:
        (thing,) = thing
        depth += 1
    assert depth == 49_999


def test_keys_that_would_make_a_dict_slow_are_dropped() -> None:
    alike = {(1 << 61) - 1: "a", 2 * ((1 << 61) - 1): "b", 7: "c", "d": "e", (1, 2): "f", 1.5: "g"}
    assert len({hash(key) for key in list(alike)[:2]}) == 1  # all such numbers are alike to a dict
    assert read(pickle.dumps(alike)) == {7: "c", "d": "e"}
