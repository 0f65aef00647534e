"""Numbers as people read them, never rounded to a lie."""

import math


def decimals(value: float, digits: int = 3) -> str:
    """Return `value` with `digits` decimals, or more where rounding would claim an exact -1, 0 or 1.

    0.9996 is not 1.000 and 0.0004 is not 0.000: such values get the digits that tell them apart.
    """
    rounded = f"{value:.{digits}f}"
    if float(rounded) in (-1.0, 0.0, 1.0) and float(rounded) != value:
        for more in range(digits + 1, 8):
            longer = f"{value:.{more}f}"
            if float(longer) not in (-1.0, 0.0, 1.0):
                return longer.replace("-", "−")
        if abs(value) < 0.5:
            return f"{value:.0e}".replace("-", "−")
        if abs(value) < 1:
            return "0.9999999" if value > 0 else "−0.9999999"
    return rounded.replace("-", "−") if float(rounded) != 0 else rounded.lstrip("-")


def cell(value: float) -> str:
    """Return a number short enough for a cell: two decimals; a bare 0 or 1 means exactly that.

    0.00 is a small number that is not zero; a number near 1 keeps the digits that tell it from 1, or is "≈1".
    """
    if not math.isfinite(value):
        return "–"
    if value in (-1.0, 0.0, 1.0):
        return f"{value:.0f}".replace("-", "−")
    if abs(value) < 0.005:
        return "0.00"
    if abs(value) >= 100:
        return f"{value:.0f}".replace("-", "−")
    text = decimals(value, 1 if abs(value) >= 10 else 2)
    return text if len(text) <= 7 else f"≈{value:.0f}".replace("-", "−")


def percent(share: float) -> str:
    """Return a share in [0, 1] as whole per cent; "under 1 %" is not zero, and "99.8 %" not all."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.995 <= share < 1:
        return f"{math.floor(1000 * share) / 10:.1f} %"
    return f"{100 * share:.0f} %"
