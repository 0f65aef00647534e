"""The bundled learned heads: their accuracy beside that of the best fixed distance, as measured after training."""

import argparse

import numpy as np


def main(arguments: list[str]) -> int:
    """Print the card of the bundled layer; `scripts/train_heads.py` measures it anew from a treebank."""
    argparse.ArgumentParser(prog="benchmark.py heads", description=__doc__).parse_args(arguments)

    from playground.attention.learned import load_learned

    _, _, card = load_learned()
    print(f"{card.treebank}: {card.train_sentences:,} sentences to learn from, {card.test_sentences:,} to test with")
    print(f"\n{'head':<20}  accuracy  best fixed distance  test words")
    for head in card.heads:
        fixed = f"{head.offset_accuracy:.1%} ({head.best_offset:+d})"
        print(f"{head.name:<20}  {head.accuracy:>8.1%}  {fixed:>19}  {head.examples:>10,}")
    fixed = f"{np.mean([head.offset_accuracy for head in card.heads]):.1%}"
    print(f"{'mean':<20}  {card.mean_accuracy:>8.1%}  {fixed:>19}")
    return 0
