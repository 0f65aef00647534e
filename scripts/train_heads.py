"""Teach attention heads where to look, with a treebank, and write data/heads.

    python scripts/train_heads.py --treebank DIR               test on dev, write data/heads and the manifest
    python scripts/train_heads.py --treebank DIR --hold-out    test on a tenth of train, write nothing

DIR holds a treebank of Universal Dependencies: files *train*.conllu and *dev*.conllu, plain or with .gz. The
recipe was chosen with --hold-out. It runs on one processor thread, as only so the same seed gives the same
weights, to the bit, on one kind of processor.
"""

import argparse
import datetime
import hashlib
import io
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from head_lessons import WordTable, guess_hidden, head_cards  # noqa: E402
from treebank import Sentence, read_conllu  # noqa: E402

from playground.attention.learned import FILE, LayerCard, fingerprint  # noqa: E402
from playground.attention.training import Parameters, Recipe, teach_guessing, teach_looking  # noqa: E402
from playground.errors import PlaygroundError  # noqa: E402
from playground.words.catalog import load  # noqa: E402

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

LONGEST = 80  # words of a training sentence; the few longer ones would only fill batches up
OUTPUT_SIZE = 0.5  # mean length of an output beside that of a word's vector
TREEBANK = "Universal Dependencies English Web Treebank (UD_English-EWT) 2.15"
SOURCE = {
    "registry": "Universal Dependencies",
    "package": "UD_English-EWT",
    "version": "2.15",
    "licence": "CC-BY-SA-4.0",
}
# Measured with --hold-out, mean of three seeds and eight heads: 77.6 % with zeros, 77.6 % with the mean of the
# number words from "two" to "million" in place of numbers. So the simpler stays.
UNKNOWN_WORDS = "A word without a vector, such as any number, is a zero vector plus its position."
ABOUT = {
    "name": "Attention heads over GloVe 6B, taught by a treebank where to look",
    "language": "en",
    "licence": "CC-BY-SA-4.0",
    "citation": "Natalia Silveira, Timothy Dozat, Marie-Catherine de Marneffe, Samuel Bowman, Miriam Connor, John "
    "Bauer, Chris Manning (2014). A Gold Standard Dependency Corpus for English. LREC 2014.",
    "notes": "Weights trained from the treebank's annotations, (c) The Board of Trustees of The Leland Stanford "
    "Junior University, CC BY-SA 4.0. They hold no sentence of it. They fit the word vectors in data/glove.",
}


class Progress:
    """One line on stderr: how much is done, the loss, the time left."""

    def __init__(self, title: str) -> None:
        self.title, self.started, self.shown = title, time.monotonic(), 0.0

    def __call__(self, done: float, loss: float) -> None:
        now = time.monotonic()
        if now - self.shown < 0.5 and done < 1:
            return
        self.shown = now
        left = (now - self.started) * (1 - done) / done
        bar = ("█" * round(30 * done)).ljust(30, "░")
        line = f"\r{self.title}  {bar} {done:4.0%}  loss {loss:.3f}  {left:3.0f} s left "
        print(line, end="\n" if done == 1 else "", file=sys.stderr, flush=True)


