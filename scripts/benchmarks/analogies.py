"""Word analogies: the playground and gensim on the same vectors, questions and vocabulary limit."""

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from playground.words.scores import AnalogyScore


def main(arguments: list[str]) -> int:
    """Print both accuracies, both times and how they compare; 1 if a single question differs."""
    parser = argparse.ArgumentParser(prog="benchmark.py analogies", description=__doc__)
    parser.add_argument("--model", default="glove", help="glove, zh, or the path of a file (default: glove)")
    parser.add_argument("--restrict-vocab", type=int, default=50_000, help="words used (default: 50,000)")
    parser.add_argument("--questions", help="a list of analogies (default: the 19,544 of Google)")
    options = parser.parse_args(arguments)

    from gensim.test.utils import datapath

    from playground.words.catalog import load
    from playground.words.scores import score_analogies

    vectors = load(options.model)
    print(f"{options.model}, the first {options.restrict_vocab:,} of {len(vectors):,} words")
    questions = options.questions or datapath("questions-words.txt")

    def score() -> tuple["AnalogyScore", np.ndarray]:
        started = _clocks()
        scored = score_analogies(vectors, options.questions, restrict_vocab=options.restrict_vocab)
        return scored, _clocks() - started

    # both once with few words, so that neither pays for imports and the start of the threads
    score_analogies(vectors, options.questions, restrict_vocab=2_000)
    vectors.evaluate_word_analogies(questions, restrict_vocab=2_000)
    (ours, first), (_, second) = score(), score()
    started = _clocks()
    _, sections = vectors.evaluate_word_analogies(questions, restrict_vocab=options.restrict_vocab)
    their_time = _clocks() - started
    our_time = np.median([first, second, score()[1]], axis=0)  # two runs before gensim's, one after it
    _report("playground", ours.correct, ours.total, our_time)
    total = sections[-1]
    _report("gensim", len(total["correct"]), len(total["correct"]) + len(total["incorrect"]), their_time)
    different = _answered(ours) ^ _answered_by_gensim(sections)
    wall, cpu = their_time / our_time
    print(f"{wall:.1f} times as fast by the clock, {cpu:.1f} times by processor time")
    print(f"questions judged differently: {len(different)}")
    for question in sorted(different)[:10]:
        print("  ", *question)
    return 1 if different else 0


def _clocks() -> np.ndarray:
    """Return the time on the wall and the processor time of all threads, in seconds."""
    return np.array([time.perf_counter(), time.process_time()])


def _report(name: str, correct: int, total: int, seconds: np.ndarray) -> None:
    share = f"{correct / total:.2%}" if total else "none"
    times = f"{seconds[0]:.2f} s, processor {seconds[1]:.2f} s"
    print(f"{name:<10}  {share} of {total:,} questions ({correct:,} right)  {times}")


def _answered(score: "AnalogyScore") -> set[tuple[object, ...]]:
    return {
        (section.name, one.correct, *(word.upper() for word in one.words))
        for section in score.sections
        for one in section.questions
        if not one.unknown
    }


def _answered_by_gensim(sections: list[dict[str, list[tuple[str, ...]]]]) -> set[tuple[object, ...]]:
    return {
        (section["section"], verdict == "correct", *question)
        for section in sections[:-1]
        for verdict in ("correct", "incorrect")
        for question in section[verdict]
    }
