"""Read what a pickle describes without doing what it says.

A pickle is a program: it names functions of Python and has them called. Nothing here calls or imports what a
file names. Each of pickle's instructions is carried out on plain data of our own: an object that would be made
becomes a `Record` of what was to be made of what.

The instructions are those of protocols 0 to 5, as Python's own `pickletools` describes them.
"""

import codecs
import re
import struct
from collections.abc import Callable, Iterable, Sequence

from playground.errors import PlaygroundError
from playground.words.readers.opcodes import INSTRUCTIONS, LINE, STOP, TWO_LINES

LONG = 1 << 20  # bytes: a longer text, or string of bytes, stays where it is in the file
DEEPEST = 1_000  # things begun within things; a model has less than ten
BYTES_EACH = 4  # the file has at least so many for each list or record in it, so that it cannot fill the memory
WIDEST = 255  # bytes of a whole number
LARGEST_KEY = 1 << 60  # larger numbers can be chosen so that a dict of them takes hours

Name = tuple[str, str]  # a module, and a class or function in it
Check = Callable[[Name], None]


def names(several: str, *modules: str) -> frozenset[Name]:
    """Return the names in `several`, with spaces between them, in each of the modules."""
    return frozenset((module, name) for module in modules for name in several.split())


class Named:
    """A class or function that a pickle names. It is never looked up."""

    __slots__ = ("name",)

    def __init__(self, name: Name) -> None:
        self.name = name


class Record:
    """What a pickle would make: an object of the class, or by the function, `maker`, out of `args`.

    `state` is what would be put into it afterwards: for most classes a dict of attributes.
    """

    __slots__ = ("args", "maker", "state")

    def __init__(self, maker: Name, args: tuple[object, ...]) -> None:
        self.maker = maker
        self.args = args
        self.state: object = None


class CutShortError(PlaygroundError):
    """The bytes end before the pickle does."""


def decode(data: bytes, file: str, check: Check) -> object:
    """Return what the pickle `data` describes, in plain lists, tuples, dicts, numbers, texts and `Record`s.

    `check` is called with each class or function that is named, before anything else is read, and may raise.
    A set is given as a list. Bytes of more than `LONG` are a `memoryview` of `data`, and so is a text, of its
    UTF-8. An entry of a dict is dropped if its key is no text, bytes or whole number, and so is what is added
    to a `Record`. Raises `PlaygroundError` for a pickle that is damaged or cut short; `file` is its name.
    """
    machine = _Machine(data, check)
    try:
        return machine.run()
    except PlaygroundError:
        raise
    except EOFError:
        raise CutShortError(
            f"{file} is cut short: its pickle does not end within its {len(data):,} bytes. Fetch it again."
        ) from None
    except _FAULTS as error:
        detail = f" ({error})" if isinstance(error, _DamagedError) else ""
        raise PlaygroundError(
            f"{file} is damaged: its pickle makes no sense at byte {machine.position:,}{detail}. Fetch it again."
        ) from None


class _DamagedError(ValueError):
    pass


_FAULTS = (ValueError, TypeError, LookupError, OverflowError, struct.error)
_UNSET = object()
# A word that was kept before, and its row: a large dict has millions, so they are read in one go.
_WORDS_AND_ROWS = re.compile(rb"(?:j....J....)+", re.DOTALL)
_RECALL = ord("j")


