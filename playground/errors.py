"""The one kind of error that is meant for the user."""


class PlaygroundError(ValueError):
    """Something the user gave cannot be used; the message says what, where and what to do instead."""


class UnknownWordError(PlaygroundError):
    """A word that the loaded vectors do not hold.

    `text` is the word as it was typed, `suggestions` are vocabulary words of near spelling.
    """

    def __init__(self, text: str, suggestions: tuple[str, ...] = ()) -> None:
        self.text = text
        self.suggestions = suggestions
        near = f" Near spellings: {', '.join(suggestions)}." if suggestions else ""
        super().__init__(f"I do not know {shorten(text)!r}: these vectors do not hold it.{near}")


class DownloadError(PlaygroundError):
    """Something could not be fetched; the message says why, and what is left of it."""


class DownloadCancelledError(DownloadError):
    """A download was stopped on request; what had come is kept."""


def shorten(text: str, limit: int = 60) -> str:
    """Return `text`, cut to `limit` characters, so that a message stays one readable sentence."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
