"""Start the app's local server."""

import asyncio
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError

ADDRESS = "localhost"
PORTS_TRIED = 50

LIGHT = {
    "primaryColor": "#0b6bcb",
    "backgroundColor": "#ffffff",
    "secondaryBackgroundColor": "#f3f5f8",
    "textColor": "#1c2733",
    "borderColor": "#d5dbe3",
    "linkColor": "#0b6bcb",
}
DARK = {
    "primaryColor": "#5aa9f0",
    "backgroundColor": "#12171d",
    "secondaryBackgroundColor": "#1b222b",
    "textColor": "#e6ebf1",
    "borderColor": "#38424e",
    "linkColor": "#7cbcf5",
}


def config(port: int) -> dict[str, Any]:
    """Return the Streamlit settings of the app: local only, nothing sent anywhere."""
    themes = {f"theme.light.{name}": value for name, value in LIGHT.items()}
    themes |= {f"theme.dark.{name}": value for name, value in DARK.items()}
    return {
        "server.address": ADDRESS,
        "server.port": port,
        "server.allowedHosts": ["localhost", "127.0.0.1"],
        "server.headless": True,  # the browser is opened here, when the server answers
        "server.enableXsrfProtection": True,
        "server.maxUploadSize": 1000,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "logger.hideWelcomeMessage": True,
        "runner.magicEnabled": False,
        "client.toolbarMode": "viewer",
        "client.showErrorDetails": "none",
        # a view's inputs have a default and are also filled by its "Try next" chips: both on purpose
        "global.disableWidgetStateDuplicationWarning": True,
        **themes,
    }


def launch(port: int = 8501, browser: bool = True) -> int:
    """Serve the app until it is stopped; return the exit code.

    A busy port gives way to the next free one. Raises `PlaygroundError` if none is free.
    """
    import streamlit as st

    free = free_port(port)
    if free != port:
        print(f"Port {port} is busy; taking {free}.")
    url = f"http://{ADDRESS}:{free}"

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        threading.Thread(target=_warm, daemon=True).start()
        opened = asyncio.get_running_loop().call_later(0.3, _announce, url, browser)
        yield
        opened.cancel()

    # App.run takes sys.argv[0] for the path of a script and the rest for the script's arguments
    sys.argv = [str(Path(__file__).with_name("main.py"))]
    app = st.App(Path(__file__).with_name("main.py"), lifespan=lifespan)
    with suppress(KeyboardInterrupt):
        app.run(config=config(free))
    return 0


def free_port(first: int) -> int:
    """Return `first` or the next port on which nothing listens."""
    if not 1 <= first <= 65_535:
        raise PlaygroundError(f"A port is a number from 1 to 65535, not {first}.")
    last = min(first + PORTS_TRIED, 65_536)
    for port in range(first, last):
        if _can_listen(port):
            return port
    raise PlaygroundError(f"No port from {first} to {last - 1} is free: give another with --port.")


def _can_listen(port: int) -> bool:
    """Tell whether the port is free on every address of localhost: IPv4, and IPv6 where there is one."""
    for family, kind, protocol, _, address in socket.getaddrinfo(ADDRESS, port, type=socket.SOCK_STREAM):
        with socket.socket(family, kind, protocol) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if family == socket.AF_INET6 and error.errno not in (48, 98, 10048):
                    continue  # a machine that names ::1 but has no IPv6
                return False
    return True


def _announce(url: str, browser: bool) -> None:
    print(f"The playground is open at {url} (Ctrl-C stops it).", flush=True)
    if browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _warm() -> None:
    """Import what every visitor needs while the browser is still opening."""
    import altair  # noqa: F401
    import sklearn.decomposition  # noqa: F401

    import playground.words.store  # noqa: F401
