"""Test lists: gensim's own verdict on every question, lists of the reader, and errors that name the line."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.test.utils import datapath

import playground as pg
from playground.words.scores import AnalogyScore, Question

SECTIONS = ("capital-common-countries", "family", "gram3-comparative")


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sections of the Google analogies, as a file."""
    text = Path(datapath("questions-words.txt")).read_text("utf-8")
    sections = [": " + section for section in text.removeprefix(": ").split("\n: ")]
    path = tmp_path_factory.mktemp("lists") / "part.txt"
    path.write_text("\n".join(one for one in sections if one.split()[1] in SECTIONS), "utf-8")
    return path


def verdicts(vectors: KeyedVectors, path: Path, **options: object) -> dict[str, tuple[list, list]]:
    """Return by section what gensim calls correct and incorrect, in order."""
    _, sections = vectors.evaluate_word_analogies(str(path), **options)
    return {one["section"]: (one["correct"], one["incorrect"]) for one in sections[:-1]}


def ours(score: AnalogyScore, case_insensitive: bool = True) -> dict[str, tuple[list, list]]:
    def written(question: Question) -> tuple[str, ...]:
        return tuple(word.upper() for word in question.words) if case_insensitive else question.words

    return {
        one.name: (
            [written(question) for question in one.questions if question.correct],
            [written(question) for question in one.failures],
        )
        for one in score.sections
    }


def toy(words: dict[str, tuple[float, ...]]) -> KeyedVectors:
    vectors = KeyedVectors(len(next(iter(words.values()))))
    vectors.add_vectors(list(words), np.float32(list(words.values())))
    return vectors


def test_gensim_judges_every_question_the_same(glove: KeyedVectors, part: Path) -> None:
    score = pg.score_analogies(glove, part, restrict_vocab=10_000)
    theirs = verdicts(glove, part, restrict_vocab=10_000)
    assert tuple(theirs) == SECTIONS
    assert ours(score) == theirs
    assert 0 < score.correct < score.total and score.skipped > 0


def test_gensim_judges_the_same_where_case_counts(glove: KeyedVectors, part: Path) -> None:
    score = pg.score_analogies(glove, part, restrict_vocab=3_000, case_insensitive=False)
    assert ours(score, False) == verdicts(glove, part, restrict_vocab=3_000, case_insensitive=False)
    assert score.sections[0].total == 0 and score.sections[0].accuracy is None  # Athens is no word of GloVe
    assert score.sections[1].total > 0


@pytest.mark.parametrize("case_insensitive", [True, False])
def test_gensim_judges_the_same_where_words_have_case_twins(tmp_path: Path, case_insensitive: bool) -> None:
    random = np.random.default_rng(7)
    rows = random.normal(size=(60, 5))
    words = {f"word{i}": tuple(row) for i, row in enumerate(rows)}
    words |= {f"Word{i}": tuple(rows[i] + random.normal(scale=0.1, size=5)) for i in random.permutation(60)}
    vectors = toy({word: words[word] for word in random.permutation(list(words))})
    path = tmp_path / "list.txt"
    questions = [" ".join(random.choice(list(words), 4)) for _ in range(1500)]
    path.write_text(": some\n" + "\n".join(questions), "utf-8")
    score = pg.score_analogies(vectors, path, restrict_vocab=100, case_insensitive=case_insensitive)
    assert ours(score, case_insensitive) == verdicts(
        vectors, path, restrict_vocab=100, case_insensitive=case_insensitive
    )
    assert 0 < score.correct < score.total < 1500


def test_two_thirds_of_the_google_analogies_are_solved(glove: KeyedVectors) -> None:
    score = pg.score_analogies(glove)
    assert (score.total, score.skipped) == (15_276, 19_544 - 15_276)
    # gensim, with the same 30,000 words, has 10,030 right; another BLAS may round a tie otherwise
    assert score.correct == pytest.approx(10_030, abs=2)
    assert score.accuracy == score.correct / score.total
    assert score.title == "Google analogies" and len(score.sections) == 14


def test_a_failure_opens_as_a_formula_with_the_same_answer(glove: KeyedVectors, part: Path) -> None:
    family = pg.score_analogies(glove, part, restrict_vocab=20_000).sections[1]
    assert len(family.failures) > 10
    for question in family.failures[:10]:
        found = pg.analogy(glove, question.formula, restrict_vocab=20_000, topn=1000)
        words = [one.word for one in found.answers]
        assert words[0] == question.answer != question.expected
        assert words.index(question.expected) + 1 == question.rank


