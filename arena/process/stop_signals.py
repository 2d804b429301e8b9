"""Signals that stop a process as Ctrl-C does."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

STOP_SIGNALS = ("SIGTERM", "SIGHUP")
"""Signals of a system that shuts down, and of a closed terminal."""


@contextmanager
def stop_signals_as_ctrl_c() -> Iterator[None]:
    """Raise `KeyboardInterrupt` inside this context when a signal of `STOP_SIGNALS` comes.

    A signal that is ignored stays ignored, as SIGHUP is under `nohup`.
    """
    former = {}
    for number in [getattr(signal, name) for name in STOP_SIGNALS if hasattr(signal, name)]:
        if signal.getsignal(number) is not signal.SIG_IGN:
            former[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
