"""The program that `benchmarks.run_floor` compares with a run.

    python -m benchmarks.run_floor_program PART

`PART` is a JSON file with a `Part`. The program prints a `Played` as JSON. It imports only what it
needs, because its startup time is measured as well.
"""

import arena.base.quick_msgspec  # noqa: F401, I001  # before what imports msgspec

import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena import __version__
from arena.base.protocol import PROTOCOL, Act, End, Hello, Limits, Ready, Start, Turn, encode, write
from arena.base.record import Game
from engine import State, get_variant

TABLES = 32
"""Number of concurrent games, as in a run of quick bots."""
READ_BYTES = 64 * 1024

_act = msgspec.json.Decoder(Act)
_ready = msgspec.json.Decoder(Ready)


class Bot(msgspec.Struct, frozen=True):
    name: str
    command: tuple[str, ...]
    folder: str


class Part(msgspec.Struct, frozen=True):
    core: int | None
    """The core for the program and its bots. None leaves it to the system."""
    bots: tuple[Bot, ...]
    games: tuple[Game, ...]


class Played(msgspec.Struct, frozen=True):
    actions: dict[str, tuple[str, ...]]
    """The actions of each game, by key."""
    own_s: float
    """Processor time of the program without its bots."""


class Pipe:
    """A bot process."""

    def __init__(self, bot: Bot) -> None:
        self.process = subprocess.Popen(
            bot.command, cwd=bot.folder, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin
        assert self.process.stdout
        self.to_it, self.from_it = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.written = bytearray(write(Hello(PROTOCOL, __version__, "bot", Limits())))
        self.half_line = b""
        self.has_views = True
        self.flush()

    def flush(self) -> None:
        """Write all pending requests. The bot keeps reading, so this doesn't block forever."""
        while self.written:
            del self.written[: os.write(self.to_it, self.written)]


class Table:
    """A game in progress."""

    def __init__(self, game: Game, state: State, pipes: Sequence[Pipe]) -> None:
        self.game = game
        self.state = state
        self.pipes = pipes
        self.actions: list[str] = []
        self.turns = [0] * len(pipes)
        self.told = [0] * len(pipes)


class Program:
    def __init__(self) -> None:
        self.actions: dict[str, tuple[str, ...]] = {}
        """The actions of finished games, by key."""
        self._tables: dict[int, Table] = {}
        self._pipes: dict[str, Pipe] = {}

    def play(self, part: Part) -> None:
        """Play all games. Each rotation has its own bot processes."""
        for rotation in sorted({game.rotation for game in part.games}):
            games = [game for game in part.games if game.rotation == rotation]
            names = {name for game in games for name in game.entrants}
            self._pipes = {bot.name: Pipe(bot) for bot in part.bots if bot.name in names}
            for pipe in self._pipes.values():
                assert pipe.process.stdout
                ready = _ready.decode(pipe.process.stdout.readline())
                pipe.has_views = ready.detail != "none"
            self._play_rotation(games)
            for pipe in self._pipes.values():
                pipe.process.communicate()

    def _play_rotation(self, games: Sequence[Game]) -> None:
        waiting = enumerate(games, start=1)
        tables = self._tables
        by_output = {pipe.from_it: pipe for pipe in self._pipes.values()}
        with select.epoll() as poll:
            for output in by_output:
                poll.register(output, select.EPOLLIN)
            for number, game in waiting:
                self._begin(number, game)
                if len(tables) == TABLES:
                    break
            while tables:
                for pipe in by_output.values():
                    if pipe.written:
                        pipe.flush()
                for output, _ in poll.poll():
                    for line in _lines(by_output[output]):
                        act = _act.decode(line)
                        table = tables[act.table]
                        table.state.apply(act.action)
                        table.actions.append(act.action)
                        if table.state.seat_to_act is not None:
                            self._ask(act.table, table)
                            continue
                        self._end(act.table, table)
                        if (new := next(waiting, None)) is not None:
                            self._begin(*new)

    def _begin(self, number: int, game: Game) -> None:
        variant = get_variant(game.variant)
        state = variant.start(variant.read_deal(msgspec.json.decode(game.deal)))
        pipes = [self._pipes[name] for name in game.entrants]
        self._tables[number] = table = Table(game, state, pipes)
        for seat, pipe in enumerate(pipes):
            told = variant.game, variant.id, seat, variant.seats, variant.teams
            pipe.written += write(Start(number, *told, game.seeds[seat]))
        self._ask(number, table)

    def _ask(self, number: int, table: Table) -> None:
        state = table.state
        seat = state.seat_to_act
        assert seat is not None
        legal = state.legal_actions()
        told = table.told[seat]
        events: Any = state.events(seat, told)
        table.told[seat] = told + len(events)
        table.turns[seat] = turn = table.turns[seat] + 1
        pipe = table.pipes[seat]
        view: Any = state.view(seat) if pipe.has_views else None
        pipe.written += encode(Turn(number, turn, view, events, legal, 1_000)) + b"\n"

    def _end(self, number: int, table: Table) -> None:
        outcome = table.state.outcome()
        line = write(End(number, outcome.points, outcome.ranks, ()))
        for pipe in table.pipes:
            pipe.written += line
        self.actions[table.game.key] = tuple(table.actions)
        del self._tables[number]


def _lines(pipe: Pipe) -> Sequence[bytes]:
    """Return the complete lines that a bot has written."""
    *lines, pipe.half_line = (pipe.half_line + os.read(pipe.from_it, READ_BYTES)).split(b"\n")
    return lines


def main() -> None:
    part = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Part)
    if part.core is not None:
        os.sched_setaffinity(0, {part.core})
    program = Program()
    program.play(part)
    sys.stdout.buffer.write(msgspec.json.encode(Played(program.actions, time.process_time())))


if __name__ == "__main__":
    main()
