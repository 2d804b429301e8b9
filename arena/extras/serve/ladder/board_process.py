"""The process that computes the boards of the ladder, so that neither games nor pages wait for it.

    python -m arena.extras.serve.ladder.board_process CONTEST_FILE

The end of its standard input stops it.
"""

import contextlib
import sqlite3
import sys
import threading
import time
from pathlib import Path

from arena.errors import ArenaError
from arena.extras.serve.ladder.boards import Boards
from arena.extras.serve.server_input import watch_input
from arena.process.host import stop_signals_as_ctrl_c
from engine import EngineError

LOOK_S = 1.0
"""How often the process looks whether games were stored."""
REST = 3
"""The process rests for `REST` times as long as it has worked, so it takes a quarter of a core."""
MAX_REST_S = 60.0


def main() -> None:
    """Write boards until the standard input ends, or a signal comes."""
    ended = threading.Event()
    watch_input(ended.set)
    with contextlib.suppress(KeyboardInterrupt), stop_signals_as_ctrl_c():
        _update_until(ended, Boards(Path(sys.argv[1]), time.time))


def _update_until(ended: threading.Event, boards: Boards) -> None:
    said = ""
    while not ended.is_set():
        began = time.monotonic()
        try:
            has_worked, problem = boards.update(), ""
        except (ArenaError, EngineError, sqlite3.Error) as error:
            has_worked, problem = True, str(error)
        if problem and problem != said:
            print(f"cannot update the board: {problem}", file=sys.stderr, flush=True)
        said = problem
        worked = time.monotonic() - began
        ended.wait(max(LOOK_S, min(MAX_REST_S, REST * worked)) if has_worked else LOOK_S)


if __name__ == "__main__":
    main()
