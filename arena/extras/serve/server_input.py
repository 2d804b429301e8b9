"""The standard input of a child process, by which the server wakes it and stops it."""

import os
import threading
from collections.abc import Callable

PART_BYTES = 1024


def watch_input(on_end: Callable[[], object], on_wake: Callable[[], object] | None = None) -> None:
    """Watch the standard input in a thread.

    Args:
        on_end: called when the input ends, which happens when the server is gone.
        on_wake: called when the server writes.
    """

    def watch() -> None:
        while os.read(0, PART_BYTES):
            if on_wake:
                on_wake()
        on_end()

    threading.Thread(target=watch, daemon=True).start()
