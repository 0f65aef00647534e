"""The commands about the word vectors themselves: which there are, fetch one, open a file, the cache."""

import argparse
import shlex
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playground.terminal import print_json, print_table, printable, say

if TYPE_CHECKING:
    from playground.words.catalog import Entry
    from playground.words.downloads import Progress

STOPPED = 130  # the exit code of a command that Ctrl-C has ended


def add_commands(add: Callable[..., Any], as_json: argparse.ArgumentParser) -> None:
    """Add these commands to the parser, by its own `add(name, run, text, *parents)`."""
    models = add("models", _models, "the word vectors that there are, here or to be fetched", as_json)
    models.add_argument("name", nargs="?", help="only this one, with all that is known of it")
    models.add_argument("--refresh", action="store_true", help="get the list of models anew from the network")
    fetch = add("download", _download, "fetch a model that `playground models` lists")
    fetch.add_argument("name")
    fetch.add_argument("--remove", action="store_true", help="delete it from this disk instead")
    file = add("load", _load, "open a file of vectors and tell what is in it", as_json)
    file.add_argument("file", help="a path, or a name that `playground models` lists")
    file.add_argument("--limit", type=int, metavar="N", help="read only the first N words")
    file.add_argument("--normalize-keys", action="store_true", help="write all words in Unicode's form NFC")
    cache = add("cache", _cache, "the converted files that make the second load fast", as_json)
    cache.add_argument("--empty", action="store_true", help="delete them; they are made again when needed")


def _models(arguments: argparse.Namespace) -> int:
    from playground.words.catalog import catalog, entry_named

    if arguments.refresh:
        from playground.words.downloads import refresh

        refresh()
    if arguments.name is not None:
        entry = entry_named(arguments.name)
        return print_json(_facts(entry)) if arguments.json else _print_one(entry)
    entries = catalog()
    if arguments.json:
        return print_json([_facts(entry) for entry in entries])
    titles = ["name", "language", "words", "numbers", "on the wire", "in memory", "licence", "here"]
    print_table(titles, [_row(entry) for entry in entries if entry.kind != "file"])
    own = [entry for entry in entries if entry.kind == "file"]
    if own:
        print("\nYour own files, the last opened first:")
        print_table(["file", "words", "numbers", "on disk"], [_file_row(entry) for entry in own])
    print("\n`playground models NAME` tells what a set is good for, `playground download NAME` fetches one.")
    return 0


def _row(entry: "Entry") -> tuple[str, ...]:
    from playground.amounts import size

    return (
        entry.name,
        entry.language,
        f"{entry.words:,}",
        f"{entry.dimensions:,}",
        size(entry.download_bytes) if entry.download_bytes else "",
        size(entry.memory),
        entry.licence,
        "yes" if entry.here else "no",
    )


def _file_row(entry: "Entry") -> tuple[str, ...]:
    from playground.amounts import size

    words, dimensions = (f"{number:,}" if number else "" for number in (entry.words, entry.dimensions))
    return entry.name, words, dimensions, size(entry.bytes)


def _print_one(entry: "Entry") -> int:
    from playground.amounts import size

    print(printable(entry.title))
    say(entry.about)
    if entry.words:
        language = f" {entry.language}" if entry.language else ""
        say(f"{entry.words:,}{language} words of {entry.dimensions:,} numbers, {size(entry.memory)} in memory.")
    say(f"Licence: {entry.licence}. Source: {entry.source}.")
    if entry.here:
        say(f"It is on this disk ({size(entry.bytes)}): --model {shlex.quote(entry.name)} takes it.")
    else:
        wire = f" ({size(entry.download_bytes)})" if entry.download_bytes else ""
        say(f"It is not on this disk. To get it{wire}: {entry.get}")
    return 0


def _facts(entry: "Entry") -> dict[str, Any]:
    from dataclasses import asdict

    return {name: value for name, value in asdict(entry).items() if name != "stamp"} | {"memory": entry.memory}


