"""What bots wrote to stderr on Dask workers, collected in the folder of the run."""

from collections.abc import Mapping
from pathlib import Path

from arena.tournament.bot_logs import LogWriter

MAX_FILES = 16
"""Files of a bot, each with the latest lines of some of the workers, so that 200 take no more."""


class CollectedLogs:
    """Stores the logs of workers, so that `arena logs` finds them as those of a local run."""

    def __init__(self, folder: str) -> None:
        """Store in `folder`. If it is empty, nothing is stored."""
        self._folder = folder
        self._files: dict[str, int] = {}

    def add(self, address: str, logs: Mapping[str, str]) -> None:
        """Store what the worker with this address has sent, by bot."""
        if not logs or not self._folder:
            return
        file = self._files.setdefault(address, len(self._files) % MAX_FILES)
        with LogWriter(Path(self._folder), file) as writer:
            for bot, stored in logs.items():
                writer.append(bot, stored)
