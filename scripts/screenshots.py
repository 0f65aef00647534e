"""Make the README's pictures: start the app, open its views in Chromium, keep what is seen.

Needs the test extra (playwright) and a Chromium: `python3 scripts/test.py --version` installs the first.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHOTS = {
    "analogies": "/",
    "attention": "/attention?sentence=the+bank+of+the+river&sentence_query=2",
    "map": "/word_map",
    "models": "/models",
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def main() -> int:
    """Write one picture for each view; return the exit code."""
    parser = argparse.ArgumentParser(description="Make the pictures of the README.")
    parser.add_argument("--out", type=Path, default=ROOT / ".github", help="folder of the pictures")
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--dark", action="store_true")
    arguments = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("No Chromium found: install it, or name it in CHROMIUM.", file=sys.stderr)
        return 2
    arguments.out.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "playground", "--port", str(port), "--no-browser"]
    with (
        tempfile.TemporaryDirectory() as home,  # none of this user's own files in a picture
        subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, env=os.environ | {"PLAYGROUND_HOME": home}
        ) as server,
    ):
        try:
            _wait(f"http://localhost:{port}/_stcore/health")
            _shoot(chromium, f"http://localhost:{port}", arguments)
        finally:
            server.terminate()
    return 0


def _wait(url: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The app did not start.")


def _shoot(chromium: str, address: str, arguments: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(
            viewport={"width": arguments.width, "height": arguments.height},
            color_scheme="dark" if arguments.dark else "light",
        )
        for name, path in SHOTS.items():
            page.goto(address + path)
            page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
            drawn = "stDataFrame" if name == "models" else "stVegaLiteChart"  # that page's picture is a table
            page.wait_for_selector(f'[data-testid="{drawn}"] svg, [data-testid="{drawn}"] canvas')
            page.wait_for_timeout(1500)  # the picture is drawn after the page says that it is ready
            page.screenshot(path=arguments.out / f"{name}.png")
            print(f"wrote {arguments.out / name}.png")
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
