"""The running app and a real browser."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model_server import Server, serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def model_server() -> Iterator[Server]:
    """The server that the app fetches models from."""
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """The folder in which the app keeps what it fetches and converts."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def address(tmp_path_factory, model_server: Server, home: Path) -> Iterator[str]:
    """Start `playground` on a free port and return its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("app") / "log"
    command = [sys.executable, "-m", "playground", "--port", str(port), "--no-browser"]
    environment = {**os.environ, "PLAYGROUND_HOME": str(home), "PLAYGROUND_MODELS_URL": model_server.address}
    with (
        log.open("w") as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment) as server,
    ):
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    assert server.poll() is None, log.read_text()
                    time.sleep(0.1)
            else:
                pytest.fail(f"The app did not answer: {log.read_text()}")
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            server.wait(20)
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def browser(skip_without: Callable[[str, str], None]):
    """Return a new browser."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        skip_without("browser", "no Chromium found: install it, or name it in CHROMIUM")
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        skip_without("browser", "playwright is not installed")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """Return a page; fails at the end if it asked another host for anything."""
    elsewhere: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.on("request", lambda request: elsewhere.append(request.url) if _is_remote(request.url) else None)
    yield opened
    context.close()
    assert elsewhere == []


def _is_remote(url: str) -> bool:
    return not re.match(r"(https?|wss?)://localhost[:/]|data:|blob:", url)
