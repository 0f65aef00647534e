"""Does a sentence move an ambiguous word to the right meaning?"""

import argparse
from dataclasses import replace
from pathlib import Path

SENSES = Path(__file__).resolve().parents[2] / "data" / "senses" / "senses.json"


def main(arguments: list[str]) -> int:
    """Print how many words of a sense file move to the right side, and how far, in several settings."""
    parser = argparse.ArgumentParser(prog="benchmark.py context", description=__doc__)
    parser.add_argument("--model", default="glove", help="glove, zh, or the path of a file (default: glove)")
    parser.add_argument("--senses", type=Path, default=SENSES, help="a sense file (default: the bundled one)")
    parser.add_argument("--strength", type=float, default=0.6, help="how much context counts, 0 to 1 (default: 0.6)")
    options = parser.parse_args(arguments)

    from playground.context import ContextOptions
    from playground.senses import read_senses, score_senses
    from playground.words.catalog import load

    vectors, words = load(options.model), read_senses(options.senses)
    usual = ContextOptions(strength=options.strength)
    settings = {
        "attention": usual,
        "plain mean of the sentence": replace(usual, scale=0.0),
        "diagonal not blocked": replace(usual, block_diagonal=False),
        "common components kept": replace(usual, remove_components=0),
        "positions added": replace(usual, positions=True),
    }
    scores = {name: score_senses(vectors, words, setting) for name, setting in settings.items()}
    numbers = sorted({move.number for move in scores["attention"].moves})
    titles = ["all sentences", *(f"number {number + 1} of each" for number in numbers)]
    print(f"{len(words)} ambiguous words; right direction, mean shift (own minus other sense, cosine)\n")
    print(" " * 28 + "".join(f"{title:>20}" for title in titles))
    for name, score in scores.items():
        parts = [score, *(score.of_sentence(number) for number in numbers)]
        print(f"{name:<28}" + "".join(f"{part.accuracy:>12.1%} {part.mean_shift:+.3f} " for part in parts))
    print("\nmoved to the wrong side by attention:")
    for move in scores["attention"].moves:
        if move.shift <= 0:
            print(f"  {move.shift:+.3f}  {move.word}: {move.sentence}")
    return 0
