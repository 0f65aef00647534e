"""Any length that fits the memory; what does not fit is refused before anything is allocated."""

import numpy as np
import pytest

import playground as pg
from playground.attention import memory


def rows(n: int, d: int) -> np.ndarray:
    """A matrix of n rows that takes the memory of one number."""
    return np.broadcast_to(np.float32(0), (n, d))


def test_attention_that_does_not_fit_says_what_it_needs() -> None:
    # 10 million queries and keys: 10¹⁴ pairs, 4 bytes each, for scores, scaled and weights
    x = rows(10_000_000, 2)
    with pytest.raises(pg.PlaygroundError, match=r"10,000,000 queries over 10,000,000 keys needs 1\.2 PB of memory"):
        pg.scaled_dot_product_attention(x, x, x)


def test_a_layer_refuses_before_it_projects() -> None:
    # 8 heads, 10¹² pairs, 4 bytes, 4 tables with a mask
    layer = pg.MultiHeadAttention.random(4, 8)
    mask = np.ones(1_000_000, dtype=bool)
    with pytest.raises(pg.PlaygroundError, match=r"\(8 times\) needs 128\.0 TB of memory, and .*: take fewer words"):
        layer(rows(1_000_000, 4), attn_mask=mask)


def test_a_computer_that_runs_out_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "physical_memory", lambda: None)  # a system that does not tell its size
    with (
        pytest.raises(pg.PlaygroundError, match=r"^A test needs 1,000\.0 PB of memory, more than"),
        memory.enough_memory(10**18, "A test", "take less"),
    ):
        np.empty(10**18, dtype=np.int8)


def test_a_length_that_fits_is_computed() -> None:
    x = np.ones((1500, 1), dtype=np.float32)
    np.testing.assert_allclose(pg.scaled_dot_product_attention(x, x, x).output, 1, rtol=1e-5)
