"""The program of `run_floor`: it plays games by processes of bots, as bare as can be.

    python -m benchmarks.run_floor_program PART

`PART` is a file, see `Part`. It prints a `Played` as JSON. It imports only what it needs, since its
start counts.
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
"""Games side by side, as in a run of quick bots."""
READ_BYTES = 64 * 1024

_act = msgspec.json.Decoder(Act)
_ready = msgspec.json.Decoder(Ready)


class Bot(msgspec.Struct, frozen=True):
    """A bot, with its command and the folder in which it is started."""

    name: str
    command: tuple[str, ...]
    folder: str


class Part(msgspec.Struct, frozen=True):
    """The games that the program plays."""

    core: int | None
    """The core of the program and its bots; None leaves it to the system."""
    bots: tuple[Bot, ...]
    games: tuple[Game, ...]


class Played(msgspec.Struct, frozen=True):
    """The games that the program has played, and the time that it took."""

    actions: dict[str, tuple[str, ...]]
    """Of each game, by key."""
    own_s: float
    """Processor time without the bots."""


class Pipe:
    """A process of a bot."""

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
        """Write what waits. The bot reads it, so this ends."""
        while self.written:
            del self.written[: os.write(self.to_it, self.written)]


class Table:
    """A game under way."""

    def __init__(self, game: Game, state: State, pipes: Sequence[Pipe]) -> None:
        self.game = game
        self.state = state
        self.pipes = pipes
        self.actions: list[str] = []
        self.turns = [0] * len(pipes)
        self.told = [0] * len(pipes)


class Program:
    """Plays games, `TABLES` at a time."""

    def __init__(self) -> None:
        self.actions: dict[str, tuple[str, ...]] = {}
        """Of the games that are over, by key."""
        self._tables: dict[int, Table] = {}
        self._pipes: dict[str, Pipe] = {}

    def play(self, part: Part) -> None:
        """Play all games, each rotation with processes of its own."""
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
    """Return the whole lines that a bot has written."""
    *lines, pipe.half_line = (pipe.half_line + os.read(pipe.from_it, READ_BYTES)).split(b"\n")
    return lines


def main() -> None:
    """Play a part."""
    part = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Part)
    if part.core is not None:
        os.sched_setaffinity(0, {part.core})
    program = Program()
    program.play(part)
    sys.stdout.buffer.write(msgspec.json.encode(Played(program.actions, time.process_time())))


if __name__ == "__main__":
    main()
