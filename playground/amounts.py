"""Bytes and seconds in words, for tables and messages."""


def size(count: int) -> str:
    """Return a number of bytes with a unit: 512 → "512 bytes", 109,885,004 → "109.9 MB" (1 MB is 1,000,000 bytes)."""
    if count < 1000:
        return f"{count} {'byte' if count == 1 else 'bytes'}"
    value, units = count / 1000, ["kB", "MB", "GB", "TB", "PB"]
    while round(value, 1) >= 1000 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return f"{value:,.1f} {units[0]}"


def duration(seconds: float) -> str:
    """Return a time in words: 3.2 → "4 s", 75 → "1 min 15 s", 8000 → "2 h 14 min"; rounded up, as it is waited for."""
    whole = -int(-seconds // 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = -(-whole // 60)
    return f"{minutes // 60} h {minutes % 60} min"