class _Machine:
    """The stack that a pickle's instructions work on, and the memo from which they recall things."""

    def __init__(self, data: bytes, check: Check) -> None:
        self.position = 0
        self._data = data
        self._check = check
        self._stack: list[object] = []
        self._marks: list[int] = []
        self._memo: list[object] = []
        self._has_gaps = False
        self._left = len(data) // BYTES_EACH + 1_000

    def run(self) -> object:
        """Carry out the instructions up to the one that ends them, and return what is then on the stack."""
        data, end, stack, memo = self._data, len(self._data), self._stack, self._memo
        steps = {code: (kind, getattr(self, step)) for code, (kind, step) in INSTRUCTIONS.items()}
        position = 0
        try:
            while position < end:
                code = data[position]
                start = position + 1
                if code == _RECALL and not self._has_gaps and (pairs := _WORDS_AND_ROWS.match(data, position)):
                    for index, row in struct.iter_unpack("<xIxi", pairs.group()):
                        stack += (memo[index], row)
                    position = pairs.end()
                    continue
                if code == STOP:
                    return stack.pop()
                if code not in steps:
                    raise _DamagedError(f"{code:#04x} is no instruction of plain data")
                kind, step = steps[code]
                if kind == 0:
                    step()
                    position = start
                    continue
                if kind > 0:  # a number
                    after = start + kind
                    if after > end:
                        raise EOFError
                    step(data[start] if kind == 1 else int.from_bytes(data[start:after], "little"))
                elif kind > LINE:  # bytes after their own number, of 1, 4 or 8 bytes
                    start -= kind
                    after = start + int.from_bytes(data[start + kind : start], "little")
                    if after > end:
                        raise EOFError
                    step(data[start:after] if after - start <= LONG else memoryview(data)[start:after])
                else:
                    after = data.find(b"\n", start) + 1
                    if kind == TWO_LINES and after:
                        after = data.find(b"\n", after) + 1
                    if not after:
                        raise EOFError
                    step(data[start : after - 1])
                position = after
        finally:
            self.position = position
        raise EOFError

    # Plain values.

    def push(self, thing: object) -> None:
        self._stack.append(thing)

    def ignore(self, _: int) -> None:
        """The protocol, and lengths of pieces, tell nothing that the instructions do not."""

    def none(self) -> None:
        self._stack.append(None)

    def true(self) -> None:
        self._stack.append(True)

    def false(self) -> None:
        self._stack.append(False)

    def signed(self, number: int) -> None:
        self._stack.append(number - (1 << 32) if number >> 31 else number)

    def whole(self, encoded: bytes) -> None:
        if len(encoded) > WIDEST:
            raise _DamagedError(f"a whole number of {len(encoded):,} bytes")
        self._stack.append(int.from_bytes(encoded, "little", signed=True))

    def written(self, digits: bytes) -> None:
        truth = {b"00": False, b"01": True}  # as protocols 0 and 1 write them
        self._stack.append(truth[digits] if digits in truth else _whole(digits))

    def written_float(self, digits: bytes) -> None:
        self._stack.append(float(digits))

    def real(self, encoded: int) -> None:
        self._stack += struct.unpack(">d", encoded.to_bytes(8, "little"))

    # Texts; those of Python 2 were bytes.

    def text(self, encoded: bytes | memoryview) -> None:
        self._stack.append(encoded if isinstance(encoded, memoryview) else str(encoded, "utf-8", "surrogatepass"))

    def old_text(self, encoded: bytes | memoryview) -> None:
        self._stack.append(encoded if isinstance(encoded, memoryview) else str(encoded, "latin-1"))

    def escaped(self, encoded: bytes) -> None:
        self._stack.append(str(encoded, "raw-unicode-escape"))

    def quoted(self, encoded: bytes) -> None:
        quoted = encoded.strip()
        if len(quoted) < 2 or quoted[:1] not in (b"'", b'"') or quoted[-1:] != quoted[:1]:
            raise _DamagedError("a text without quotation marks")
        self._stack.append(str(codecs.escape_decode(quoted[1:-1])[0], "latin-1"))

    # The stack and the memo.

    def make(self, thing: object, cost: int = 1) -> None:
        """Push something that needs memory of its own."""
        self._spend(cost)
        self._stack.append(thing)

    def _spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise _DamagedError("it makes more than a file of its size describes")

    def last(self, count: int) -> list[object]:
        things = self._stack[-count:]
        if len(things) < count:
            raise _DamagedError("nothing to work on")
        del self._stack[-count:]
        return things

    def mark(self) -> None:
        if len(self._marks) == DEEPEST:
            raise _DamagedError(f"more than {DEEPEST:,} things begun and not ended")
        self._marks.append(len(self._stack))

    def since_mark(self) -> list[object]:
        start = self._marks.pop()
        things = self._stack[start:]
        del self._stack[start:]
        return things

    def pop(self) -> None:
        if self._marks and self._marks[-1] == len(self._stack):
            self._marks.pop()
        else:
            self._stack.pop()

    def repeat(self) -> None:
        self._stack.append(self._stack[-1])

    def memoize(self) -> None:
        self._memo.append(self._stack[-1])

    def remember(self, index: int) -> None:
        """Keep the last thing under a number: mostly the next one, as a number left out takes memory too."""
        memo = self._memo
        if index == len(memo):
            memo.append(self._stack[-1])
            return
        if index > len(memo):
            self._has_gaps = True
            self._spend(index - len(memo))
            memo.extend([_UNSET] * (index + 1 - len(memo)))
        memo[index] = self._stack[-1]

    def remember_written(self, digits: bytes) -> None:
        self.remember(_whole(digits))

    def recall(self, index: int) -> None:
        thing = self._memo[index]
        if thing is _UNSET:
            raise _DamagedError(f"it recalls a thing number {index:,}, which it never had")
        self._stack.append(thing)

    def recall_written(self, digits: bytes) -> None:
        self.recall(_whole(digits))

    # Lists, tuples and dicts.

    def empty_list(self) -> None:
        self.make([])

    def empty_tuple(self) -> None:
        self._stack.append(())

    def empty_dict(self) -> None:
        self.make({}, 3)

    def list_since_mark(self) -> None:
        self.make(self.since_mark())

    def dict_since_mark(self) -> None:
        things = self.since_mark()
        self.make(dict(_entries(things)), 3)

    def tuple_since_mark(self) -> None:
        self.make(tuple(self.since_mark()))

    def tuple1(self) -> None:
        self.make(tuple(self.last(1)))

    def tuple2(self) -> None:
        self.make(tuple(self.last(2)))

    def tuple3(self) -> None:
        self.make(tuple(self.last(3)))

    def append(self) -> None:
        self._extend(self.last(1))

    def append_since_mark(self) -> None:
        self._extend(self.since_mark())

    def set_item(self) -> None:
        self._update(self.last(2))

    def set_since_mark(self) -> None:
        self._update(self.since_mark())

    def _extend(self, things: list[object]) -> None:
        target = self._stack[-1]
        if isinstance(target, list):
            target += things
        elif not isinstance(target, Record):
            raise _DamagedError("it adds to what is no list")

    def _update(self, things: list[object]) -> None:
        target = self._stack[-1]
        if isinstance(target, dict):
            target.update(_entries(things))
        elif not isinstance(target, Record):
            raise _DamagedError("it sets an entry of what is no dict")

    # Classes, functions, and what they would make.

    def name_lines(self, lines: bytes) -> None:
        self._name(*str(lines, "utf-8").split("\n"))

    def name_texts(self) -> None:
        self._name(*self.last(2))

    def make_object(self) -> None:
        """Make an object of a class, or what a function gives for arguments: which of the two is all one here."""
        self._record(*self.last(2))

    def object_with_keywords(self) -> None:
        self._record(*self.last(3)[:2])

    def object_since_mark(self) -> None:
        maker, *args = self.since_mark()
        self._record(maker, tuple(args))

    def named_object_since_mark(self, lines: bytes) -> None:
        args = self.since_mark()
        self.name_lines(lines)
        self._record(self._stack.pop(), tuple(args))

    def state(self) -> None:
        (state,) = self.last(1)
        target = self._stack[-1]
        if not isinstance(target, Record):
            raise _DamagedError("it puts a state into what is no object")
        target.state = state

    def _name(self, module: object, name: object) -> None:
        if not (isinstance(module, str) and isinstance(name, str)):
            raise _DamagedError("a name that is no text")
        self._check((module, name))
        self.make(Named((module, name)), 3)

    def _record(self, maker: object, args: object) -> None:
        if not (isinstance(maker, Named) and isinstance(args, tuple)):
            raise _DamagedError("it makes something by what is no class or function")
        name = maker.name
        if name[1] == "_reconstructor" and args and isinstance(args[0], Named):  # so protocols 0 and 1 make objects
            name, args = args[0].name, args[1:]
        self.make(Record(name, args))


def _whole(digits: bytes) -> int:
    if len(digits) > 2 * WIDEST:
        raise _DamagedError(f"a whole number of {len(digits):,} digits")
    return int(digits.removesuffix(b"L"))


def _entries(things: Sequence[object]) -> Iterable[tuple[object, object]]:
    """Return the keys and values that alternate in `things`, of which each key can be looked up quickly."""
    keys, values = things[::2], things[1::2]
    pairs = zip(keys, values, strict=True)
    if {str, bytes}.issuperset(map(type, keys)):
        return pairs
    return ((key, value) for key, value in pairs if isinstance(key, str | bytes) or _is_small(key))


def _is_small(key: object) -> bool:
    return isinstance(key, int) and abs(key) < LARGEST_KEY
