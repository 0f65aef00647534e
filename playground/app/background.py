"""Work that takes longer than a reader should wait with nothing to see."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


def in_background(work: Callable[[], Result]) -> "Future[Result]":
    """Start `work` in a thread that does not keep the server from ending; return its result to come."""
    job: Future[Result] = Future()

    def run() -> None:
        try:
            job.set_result(work())
        except BaseException as error:  # raised again where the result is asked for
            job.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return job
