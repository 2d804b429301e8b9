"""Run the worker program, which reads batches from stdin and writes records to stdout as JSON
lines.

A worker exits when its input ends, even during a game. While a worker plays, it sends
heartbeats.
"""

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from arena.base.contracts import Batch, Played
from arena.base.errors import ArenaError
from arena.base.protocol import Fault
from arena.base.record import write_record
from arena.match.seats import Player, always
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.process.host import hide
from arena.process.local import LocalProcesses
from arena.process.pipes import StopRequested
from arena.tournament.bot_logs import LogWriter
from arena.tournament.executors.kept_processes import KeptProcesses
from engine.plugins import import_game

GATHER_S = 0.1
# The threshold for garbage collection. It is high, because a game's objects stay in use until the
# game ends.
YOUNG_OBJECTS = 10_000


BEAT_S = 1.0


class Heartbeat(msgspec.Struct, frozen=True, tag="alive", tag_field="type"):
    """A heartbeat: the worker's loop is running."""


class BatchFailed(msgspec.Struct, frozen=True, tag="failed", tag_field="type"):
    """A message from a worker that can't play its batch. The text is shown to the user."""

    text: str


class BatchFinished(msgspec.Struct, frozen=True, tag="done", tag_field="type"):
    """A message that a worker sends after the last game of a batch."""


class Reports:
    def __init__(self, file: IO[bytes], clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._gathered = b""
        self._next = self._next_beat = clock()

    def __call__(self) -> float:
        now = self._clock()
        if self._gathered and now >= self._next:
            self._next = now + GATHER_S
            self.send()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_S
            self._file.write(msgspec.json.encode(Heartbeat()) + b"\n")
        return GATHER_S if self._gathered else BEAT_S

    def add(self, report: msgspec.Struct) -> None:
        self._gathered += msgspec.json.encode(report) + b"\n"

    def send(self) -> None:
        gathered, self._gathered = self._gathered, b""
        self._file.write(gathered)


class _ReportingProcesses(LocalProcesses):
    def __init__(self, settings: MatchSettings, orders: int, reports: Reports) -> None:
        super().__init__(settings.limits, settings.sandbox, orders)
        self._reports = reports

    def wait(self, wait_s: float) -> list[BotProcess]:
        most_s = self._reports()
        return super().wait(wait_s if wait_s < most_s else most_s)


def main() -> None:
    """Play batches until the input ends.

    The command-line arguments are:

    1. concurrent games, or 0 to adapt the number to the bots
    2. concurrent games for bots that wait for another machine
    3. the worker's number
    4. the log folder, or an empty string for no logs
    5. all others: games and variants to import before the first batch
    """
    tables, waiting_games, place = map(int, sys.argv[1:4])
    logs = sys.argv[4]
    # raised as an exception, so that context managers stop the bots
    signal.signal(signal.SIGTERM, lambda signum, _: sys.exit(128 + signum))
    for game in sys.argv[5:]:
        import_game(game)
    gc.freeze()  # imported modules are never collected
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])
    gc.enable()
    orders = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb", buffering=0) as file:
        reports = Reports(file)

        def open_transport(settings: MatchSettings) -> LocalProcesses:
            return _ReportingProcesses(settings, orders.fileno(), reports)

        writer = LogWriter(Path(logs), place) if logs else None
        with KeptProcesses(open_transport, on_log=writer.write if writer else None) as kept:
            for line in orders:  # ends when the parent process ends
                if not line.endswith(b"\n"):  # the parent process ended while writing
                    return
                batch = msgspec.json.decode(line, type=Batch)
                if batch.sandbox.level != "none":
                    hide()
                try:
                    for message in _reports_of(batch, tables or None, waiting_games, kept):
                        reports.add(message)
                    reports.add(BatchFinished())
                    reports.send()
                except (StopRequested, BrokenPipeError):  # the parent process has ended
                    return
                except ArenaError as error:
                    reports.add(BatchFailed(str(error)))
                    reports.send()
                    return


def _reports_of(
    batch: Batch, tables: int | None, waiting_games: int, kept: KeptProcesses
) -> Iterator[Played]:
    players: dict[str, Player] = {entrant.name: entrant for entrant in batch.entrants}
    for name, reason in batch.withdrawn.items():
        players[name] = always(Fault("withdrawn", reason))
    settings = MatchSettings(batch.limits, batch.sandbox, tables, waiting_games)
    for record, seen in kept.watch_games(batch.rotation, batch.games, players, settings):
        yield Played(record.key, msgspec.Raw(write_record(record)), seen)


if __name__ == "__main__":
    main()
