"""One HTTP request; what goes wrong with it becomes one sentence."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import requests

CONNECT_TIMEOUT, READ_TIMEOUT = 10, 30  # seconds
BUSY = (429, 500, 502, 503, 504)


class WebError(Exception):
    """A request that failed; its text is a sentence without the full stop.

    `again`: the same request may well succeed a little later, after `pause` seconds if the server names a time.
    `offline`: no server was reached at all. `missing`: the server does not have the file.
    """

    def __init__(
        self,
        sentence: str,
        again: bool = False,
        pause: float | None = None,
        offline: bool = False,
        missing: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.again = again
        self.pause = pause
        self.offline = offline
        self.missing = missing


@contextmanager
def get(address: str, headers: Mapping[str, str] | None = None) -> "Iterator[requests.Response]":
    """Give the response to a GET of `address`, to be read inside the `with`: status 200, 206 or 416.

    The body comes as the server has it, not unpacked: read `response.raw`. Raises `WebError`, also for what
    goes wrong while it is read.
    """
    import requests
    import urllib3

    host = urlsplit(address).hostname or address
    sent = {"User-Agent": "playground", "Accept-Encoding": "identity", **(headers or {})}
    try:
        with requests.Session() as session:
            session.auth = lambda request: request  # or a password in the user's .netrc would be sent
            with session.get(address, headers=sent, stream=True, timeout=(CONNECT_TIMEOUT, READ_TIMEOUT)) as response:
                if address.startswith("https:") and not response.url.startswith("https:"):
                    raise WebError(f"{host} leads to an address without encryption, which is not followed")
                _check(response, host, address)
                yield response
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _told(error, host) from None


def _check(response: "requests.Response", host: str, address: str) -> None:
    status = response.status_code
    if status in (200, 206, 416):
        return
    said = f"{status} {response.reason or ''}".strip()
    if status in (404, 410):
        raise WebError(f"{host} does not have the file {address.rpartition('/')[2]} ({said})", missing=True)
    pause = _seconds(response.headers.get("Retry-After", ""))
    raise WebError(f"{host} answers {said}", again=status in BUSY, pause=pause)


def _seconds(retry_after: str) -> float | None:
    """Return the pause that a Retry-After header asks for: seconds, or a date."""
    if re.fullmatch(r"\d{1,9}", retry_after.strip()):
        return float(retry_after)
    try:
        when = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (when.astimezone(UTC) - datetime.now(UTC)).total_seconds())


def _told(error: Exception, host: str) -> WebError:
    """Return the failure as one of ours: the kinds of `requests` for the answer's head, of urllib3 for its body."""
    from requests import exceptions as head
    from urllib3 import exceptions as body

    reason = _innermost(error)
    if isinstance(error, (head.SSLError, body.SSLError)):
        return WebError(
            f"The secure connection to {host} cannot be made ({reason}): look at this machine's clock, "
            "and whether the network has a proxy of its own"
        )
    if isinstance(error, (head.ReadTimeout, body.ReadTimeoutError)):
        return WebError(f"{host} has sent nothing for {READ_TIMEOUT} seconds", again=True)
    if isinstance(error, head.ProxyError):
        return WebError(f"The proxy on the way to {host} cannot be used ({reason})", again=True, offline=True)
    if isinstance(error, head.ConnectTimeout):
        return WebError(f"{host} cannot be reached (no answer in {CONNECT_TIMEOUT} seconds)", again=True, offline=True)
    cause = error.args[0] if error.args else None
    if isinstance(error, head.ConnectionError) and isinstance(cause, body.MaxRetryError):
        return WebError(f"{host} cannot be reached ({reason})", again=True, offline=True)
    if isinstance(error, (head.ConnectionError, head.ChunkedEncodingError, body.ProtocolError)):
        return WebError(f"The connection to {host} was cut", again=True)
    return WebError(f"{host} cannot be asked ({reason})")


def _innermost(error: BaseException) -> str:
    """Return what lies at the bottom of an error of requests, which wraps urllib3's, which wraps the system's."""
    while True:
        inner = getattr(error, "reason", None) or (error.args[0] if error.args else None) or error.__cause__
        if not isinstance(inner, BaseException):
            break
        error = inner
    cause = error.__cause__ or error.__context__
    text = getattr(cause, "strerror", None) or getattr(error, "strerror", None) or str(error)
    return " ".join(text.split()).rstrip(".")[:120] or type(error).__name__