def _download(arguments: argparse.Namespace) -> int:
    from playground.amounts import size
    from playground.words.catalog import catalog
    from playground.words.downloads import download, remove

    name = arguments.name
    if arguments.remove:
        say(f"{name} is removed: {size(remove(name))} are free now.")
        return 0
    if any(entry.name == name and entry.here for entry in catalog()):
        say(f"{name} is on this disk already: --model {shlex.quote(name)} takes it.")
        return 0
    line = _ProgressLine(name)
    try:
        path = download(name, progress=line)
    except KeyboardInterrupt:
        line.end()
        say_aside(f"Stopped. What has come is kept: `playground download {name}` goes on from there.")
        return STOPPED
    finally:
        line.end()
    say(f"{name} is here, its checksum is right: {path}")
    say(f"--model {name} takes it, as in: playground neighbors king --model {name}")
    return 0


def say_aside(sentence: str) -> None:
    """Print a sentence where it does not mix with the results."""
    print(printable(sentence), file=sys.stderr)


class _ProgressLine:
    """How far a download is: one line that changes on a terminal; elsewhere a line for each tenth."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._live = sys.stderr.isatty()
        self._width = 0  # of the line that stands on the terminal
        self._tenth = -1

    def __call__(self, progress: "Progress") -> None:
        from playground.amounts import duration, size

        share = progress.received / progress.total
        text = f"{self._name}: {int(share * 100)} %, {size(progress.received)} of {size(progress.total)}"
        if progress.seconds_left:
            text += f", {size(int(progress.bytes_per_second))} a second, {duration(progress.seconds_left)} left"
        if self._live:
            text = text[: shutil.get_terminal_size().columns - 1]
            print(f"\r{text.ljust(self._width)}", end="", file=sys.stderr, flush=True)
            self._width = len(text)
        elif int(share * 10) > self._tenth:
            self._tenth = int(share * 10)
            say_aside(text)

    def end(self) -> None:
        """Leave the line that changes, so that what follows has one of its own."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0


def _load(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict
    from pathlib import Path

    from playground.amounts import size
    from playground.words.catalog import is_name, load
    from playground.words.language import language_of
    from playground.words.recent import remember

    vectors = load(arguments.file, limit=arguments.limit, normalize_keys=arguments.normalize_keys)
    report = vectors.report
    named = is_name(arguments.file)
    if not named:
        remember(arguments.file, report, language_of(vectors))
    model = arguments.file if named else str(Path(arguments.file).expanduser())
    if arguments.json:
        return print_json({"model": model, **asdict(report), "sentences": report.sentences})
    for sentence in report.sentences:
        say(sentence)
    kept = ", from the cache of an earlier load" if report.from_cache else ""
    say(f"Read in {report.seconds:.2f} s{kept}; it takes {size(report.memory)} of memory.")
    say(f"--model {shlex.quote(model)} takes it, as in: playground neighbors WORD --model {shlex.quote(model)}")
    return 0


def _cache(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from playground.amounts import size
    from playground.words import cache
    from playground.words.folders import cache_folder

    if arguments.empty:
        freed = cache.empty()
        if arguments.json:
            return print_json({"folder": str(cache_folder()), "freed": freed})
        say(f"{size(freed)} freed in {cache_folder()}.")
        return 0
    entries, total = cache.entries(), cache.size()
    if arguments.json:
        facts = [
            asdict(one) | {"source": str(one.source), "folder": str(one.folder), "when": one.when.isoformat()}
            for one in entries
        ]
        return print_json({"folder": str(cache_folder()), "bytes": total, "entries": facts})
    if not total:
        say(f"The cache is empty: {cache_folder()}.")
        return 0
    rows = [
        (str(one.source), f"{one.words:,}", f"{one.dimensions:,}", size(one.bytes), "no" if one.stale else "yes")
        for one in entries
    ]
    print_table(["file", "words", "numbers", "on disk", "up to date"], rows)
    say(f"{size(total)} of at most {size(cache.LARGEST)} in {cache_folder()}; `playground cache --empty` frees it.")
    return 0
