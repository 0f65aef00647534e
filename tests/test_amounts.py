"""Bytes and seconds in words."""

import pytest

from playground.amounts import duration, size


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (3_145_728, "3.1 MB"),
        (999_990_000, "1.0 GB"),
        (4_000_000_000_000_000_000, "4,000.0 PB"),
    ],
)
def test_sizes_are_in_powers_of_a_thousand(count: int, shown: str) -> None:
    assert size(count) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.2, "1 s"),
        (59.5, "1 min 0 s"),
        (75, "1 min 15 s"),
        (3600, "1 h 0 min"),
        (7199, "2 h 0 min"),
        (8000, "2 h 14 min"),
    ],
)
def test_a_time_to_wait_is_rounded_up(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown
