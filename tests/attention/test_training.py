"""The loss, its gradients and the steps of training, on problems small enough to check."""

from dataclasses import replace

import numpy as np
import pytest

from playground.attention.lessons import IGNORED, REST, Batch, Lesson, batches, pack
from playground.attention.training import (
    Adam,
    Recipe,
    guessing_loss,
    looking_loss,
    schedule,
    teach_guessing,
    teach_looking,
)

SMALL = Recipe(d_k=6, epochs=40, rest_epochs=2, word_epochs=20, batch_words=80, rate=2e-2, rivals=8)


@pytest.fixture
def batch() -> Batch:
    """Two sentences, of three words and of one, for two heads."""
    long = Lesson(np.array([0, 1, 2]), np.array([[1, -1, 0], [-1, 0, 1]]))
    short = Lesson(np.array([3]), np.array([[-1], [0]]))
    return pack([long, short], filler=4)


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def slope(function, array: np.ndarray) -> np.ndarray:
    """The gradient of `function()` by `array`, from small changes of one number at a time."""
    gradient = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + 1e-6
        above = function()
        array[index] = kept - 1e-6
        below = function()
        array[index] = kept
        gradient[index] = (above - below) / 2e-6
    return gradient


def test_a_batch_puts_start_first_and_pads(batch: Batch) -> None:
    assert batch.rows.tolist() == [[0, 1, 2], [3, 4, 4]]
    assert batch.filled.tolist() == [[True, True, True, True], [True, True, False, False]]
    assert batch.targets[0].tolist() == [[IGNORED, 2, REST, 1], [IGNORED, REST, 1, 2]]
    assert batch.targets[1].tolist() == [[IGNORED, REST, IGNORED, IGNORED], [IGNORED, 1, IGNORED, IGNORED]]


def test_batches_hold_each_sentence_once_and_few_padded_words() -> None:
    lengths = [1, 7, 3, 3, 9, 2, 5, 4]
    lessons = [Lesson(np.full(n, number), np.full((1, n), -1)) for number, n in enumerate(lengths)]
    packed = batches(lessons, 99, 12, np.random.default_rng(0))
    held = sorted(int(row[0]) for one in packed for row in one.rows)
    assert held == list(range(8))
    assert all(one.rows.size <= 12 for one in packed)
    assert sum(int((one.rows != 99).sum()) for one in packed) == sum(lengths)


def test_the_loss_of_heads_that_look_everywhere_alike_is_the_log_of_the_choices(batch: Batch) -> None:
    x, w_k = numbers(2, 4, 5), numbers(2, 5, 3)
    loss, _ = looking_loss(x, batch, np.zeros((2, 5, 3)), w_k, rest_weight=0.5)
    # Head 1 looks twice among 4 rows; it rests once among 4 and once among 2. Head 2: looks among 4, 4, 2; rests in 4.
    expected = np.log(4) + 0.5 * (np.log(4) + np.log(2)) / 2 + (2 * np.log(4) + np.log(2)) / 3 + 0.5 * np.log(4)
    assert loss == pytest.approx(expected)


@pytest.mark.parametrize("rest_weight", [0.0, 0.3])
@pytest.mark.parametrize("name", ["x", "w_q", "w_k"])
def test_the_gradients_of_looking_are_the_slopes_of_the_loss(batch: Batch, name: str, rest_weight: float) -> None:
    arrays = {"x": numbers(2, 4, 5, seed=1), "w_q": numbers(2, 5, 3, seed=2), "w_k": numbers(2, 5, 3, seed=3)}

    def loss() -> float:
        return looking_loss(arrays["x"], batch, arrays["w_q"], arrays["w_k"], rest_weight)[0]

    _, gradients = looking_loss(arrays["x"], batch, arrays["w_q"], arrays["w_k"], rest_weight)
    assert np.abs(gradients[name]).max() > 1e-3
    np.testing.assert_allclose(gradients[name], slope(loss, arrays[name]), atol=1e-7)


@pytest.mark.parametrize("name", ["w_v", "w_o"])
def test_the_gradients_of_guessing_are_the_slopes_of_the_loss(name: str) -> None:
    mixed, table = numbers(4, 2, 5, seed=1), numbers(9, 5, seed=2)
    truth, rivals = np.array([1, 2, 2, 3]), np.array([2, 4, 4, 7])  # a rival that is the truth does not count
    arrays = {"w_v": numbers(2, 5, 3, seed=3), "w_o": numbers(6, 5, seed=4)}

    def loss() -> float:
        return guessing_loss(mixed, arrays["w_v"], arrays["w_o"], table, truth, rivals)[0]

    _, gradients = guessing_loss(mixed, arrays["w_v"], arrays["w_o"], table, truth, rivals)
    assert np.abs(gradients[name]).max() > 1e-3
    np.testing.assert_allclose(gradients[name], slope(loss, arrays[name]), atol=1e-7)


