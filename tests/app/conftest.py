"""Views under Streamlit's own test runner."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import playground.app

MAIN = Path(playground.app.__file__).with_name("main.py")


@pytest.fixture
def open_view() -> Callable[..., AppTest]:
    """Return a function that opens a view with query parameters and asserts that it shows no exception."""

    def opened(view: str, **parameters: str) -> AppTest:
        at = AppTest.from_file(str(MAIN), default_timeout=120)
        for name, value in parameters.items():
            at.query_params[name] = value
        if view != "analogies":
            # the router must have run once before a page can be chosen; a cheap view is enough
            at.run()
            at.switch_page(f"views/{view}.py")
        at.run()
        assert not at.exception
        return at

    return opened


@pytest.fixture
def said() -> Callable[[AppTest], str]:
    """Return a function that gives all plain text of a page."""
    return lambda at: "\n".join(text.value for text in at.text)