def test_a_question_says_where_it_stands(glove: KeyedVectors) -> None:
    score = pg.score_analogies(glove, ["", ": royal", "Man King woman Queen", "man king qqqq queen"])
    asked, skipped = score.sections[0].questions
    assert asked == Question(
        line=3,
        words=("Man", "King", "woman", "Queen"),
        entries=("man", "king", "woman", "queen"),
        answer="queen",
        rank=1,
        correct=True,
    )
    assert asked.formula == "king - man + woman"
    assert skipped == Question(line=4, words=("man", "king", "qqqq", "queen"), unknown=("qqqq",))
    assert (score.correct, score.total, score.skipped, score.accuracy) == (1, 1, 1, 1.0)


def test_3cosmul_answers_as_gensim_multiplies(glove: KeyedVectors, part: Path) -> None:
    score = pg.score_analogies(glove, part, method="3cosmul", restrict_vocab=len(glove))
    asked = [one for one in score.sections[0].questions if not one.unknown][::50]
    assert len(asked) > 5
    for question in asked:
        a, b, c, _ = question.entries
        assert question.answer == glove.most_similar_cosmul(positive=[b, c], negative=[a], topn=1)[0][0]


def test_by_hand_in_two_dimensions() -> None:
    # b - a + c = (0.8, 0.6): nearest of the others is d, then e
    vectors = toy({"a": (0, 1), "b": (0.8, 0.6), "c": (0, 2), "d": (0.9, 0.6), "e": (1, 0), "f": (-1, 0)})
    lines = ["a b c d", "a b c e", "a b c f", "a b c b"]
    questions = pg.score_analogies(vectors, lines).sections[0].questions
    assert [one.answer for one in questions] == ["d"] * 4
    assert [one.rank for one in questions] == [1, 2, 3, None]  # an input word is no answer, so it has no rank
    assert [one.correct for one in questions] == [True, False, False, False]


def test_of_equal_answers_the_more_frequent_wins() -> None:
    vectors = toy({"a": (0, 1), "b": (1, 1), "c": (0, 3), "near": (1, 1), "same": (2, 2)})
    first, second = pg.score_analogies(vectors, ["a b c near", "a b c same"]).sections[0].questions
    assert (first.answer, first.rank, first.correct) == ("near", 1, True)
    assert (second.answer, second.rank, second.correct) == ("near", 2, False)


def test_there_is_no_answer_among_the_inputs_alone() -> None:
    question = pg.score_analogies(toy({"a": (0, 1), "b": (1, 1)}), ["a b b a"]).sections[0].questions[0]
    assert (question.answer, question.rank, question.correct) == (None, None, False)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_words_without_a_direction_count_as_unknown(cases: Path, method: str) -> None:
    vectors = KeyedVectors.load_word2vec_format(str(cases / "q_zero_and_nan.txt"))
    lines = ["plum moss kite lamp", "plum void kite lamp", "plum moss kite bigv", "broken moss kite lamp"]
    questions = pg.score_analogies(vectors, lines, method=method).sections[0].questions
    assert [one.unknown for one in questions] == [(), ("void",), ("bigv",), ("broken",)]
    assert questions[0].answer in {"lamp", "harbor"}


def test_progress_is_told_and_can_stop_the_run(glove: KeyedVectors, part: Path) -> None:
    told: list[tuple[int, int]] = []
    score = pg.score_analogies(glove, part, restrict_vocab=5_000, progress=lambda *both: told.append(both))
    assert [total for _, total in told] == [score.total] * len(told)
    assert all(before < after for (before, _), (after, _) in pairwise(told))
    assert told[-1] == (score.total, score.total)

    class StoppedError(Exception):
        """What a view raises when its reader leaves."""

    def stop(done: int, total: int) -> None:
        raise StoppedError(done, total)

    with pytest.raises(StoppedError):
        pg.score_analogies(glove, restrict_vocab=1_000, progress=stop)


def test_nothing_can_be_asked_of_another_language(zh: KeyedVectors) -> None:
    score = pg.score_analogies(zh, restrict_vocab=1)
    assert (score.correct, score.total, score.skipped, score.accuracy) == (0, 0, 19_544, None)


