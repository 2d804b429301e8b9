"""The process that plays the ladder of a contest, and its final.

    python -m arena.extras.serve.ladder.ladder_process CONTEST_FILE [WORKERS]

A line on its standard input tells it that there may be news. The end of the input stops it.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

from arena.extras.serve.ladder.interrupts import NEWS_SIGNAL, Interrupts
from arena.extras.serve.ladder.ladder import Ladder
from arena.extras.serve.ladder.news import News
from arena.extras.serve.server_input import watch_input

LOOK_S = 1.0
"""How often the process looks for new versions, and whether the final is due."""


def main() -> None:
    """Play until the standard input ends."""
    interrupts = Interrupts()
    with contextlib.suppress(KeyboardInterrupt), interrupts.listening():
        contest_file, *workers = sys.argv[1:]
        news = News(Path(contest_file))
        watch_input(lambda: _tell(signal.SIGTERM), lambda: _tell(NEWS_SIGNAL))
        threading.Thread(target=_watch, args=[news, interrupts], daemon=True).start()
        ladder = Ladder(Path(contest_file), int(workers[0]) if workers else None, interrupts)
        ladder.play_until_stopped()


def _watch(news: News, interrupts: Interrupts) -> None:
    """Tell the main thread of news, again and again until it takes the news."""
    while True:
        time.sleep(LOOK_S)
        if news.has_come() or interrupts.has_news:
            _tell(NEWS_SIGNAL)


def _tell(number: signal.Signals) -> None:
    """Send this process a signal, which its main thread handles."""
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()
