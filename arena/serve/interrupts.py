"""Interrupts of the main thread: for news, while it allows them, and to stop, at any time."""

import contextlib
import signal
import time
from collections.abc import Iterator
from types import FrameType

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
NEWS_SIGNAL = signal.SIGUSR1
TICK_S = 0.2


class Interrupts:
    """Raises `KeyboardInterrupt` in the main thread, as Ctrl-C does.

    Other threads send this process the signals. Python handles them in the main thread, so nothing
    here is changed by two threads.
    """

    def __init__(self) -> None:
        self.must_stop = False
        self._has_news = False
        self._is_allowed = False

    def listen(self) -> None:
        """Handle the signals from now on."""
        for one in STOP_SIGNALS:
            signal.signal(one, self._stop)
        signal.signal(NEWS_SIGNAL, self._tell_news)

    def take_news(self) -> bool:
        """Return whether there has been news since the last call."""
        has_news, self._has_news = self._has_news, False
        return has_news

    @contextlib.contextmanager
    def allowed(self) -> Iterator[None]:
        """Let news interrupt this context: also such as came before it.

        Raises:
            KeyboardInterrupt: there is news, or the process has to stop.
        """
        self._is_allowed = True
        try:
            if self.must_stop or self._has_news:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_allowed = False

    def wait(self, seconds: float | None) -> None:
        """Wait until there is news, the process has to stop, or the time is over."""
        end = None if seconds is None else time.monotonic() + seconds
        with contextlib.suppress(KeyboardInterrupt), self.allowed():
            while end is None or time.monotonic() < end:
                time.sleep(TICK_S if end is None else min(TICK_S, max(0, end - time.monotonic())))

    def _stop(self, _: int, __: FrameType | None) -> None:
        is_first, self.must_stop = not self.must_stop, True
        if is_first:  # a second one would disturb what the first one ends
            raise KeyboardInterrupt

    def _tell_news(self, _: int, __: FrameType | None) -> None:
        self._has_news = True
        if self._is_allowed:
            raise KeyboardInterrupt