def test_an_output_of_zeros_guesses_no_better_than_chance() -> None:
    mixed, table = numbers(3, 2, 5), numbers(9, 5)
    loss, _ = guessing_loss(mixed, numbers(2, 5, 3), np.zeros((6, 5)), table, np.array([0, 1, 2]), np.arange(3, 9))
    assert loss == pytest.approx(np.log(7))


def test_the_first_step_of_adam_is_the_rate_against_the_sign_of_the_gradient() -> None:
    parameters = {"w": np.array([1.0, 1.0, 1.0])}
    Adam().step(parameters, {"w": np.array([3.0, -0.01, 0.0])}, rate=0.1)
    np.testing.assert_allclose(parameters["w"], [0.9, 1.1, 1.0], atol=1e-6)


def test_decay_shrinks_what_is_not_spared() -> None:
    parameters = {"w": np.array([2.0]), "start": np.array([2.0])}
    zero = {"w": np.zeros(1), "start": np.zeros(1)}
    Adam(decay=0.5, undecayed=("start",)).step(parameters, zero, rate=0.1)
    assert parameters["w"] == pytest.approx(1.9)
    assert parameters["start"] == pytest.approx(2.0)


def test_the_rate_rises_to_its_peak_and_falls_to_nothing() -> None:
    assert schedule(0.0) < 0.05
    assert schedule(0.03) == pytest.approx(1.0)
    assert schedule(0.515) == pytest.approx(0.5)
    assert schedule(1.0) == pytest.approx(0.0)


@pytest.fixture(scope="module")
def problem() -> tuple[list[Lesson], np.ndarray]:
    """Random words; head 1 is to look at the previous word, head 2 from word 0 to word 1, wherever it stands."""
    generator = np.random.default_rng(5)
    table = np.concatenate([generator.standard_normal((30, 20)), np.zeros((1, 20))]).astype(np.float32)
    lessons = []
    for _ in range(320):
        n = int(generator.integers(3, 8))
        rows = generator.permutation(30)[:n]
        rows[generator.permutation(n)[:2]] = [0, 1]
        from_0 = np.where(rows == 0, int(np.flatnonzero(rows == 1)[0]), -1)
        lessons.append(Lesson(rows, np.stack([np.arange(n) - 1, from_0])))
    return lessons, table


def silence(done: float, loss: float) -> None:
    pass


def test_heads_learn_to_look_and_to_rest(problem: tuple[list[Lesson], np.ndarray]) -> None:
    from playground.attention.learned import add_start_and_positions, resting, strongest_looks
    from playground.attention.multihead import MultiHeadAttention

    lessons, table = problem
    seen: list[tuple[float, float]] = []
    learnt = teach_looking(lessons[:300], table, SMALL, lambda done, loss: seen.append((done, loss)))
    learnt |= teach_guessing(lessons[:300], table, learnt, replace(SMALL, word_epochs=1), silence)
    layer = MultiHeadAttention(learnt["w_q"], learnt["w_k"], learnt["w_v"], learnt["w_o"])
    right, rested = [], []
    for lesson in lessons[300:]:  # sentences that it has not seen
        x = add_start_and_positions(table[lesson.rows], learnt["start"], SMALL.position_scale)
        weights = layer(x).weights
        bears = lesson.targets >= 0
        right.append((strongest_looks(weights) == lesson.targets)[bears])
        rested.append(resting(weights)[~bears])
    assert np.concatenate(right).mean() > 0.75
    assert np.concatenate(rested).mean() > 0.6
    assert seen[0][1] > 2 * seen[len(seen) // 2][1]
    assert seen[-1][0] == 1
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_the_same_seed_gives_the_same_weights_to_the_bit(problem: tuple[list[Lesson], np.ndarray]) -> None:
    from threadpoolctl import threadpool_limits

    lessons, table = problem
    short = replace(SMALL, epochs=2, rest_epochs=1, word_epochs=2)

    def teach(seed: int) -> dict[str, bytes]:
        recipe = replace(short, seed=seed)
        learnt = teach_looking(lessons, table, recipe, silence)
        learnt |= teach_guessing(lessons, table, learnt, recipe, silence)
        return {name: array.tobytes() for name, array in learnt.items()}

    with threadpool_limits(1):
        first, again, other = teach(0), teach(0), teach(1)
    assert first == again
    assert all(first[name] != other[name] for name in first)


def test_values_learn_to_guess_hidden_words() -> None:
    generator = np.random.default_rng(3)
    table = np.concatenate([2 * generator.standard_normal((12, 20)), np.zeros((1, 20))]).astype(np.float32)
    lessons = []
    for _ in range(150):  # word 2k is always followed by word 2k + 1
        pair = 2 * int(generator.integers(6))
        lessons.append(Lesson(np.array([pair, pair + 1]), np.array([[-1, 0], [1, -1]])))
    losses: list[float] = []
    learnt = teach_looking(lessons, table, SMALL, silence)
    teach_guessing(lessons, table, learnt, replace(SMALL, hidden_share=0.4), lambda done, loss: losses.append(loss))
    assert np.mean(losses[-5:]) < 0.5 * np.mean(losses[:5])