def read(folder: Path, hold_out: bool) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences to learn from and those to test with."""
    train = list(read_conllu(treebank_file(folder, "train")))
    if not hold_out:
        return train, list(read_conllu(treebank_file(folder, "dev")))
    out = [index // 50 % 10 == 9 for index in range(len(train))]  # stretches of text, from all its kinds
    return (
        [sentence for sentence, held in zip(train, out, strict=True) if not held],
        [sentence for sentence, held in zip(train, out, strict=True) if held],
    )


def treebank_file(folder: Path, part: str) -> Path:
    """Return the file of one `part` of the treebank, "train" or "dev"."""
    found = sorted([*folder.glob(f"*{part}*.conllu"), *folder.glob(f"*{part}*.conllu.gz")])
    if not found:
        raise PlaygroundError(f"{folder} holds no file *{part}*.conllu or *{part}*.conllu.gz of a treebank.")
    return found[0]


def teach(
    vectors: "KeyedVectors", train: list[Sentence], test: list[Sentence], recipe: Recipe, date: datetime.date
) -> tuple[Parameters, LayerCard]:
    """Return the weights that the sentences of `train` teach, and their card made with those of `test`."""
    words = WordTable.of(vectors, [*train, *test])
    lessons = [words.lesson(sentence) for sentence in train if len(sentence.forms) <= LONGEST]
    tests = [words.lesson(sentence) for sentence in test]
    learnt = teach_looking(lessons, words.table, recipe, Progress("where to look"))
    learnt |= teach_guessing(lessons, words.table, learnt, recipe, Progress("hidden words "))
    guesses = guess_hidden(learnt, words, recipe, tests)
    # a sharp softmax over dot products makes outputs so long that x + output would forget the word
    word_length = np.linalg.norm(words.table[:-1], axis=1).mean()
    learnt["w_o"] *= np.float32(OUTPUT_SIZE * word_length / guesses.length)
    card = LayerCard(
        heads=head_cards(learnt, words, recipe.position_scale, tests),
        vectors="glove",
        position_scale=recipe.position_scale,
        treebank=TREEBANK,
        licence=ABOUT["licence"],
        citation=ABOUT["citation"],
        train_sentences=len(lessons),
        test_sentences=len(tests),
        masked_accuracy=guesses.accuracy,
        masked_mean_accuracy=guesses.mean_accuracy,
        masked_rivals=recipe.rivals,
        unknown_words=UNKNOWN_WORDS,
        command=f"python scripts/train_heads.py --treebank DIR --seed {recipe.seed} --date {date}",
        date=str(date),
        fingerprint=fingerprint(vectors),
    )
    return learnt, card


def write(data: Path, learnt: Parameters, card: LayerCard) -> None:
    """Write the layer and its entry in the manifest, and leave the other entries as they are."""
    content = packed(learnt, card)
    (data / "heads").mkdir(exist_ok=True)
    (data / "heads" / FILE).write_bytes(content)
    path = data / "manifest.json"
    manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
    manifest["heads"] = ABOUT | {
        "dimensions": len(learnt["start"]),
        "accuracy": {head.name: round(head.accuracy, 4) for head in card.heads},
        "sources": [SOURCE],
        "files": {FILE: hashlib.sha256(content).hexdigest()},
        "command": card.command,
        "date": card.date,
    }
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8", newline="\n")


def packed(learnt: Parameters, card: LayerCard) -> bytes:
    """Return the layer's file: plain arrays, the card among them as JSON text."""
    file = io.BytesIO()
    np.savez(file, **learnt, card=np.array(json.dumps(asdict(card), ensure_ascii=False)))
    return file.getvalue()


def show(card: LayerCard) -> None:
    """Print what the heads have learnt."""
    print(f"{card.train_sentences:,} sentences to learn from, {card.test_sentences:,} to test with\n")
    print("head                  right  best fixed offset  examples  rests: relation absent  present")
    for head in card.heads:
        print(
            f"{head.name:<20}  {head.accuracy:5.1%}  {head.offset_accuracy:12.1%} ({head.best_offset:+d})"
            f"  {head.examples:8,}  {head.rests:22.1%}  {head.rests_wrongly:7.1%}"
        )
    print(f"{'mean':<20}  {card.mean_accuracy:5.1%}")
    print(
        f"a hidden word fits best among {card.masked_rivals + 1}: {card.masked_accuracy:.1%} "
        f"(plain mean of the sentence {card.masked_mean_accuracy:.1%})"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Teach attention heads where to look, and write data/heads.")
    parser.add_argument("--treebank", type=Path, required=True, help="the folder of the treebank's files")
    parser.add_argument("--hold-out", action="store_true", help="test on a tenth of train and write nothing")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (default: 0)")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="where to write (default: data)")
    parser.add_argument("--date", type=datetime.date.fromisoformat, help="to be written down (default: today)")
    options = parser.parse_args(arguments)
    date = options.date or datetime.datetime.now(datetime.UTC).date()
    try:
        with threadpool_limits(1):
            train, test = read(options.treebank, options.hold_out)
            learnt, card = teach(load("glove"), train, test, Recipe(seed=options.seed), date)
    except PlaygroundError as error:
        print(error, file=sys.stderr)
        return 1
    show(card)
    if not options.hold_out:
        write(options.data, learnt, card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