def test_a_list_of_the_reader_may_come_from_anywhere(glove: KeyedVectors, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(b"\xef\xbb\xbf: first one\r\nman king woman queen\r\n\r\n:second\r\n paris  france\trome italy")
    score = pg.score_analogies(glove, str(path))
    assert [(one.name, one.correct, one.total) for one in score.sections] == [("first one", 1, 1), ("second", 1, 1)]
    assert score.title == "mine.txt" and score.sections[1].questions[0].line == 5


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["man king woman"], r"line 1 has 3 words instead of four \('man king woman'\)"),
        ([": a", "man king woman queen", "word"], "line 3 has 1 word instead of four"),
        (["a b c d e", ":", "one"], "line 1 has 5 words.*; line 2 begins a section and gives no name; line 3"),
        (["x " * 10_000], "line 1 has 10000 words instead of four"),
        (["x" * 10_000], "line 1 has 1 word"),
        ([], "holds no question"),
        (["", "   "], "holds no question"),
        ([": only a section"], "holds no question"),
    ],
)
def test_a_bad_list_is_refused_by_line(glove: KeyedVectors, lines: list[str], told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told) as caught:
        pg.score_analogies(glove, lines)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b": a\nman king woman qu\xffeen\n", "list.txt is not UTF-8 text: see line 2"),
        (b"\x1f\x8b\x08", "list.txt is not UTF-8 text: see line 1"),
        (b"the 0.1 0.2 0.3 0.4 0.5\n" * 1000, "line 1 has 6 words"),
        (b"x" * 1_000_000, "line 1 is longer than 10,000 bytes"),
        (b"", "list.txt holds no question"),
    ],
)
def test_a_file_of_another_kind_is_refused(glove: KeyedVectors, tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.score_analogies(glove, path)


@pytest.mark.parametrize("name", ["no such file.txt", "a\0b", "."])
def test_a_file_that_cannot_be_opened_is_named(glove: KeyedVectors, name: str) -> None:
    with pytest.raises(pg.PlaygroundError, match="cannot be opened"):
        pg.score_pairs(glove, name)


@pytest.mark.parametrize("limit", [0, -1, True, 2.5])
def test_the_vocabulary_limit_is_a_whole_number(glove: KeyedVectors, limit: object) -> None:
    for score in (pg.score_analogies, pg.score_pairs):
        with pytest.raises(pg.PlaygroundError, match="restrict_vocab must be a whole number of at least 1"):
            score(glove, restrict_vocab=limit)


def test_there_are_two_methods(glove: KeyedVectors) -> None:
    with pytest.raises(pg.PlaygroundError, match="3cosadd or 3cosmul, not 'pairdirection'"):
        pg.score_analogies(glove, method="pairdirection")


@pytest.mark.parametrize(("name", "file"), [(None, "wordsim353.tsv"), ("simlex999", "simlex999.txt")])
@pytest.mark.parametrize("limit", [None, 5_000])
def test_correlations_are_those_of_gensim(glove: KeyedVectors, name: str | None, file: str, limit: int | None) -> None:
    pearson, spearman, percent = glove.evaluate_word_pairs(datapath(file), restrict_vocab=limit)
    score = pg.score_pairs(glove, name, restrict_vocab=limit)
    assert score.pearson == pytest.approx(pearson[0], abs=1e-6)
    assert score.spearman == pytest.approx(spearman[0], abs=1e-4)
    assert score.oov_ratio == pytest.approx(percent / 100)
    assert (score.oov_ratio > 0.05) == (limit is not None)


def test_pairs_by_hand() -> None:
    vectors = toy({"a": (1, 0), "b": (1, 1), "c": (0, 2), "d": (-3, 0)})
    lines = ["# a comment", "a\tb\t9", "A c 4", "", "a\td\t1e0", "a\tzzz\t3"]
    score = pg.score_pairs(vectors, lines)
    assert [(one.line, one.words, one.human) for one in score.pairs] == [
        (2, ("a", "b"), 9.0),
        (3, ("A", "c"), 4.0),
        (5, ("a", "d"), 1.0),
        (6, ("a", "zzz"), 3.0),
    ]
    np.testing.assert_allclose([one.cosine for one in score.pairs[:3]], [np.sqrt(0.5), 0, -1], atol=1e-7)
    assert (score.pairs[3].cosine, score.pairs[3].unknown) == (None, ("zzz",))
    assert score.spearman == pytest.approx(1)  # both fall from pair to pair
    assert score.oov_ratio == 0.25


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("lines", [["a b 3"], ["zzz b 3", "a yyy 4"], ["a b 3", "b c 3"], ["a b 3", "A b 4"]])
def test_a_correlation_of_too_little_is_not_defined(lines: list[str]) -> None:
    score = pg.score_pairs(toy({"a": (1, 0), "b": (1, 1), "c": (0, 2)}), lines)
    assert (score.pearson, score.spearman) == (None, None)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["a b"], r"line 1 is not two words and a number \('a b'\)"),
        (["# title", "a\tb\t6,77"], "line 2 has '6,77' where the score should be"),
        (["a\tb\tnan"], "line 1 has 'nan' where"),
        (["a b 3", "a\t\t3", "a b c 3"], "line 2 is not two words and a number.*; line 3 is not"),
        (["# only", ""], "holds no pair"),
    ],
)
def test_bad_pairs_are_refused_by_line(glove: KeyedVectors, lines: list[str], told: str) -> None:
    with pytest.raises(pg.PlaygroundError, match=told):
        pg.score_pairs(glove, lines)
