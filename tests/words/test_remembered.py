"""What is made from a model is made once, and does not keep the model alive."""

import gc
import threading
import time
import weakref

import numpy as np
from gensim.models import KeyedVectors

import playground as pg
from playground.words.remembered import remembered
from playground.words.store import keyed_vectors


def small() -> KeyedVectors:
    rows = np.random.default_rng(0).standard_normal((40, 12)).astype(np.float32)
    return keyed_vectors(["King", "king", *(f"word{number}" for number in range(38))], rows)


def test_a_table_is_made_once_for_each_model_and_argument() -> None:
    made = []

    @remembered
    def table(vectors: KeyedVectors, number: int) -> list[int]:
        made.append(number)
        return [number] * len(vectors)

    first, second = small(), small()
    assert table(first, 1) is table(first, 1)
    assert table(first, 2) == [2] * 40
    assert table(second, 1) is not table(first, 1)
    assert made == [1, 2, 1]


def test_a_table_is_renewed_when_words_are_added() -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(["king", "man"], np.float32([[1, 0], [0, 1]]))
    assert [one.word for one in pg.neighbors(vectors, "king")] == ["man"]
    assert pg.lookup(vectors, "king").twins == ()
    vectors.add_vectors(["KING"], np.float32([[1, 1]]))
    vectors.fill_norms(force=True)
    assert pg.lookup(vectors, "king").twins == ("KING",)


def test_only_the_last_few_tables_of_a_model_are_kept() -> None:
    @remembered
    def table(vectors: KeyedVectors, number: int) -> object:
        return object()

    vectors = small()
    first = table(vectors, 0)
    others = [table(vectors, number) for number in range(1, 5)]
    assert [table(vectors, number) for number in range(1, 5)] == others
    assert table(vectors, 0) is not first


def test_a_model_that_nobody_holds_is_freed_with_all_that_was_made_from_it() -> None:
    vectors = small()
    pg.neighbors(vectors, "king", exclude_forms=True)
    pg.lookup(vectors, "kingg")
    space = weakref.ref(pg.contextualize(vectors, ["king", "word1", "word2"], 0).space)
    model = weakref.ref(vectors)
    assert space() is not None  # it is remembered
    del vectors
    gc.collect()
    assert model() is None
    assert space() is None


def test_threads_wait_for_one_table_instead_of_making_several() -> None:
    made = []

    @remembered
    def table(vectors: KeyedVectors) -> list[int]:
        made.append(1)
        time.sleep(0.05)
        return made

    vectors, found = small(), []
    threads = [threading.Thread(target=lambda: found.append(table(vectors))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1] and len(found) == 8


def test_what_fails_is_tried_again() -> None:
    calls = []

    @remembered
    def table(vectors: KeyedVectors) -> int:
        calls.append(1)
        return 6 // (len(calls) - 1)

    vectors = small()
    for _ in range(2):
        try:
            found = table(vectors)
        except ZeroDivisionError:
            continue
    assert found == 6
