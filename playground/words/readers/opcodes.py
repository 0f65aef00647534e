"""The instructions of pickles that describe data: what follows each in the file, and the step in `inert` it asks for.

Left out on purpose are those that fetch things from outside the file: persistent ids, extension codes and
buffers apart.
"""

# A positive number: an unsigned number of so many bytes. A negative one: bytes, after how many they are, in so many.
STOP = ord(".")
LINE, TWO_LINES = -9, -10
INSTRUCTIONS: dict[int, tuple[int, str]] = {
    ord(code): what
    for code, what in {
        b"\x80": (1, "ignore"),
        b"\x95": (8, "ignore"),
        b"N": (0, "none"),
        b"\x88": (0, "true"),
        b"\x89": (0, "false"),
        b"K": (1, "push"),
        b"M": (2, "push"),
        b"J": (4, "signed"),
        b"\x8a": (-1, "whole"),
        b"\x8b": (-4, "whole"),
        b"I": (LINE, "written"),
        b"L": (LINE, "written"),
        b"F": (LINE, "written_float"),
        b"G": (8, "real"),
        b"\x8c": (-1, "text"),
        b"X": (-4, "text"),
        b"\x8d": (-8, "text"),
        b"V": (LINE, "escaped"),
        b"S": (LINE, "quoted"),
        b"U": (-1, "old_text"),
        b"T": (-4, "old_text"),
        b"C": (-1, "push"),
        b"B": (-4, "push"),
        b"\x8e": (-8, "push"),
        b"\x96": (-8, "push"),
        b"0": (0, "pop"),
        b"1": (0, "since_mark"),
        b"2": (0, "repeat"),
        b"(": (0, "mark"),
        b"\x94": (0, "memoize"),
        b"q": (1, "remember"),
        b"r": (4, "remember"),
        b"p": (LINE, "remember_written"),
        b"h": (1, "recall"),
        b"j": (4, "recall"),
        b"g": (LINE, "recall_written"),
        b"]": (0, "empty_list"),
        b"\x8f": (0, "empty_list"),
        b"}": (0, "empty_dict"),
        b")": (0, "empty_tuple"),
        b"l": (0, "list_since_mark"),
        b"\x91": (0, "list_since_mark"),
        b"d": (0, "dict_since_mark"),
        b"t": (0, "tuple_since_mark"),
        b"\x85": (0, "tuple1"),
        b"\x86": (0, "tuple2"),
        b"\x87": (0, "tuple3"),
        b"a": (0, "append"),
        b"e": (0, "append_since_mark"),
        b"\x90": (0, "append_since_mark"),
        b"s": (0, "set_item"),
        b"u": (0, "set_since_mark"),
        b"c": (TWO_LINES, "name_lines"),
        b"\x93": (0, "name_texts"),
        b"R": (0, "make_object"),
        b"\x81": (0, "make_object"),
        b"\x92": (0, "object_with_keywords"),
        b"o": (0, "object_since_mark"),
        b"i": (TWO_LINES, "named_object_since_mark"),
        b"b": (0, "state"),
    }.items()
}
