"""The ladder beside the pages: the process that plays it, and the one that computes its boards."""

import sys
from collections.abc import Callable
from pathlib import Path

from arena.serve.background import Child


class LadderProcesses:
    """Both processes. They look for new versions themselves; `wake` has them look at once."""

    def __init__(
        self, contest_file: Path, workers: int | None, say: Callable[[str], object]
    ) -> None:
        """Take the contest, and the number of workers, None for that of the contest.

        `say` is called with a line when a process fails.
        """
        file = str(contest_file.absolute())
        options = [] if workers is None else [str(workers)]
        self.player = Child("ladder", [*_program("ladder.ladder"), file, *options], say)
        self.boards = Child("board", [*_program("ladder.boards"), file], say)

    def start(self) -> None:
        """Start both."""
        self.player.start()
        self.boards.start()

    def wake(self) -> None:
        """Have the ladder look whether there is something new to play."""
        self.player.wake()

    def stop(self) -> None:
        """Stop both. Games that are over are stored."""
        self.player.stop()
        self.boards.stop()


def _program(module: str) -> list[str]:
    return [sys.executable, "-P", "-m", f"arena.serve.{module}"]
