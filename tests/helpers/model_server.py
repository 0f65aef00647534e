"""A real HTTP server on this machine that keeps small models, and can be made to misbehave as servers do."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Faults:
    """What the server does wrong from now on. `times`: only for so many requests of a file, then all is well."""

    times: int | None = None
    cut_after: int | None = None  # bytes of a body, then the connection ends
    cut_at: int | None = None  # a place in the file beyond which no answer gets
    status: int | None = None
    retry_after: str | None = None
    length: int | None = None  # added to the true Content-Length
    no_length: bool = False
    chunked: bool = False
    ignore_range: bool = False
    range_from: int | None = None  # where a 206 says it begins, and begins, whatever was asked
    pause: threading.Event | None = None  # after the first bytes, wait for it
    extra: bytes = b""  # after the file


@dataclass
class Server:
    """The files, by their path; what was asked, as (path, headers); and the faults."""

    files: dict[str, bytes] = field(default_factory=dict)
    etag: str = '"one"'
    faults: Faults = field(default_factory=Faults)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    address: str = ""

    def add(self, name: str, content: bytes, parts: int = 1, **facts: Any) -> None:
        """Put a model into the list, and its file, or the parts of it, beside it; `facts` go over the true ones."""
        size = -(-len(content) // parts)
        pieces = [content[start : start + size] for start in range(0, len(content), size)]
        sums = [hashlib.md5(piece).hexdigest() for piece in pieces]
        keys = ["checksum"] if parts == 1 else [f"checksum-{number}" for number in range(parts)]
        names = [f"{name}.gz"] if parts == 1 else [f"{name}.gz_{number:02d}" for number in range(parts)]
        listed = {
            "num_records": 4,
            "parameters": {"dimension": 3},
            "file_size": len(content),
            "base_dataset": "Four words for a test",
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "file_name": f"{name}.gz",
            "parts": parts,
            **dict(zip(keys, sums, strict=True)),
            **facts,
        }
        models = json.loads(self.files.get("/list.json", b'{"models": {}}'))["models"]
        self.files["/list.json"] = json.dumps({"models": models | {name: listed}}).encode()
        self.files |= {f"/{name}/{file}": piece for file, piece in zip(names, pieces, strict=True)}

    def ranges(self) -> list[str | None]:
        """Return the Range header of each request for a file, in their order."""
        return [headers.get("Range") for path, headers in self.asked if path != "/list.json"]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_HTTPServer"

    def do_GET(self) -> None:
        model = self.server.model
        model.asked.append((self.path, dict(self.headers)))
        faults = self._faults()
        content = model.files.get(self.path)
        self.close_connection = True
        if faults.status is not None or content is None:
            self.send_response(faults.status or 404)
            if faults.retry_after is not None:
                self.send_header("Retry-After", faults.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = self._start(len(content), faults)
        if start is not None and start >= len(content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if start is None:
            self.send_response(200)
        else:
            start = start if faults.range_from is None else faults.range_from
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        body = content[start or 0 :] + faults.extra
        self.send_header("ETag", model.etag)
        if faults.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif not faults.no_length:
            self.send_header("Content-Length", str(len(body) + (faults.length or 0)))
        self.end_headers()
        most = len(body)
        if faults.cut_after is not None:
            most = min(most, faults.cut_after)
        if faults.cut_at is not None:
            most = min(most, max(0, faults.cut_at - (start or 0)))
        self._send(body[:most], faults, whole=most == len(body))

    def _send(self, body: bytes, faults: Faults, whole: bool) -> None:
        first = 10 if faults.pause is not None else len(body)
        for piece in (body[:first], body[first:]):
            if piece:
                head = f"{len(piece):x}\r\n".encode() if faults.chunked else b""
                self.wfile.write(head + piece + (b"\r\n" if faults.chunked else b""))
                self.wfile.flush()
            if faults.pause is not None:
                faults.pause.wait(20)
        if faults.chunked and whole:
            self.wfile.write(b"0\r\n\r\n")

    def _faults(self) -> Faults:
        faults = self.server.model.faults
        if self.path == "/list.json":
            return faults if faults.times is None else Faults()
        if faults.times is None:
            return faults
        with self.server.counting:
            faults.times -= 1
            return faults if faults.times >= 0 else Faults()

    def _start(self, size: int, faults: Faults) -> int | None:
        """Return where the answer begins if the Range header is honoured."""
        asked = self.headers.get("Range", "")
        same = self.headers.get("If-Range", self.server.model.etag) == self.server.model.etag
        if faults.ignore_range or not same or not asked.startswith("bytes="):
            return None
        return int(asked.removeprefix("bytes=").rstrip("-"))

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


class _HTTPServer(ThreadingHTTPServer):
    model: Server
    counting: threading.Lock
    daemon_threads = True

    def handle_error(self, *arguments: Any) -> None:
        """Say nothing of a client that has left."""


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server on a free port until the block ends."""
    with _HTTPServer(("127.0.0.1", 0), _Handler) as running:
        running.model, running.counting = Server(), threading.Lock()
        running.model.address = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield running.model
        finally:
            if running.model.faults.pause is not None:
                running.model.faults.pause.set()
            running.shutdown()
            thread.join()
