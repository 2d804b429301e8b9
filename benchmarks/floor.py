"""The cost of a decision, over that of a program which does only what no referee can leave out.

    python -m benchmarks.floor

The program (`Floor`) plays the same games with the same bots, from deal to record, and sends the
same bytes. It asks the rules for events and legal actions, encodes, writes, waits, reads, decodes,
checks, times and applies. It ends at a fault: it can neither charge a bot nor go on, and it
measures, freezes and replays nothing. Both run on one core and take turns, since the speed of a
shared machine drifts. c is one minimal round trip of two processes.

A second program (`SeparateFloor`) does the same in the parts of the arena: a referee that knows
neither processes nor time, a part that decides without I/O and without a clock, and a driver that
decides nothing. What it costs more is the price of testing these parts alone.
"""

import argparse
import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from arena import __version__
from arena.extras.bench.match_workloads import (
    LIMITS,
    VARIANT,
    decisions,
    made_up_games,
    round_trips,
)
from arena.extras.bench.programs import Command, make_programs
from arena.extras.bench.rows import BOTS, CONCURRENT_GAMES, QUICKEST
from arena.extras.bench.timing import Workload, busy_s, in_turn, on_one_core
from arena.match.decision import Answer, Ask
from arena.match.referee import Ending, record_of, referee, start_game
from arena.match.seat_messages import NO_VIEW
from arena.protocol import PROTOCOL, Act, End, Hello, Start, Turn, encode, write
from arena.record import Game, GameRecord
from engine import State, get_variant

READ_BYTES = 64 * 1024
MOVE_S = LIMITS.move_ms / 1000
SLOWEST = "msgspec-views"
CASES = (QUICKEST, "c-bots-views", SLOWEST)

encode_into = msgspec.json.Encoder().encode_into
decoder = msgspec.json.Decoder(Act)


class Table:
    """A game under way."""

    def __init__(self, game: Game, state: State) -> None:
        seats = state.variant.seats
        self.game = game
        self.state = state
        self.legal: list[str] = []
        self.actions: list[str] = []
        self.turns = [0] * seats
        self.told = [0] * seats
        self.taken_s = [0.0] * seats
        self.worst_s = [0.0] * seats


class Floor:
    """Games of four processes of a bot, several at a time, as bare as they can be."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]], has_views: bool) -> None:
        self._has_views = has_views
        self._poll = select.epoll()
        self._to: list[int] = []
        self._seats: dict[int, int] = {}
        self._written = [bytearray() for _ in processes]
        self._halves = [b"" for _ in processes]
        self._asked_at = [0.0 for _ in processes]
        for seat, process in enumerate(processes):
            assert process.stdin
            assert process.stdout
            self._to.append(process.stdin.fileno())
            self._seats[process.stdout.fileno()] = seat
            self._poll.register(process.stdout, select.EPOLLIN)
        self._tables: dict[int, Table] = {}

    def play(self, games: Sequence[Game], tables: int) -> list[GameRecord]:
        """Play games, `tables` at a time; return their records."""
        waiting = enumerate(games, start=1)
        records = []
        for number, game in waiting:
            self._begin(number, game)
            if len(self._tables) == tables:
                break
        while self._tables:
            for seat, line, now in self._exchange():
                act = decoder.decode(line)
                number = act.table
                table = self._tables[number]
                action = act.action
                if (
                    not line.isascii()
                    or act.turn != table.turns[seat]
                    or action not in table.legal
                    or act.note
                ):
                    raise ValueError(f"not an answer: {act}")
                taken_s = now - self._asked_at[seat]
                self._asked_at[seat] = now  # for the next request
                table.taken_s[seat] += taken_s
                if taken_s > table.worst_s[seat]:
                    table.worst_s[seat] = taken_s
                    if taken_s > MOVE_S:
                        raise ValueError("too late")
                state = table.state
                state.apply(action)
                table.actions.append(action)
                if state.seat_to_act is not None:
                    self._ask(number, table, state.seat_to_act)
                    continue
                records.append(self._end(number, table))
                if (new := next(waiting, None)) is not None:
                    self._begin(*new)
        self._poll.close()
        return records

    def _exchange(self) -> Iterator[tuple[int, bytes, float]]:
        """Send what was written, wait, and yield the lines that come: seat, line, and when."""
        now = time.monotonic()
        for seat, written in enumerate(self._written):
            if written:
                os.write(self._to[seat], written)
                written.clear()
                self._asked_at[seat] = now
        for fd, _ in self._poll.poll(MOVE_S):
            now = time.monotonic()
            seat = self._seats[fd]
            lines = (self._halves[seat] + os.read(fd, READ_BYTES)).split(b"\n")
            self._halves[seat] = lines.pop()
            for line in lines:
                yield seat, line, now

    def _begin(self, number: int, game: Game) -> None:
        state = start_game(game.variant, game.deal)
        self._tables[number] = table = Table(game, state)
        for seat, written in enumerate(self._written):
            written += write(Start(number, "pot-de-vin", VARIANT, seat, 4, None, game.seeds[seat]))
        assert state.seat_to_act is not None
        self._ask(number, table, state.seat_to_act)

    def _ask(self, number: int, table: Table, seat: int) -> None:
        """Write the same request as the referee."""
        state = table.state
        table.legal = legal = state.legal_actions()
        told = table.told[seat]
        events: Any = state.events(seat, told)
        table.told[seat] = told + len(events)
        table.turns[seat] = turn = table.turns[seat] + 1
        view: Any = state.view(seat) if self._has_views else None
        written = self._written[seat]
        encode_into(Turn(number, turn, view, events, legal, LIMITS.move_ms), written, -1)
        written += b"\n"

    def _end(self, number: int, table: Table) -> GameRecord:
        """Tell all seats how a game ended, and return its record."""
        del self._tables[number]
        record = record_of(table.game, table.state, Ending(tuple(table.actions), (), ()))
        line = write(End(number, record.points, record.ranks, ()))
        for written in self._written:
            written += line
        return record


class DecidedTable(NamedTuple):
    """A game under way, with its referee."""

    number: int
    game: Game
    state: State
    referee: Generator[Ask, Answer, Ending]
    times: list[list[float]]
    """Of the answers, by seat."""


class Decider:
    """What `SeparateFloor` decides, without I/O: it is told what came, and when."""

    def __init__(self, seats: int, has_views: bool) -> None:
        self.told: list[bytes] = []
        """Lines for all seats."""
        self.records: list[GameRecord] = []
        self.tables = 0
        self._has_views = has_views
        self._unsent: deque[tuple[DecidedTable, Ask]] = deque()
        self._pending: list[deque[tuple[DecidedTable, Ask]]] = [deque() for _ in range(seats)]
        self._just_sent: list[int] = []
        self._asked_at = [0.0] * seats

    def begin(self, number: int, game: Game) -> list[bytes]:
        """Begin a game; return the line for each seat."""
        state = start_game(game.variant, game.deal)
        times: list[list[float]] = [[] for _ in self._pending]
        self.tables += 1
        self._advance(DecidedTable(number, game, state, referee(state), times), None)
        return [
            write(Start(number, "pot-de-vin", VARIANT, seat, 4, None, game.seeds[seat]))
            for seat in range(len(times))
        ]

    def send(self) -> dict[int, bytes]:
        """Return the requests by seat."""
        lines: dict[int, bytes] = {}
        while self._unsent:
            request = self._unsent.popleft()
            table, asked = request
            seat = asked.seat
            view: Any = asked.state.view(seat) if self._has_views else NO_VIEW
            events: Any = asked.events
            turn = Turn(table.number, asked.turn, view, events, asked.legal, LIMITS.move_ms)
            line = encode(turn) + b"\n"
            lines[seat] = lines[seat] + line if seat in lines else line
            pending = self._pending[seat]
            if not pending:
                self._just_sent.append(seat)
            pending.append(request)
        return lines

    def sent(self, now: float) -> None:
        """Start the clocks of the seats that were asked nothing else."""
        for seat in self._just_sent:
            self._asked_at[seat] = now
        self._just_sent.clear()

    def heard(self, seat: int, line: bytes, now: float) -> None:
        """Take an answer."""
        table, asked = self._pending[seat].popleft()
        act = decoder.decode(line)
        if (
            not line.isascii()
            or act.table != table.number
            or act.turn != asked.turn
            or act.action not in asked.legal
        ):
            raise ValueError(f"not an answer: {act}")
        taken_s = now - self._asked_at[seat]
        self._asked_at[seat] = now  # for the next request
        table.times[seat].append(taken_s)
        if taken_s > MOVE_S:
            raise ValueError("too late")
        self._advance(table, act)

    def _advance(self, table: DecidedTable, answer: Act | None) -> None:
        try:
            asked = table.referee.send(answer)  # type: ignore[arg-type]
        except StopIteration as stop:
            record = record_of(table.game, table.state, stop.value)
            self.told.append(write(End(table.number, record.points, record.ranks, ())))
            self.records.append(record)
            self.tables -= 1
        else:
            self._unsent.append((table, asked))


class SeparateFloor(Floor):
    """The same in three parts: a referee, one that decides, and this one, which carries."""

    def play(self, games: Sequence[Game], tables: int) -> list[GameRecord]:
        """Play games, `tables` at a time; return their records."""
        waiting = enumerate(games, start=1)
        decider = Decider(len(self._to), self._has_views)
        has_more = True
        while has_more or decider.tables:
            while has_more and decider.tables < tables:
                if (new := next(waiting, None)) is None:
                    has_more = False
                    break
                for written, line in zip(self._written, decider.begin(*new), strict=True):
                    written += line
            if decider.tables:
                self._carry(decider)
        self._poll.close()
        return decider.records

    def _carry(self, decider: Decider) -> None:
        for seat, line in decider.send().items():
            self._written[seat] += line
        for seat, written in enumerate(self._written):
            if written:
                os.write(self._to[seat], written)
                written.clear()
        decider.sent(time.monotonic())
        for fd, _ in self._poll.poll(MOVE_S):
            now = time.monotonic()
            seat = self._seats[fd]
            lines = (self._halves[seat] + os.read(fd, READ_BYTES)).split(b"\n")
            self._halves[seat] = lines.pop()
            for line in lines:
                decider.heard(seat, line, now)
        if decider.told:
            for written in self._written:
                written += b"".join(decider.told)
            decider.told.clear()


@contextlib.contextmanager
def bare_decisions(
    bot: Command, has_views: bool, tables: int, number: int, program: type[Floor] = Floor
) -> Iterator[Workload]:
    """Yield the games of `arena.extras.bench.match_workloads.decisions`, played by a floor."""
    variant, games = get_variant(VARIANT), made_up_games(number)
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(bot, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            )
            for _ in range(variant.seats)
        ]
        for process in processes:
            assert process.stdin
            assert process.stdout
            process.stdin.write(write(Hello(PROTOCOL, __version__, "bot", LIMITS)))
            process.stdout.readline()

        def workload() -> float:
            floor = program(processes, has_views)
            begin = busy_s()
            made = sum([len(record.actions) for record in floor.play(games, tables)])
            return (busy_s() - begin) / made

        yield workload
        for process in processes:
            assert process.stdin
            process.stdin.close()


class Row(NamedTuple):
    """A line of the printed table."""

    what: str
    ours_c: float
    floor_c: float
    over: tuple[float, float, float]
    """Our cost over the floor: lower quartile, median, upper quartile."""
    best: float
    """The same of the best round of each, which other work on the machine disturbs least."""
    over_separate: float
    """The median of our cost over the floor in three parts."""
    best_separate: float


def measure(folder: Path, rounds: int, games: int) -> dict[str, list[float]]:
    """Return the times of the rounds in seconds, ours and the floor's in turn, by case."""
    programs = make_programs(folder)
    if not programs.has_compiler:
        raise SystemExit("needs a C compiler, since its bots are programs in C")
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        workloads = {"c": stack.enter_context(round_trips(programs.echo, 2_000))}
        for name in CASES:
            bot, has_views = programs.bots[name], name.endswith("views")
            for tables in (1, CONCURRENT_GAMES):
                ours = decisions(bot, tables, games)
                floor = bare_decisions(bot, has_views, tables, games)
                separate = bare_decisions(bot, has_views, tables, games, SeparateFloor)
                workloads[f"ours {name} {tables}"] = stack.enter_context(ours)
                workloads[f"floor {name} {tables}"] = stack.enter_context(floor)
                workloads[f"separate {name} {tables}"] = stack.enter_context(separate)
        return in_turn(workloads, rounds)


def rows(times: dict[str, list[float]]) -> Iterator[Row]:
    """Yield the costs for one table and for many."""
    for name in CASES:
        for tables in (1, CONCURRENT_GAMES):
            ours, floor = times[f"ours {name} {tables}"], times[f"floor {name} {tables}"]
            over = sorted(_ratios(ours, floor))
            in_c = [median(_ratios(each, times["c"])) for each in (ours, floor)]
            spread = over[len(over) // 4], median(over), over[3 * len(over) // 4]
            separate = times[f"separate {name} {tables}"]
            in_parts = median(_ratios(ours, separate)), min(ours) / min(separate)
            what = f"{BOTS[name]}, {tables} at a time"
            yield Row(what, in_c[0], in_c[1], spread, min(ours) / min(floor), *in_parts)


def _ratios(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(ones, others, strict=True)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--games", type=int, default=64)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measure(Path(folder), chosen.rounds, chosen.games)
    print(
        "| games | a decision | the floor | over the floor | best round of each "
        "| over the floor in three parts | best round of each |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in rows(times):
        low, middle, high = row.over
        print(
            f"| {row.what} | {row.ours_c:.2f} c | {row.floor_c:.2f} c "
            f"| {middle:.2f} ({low:.2f} to {high:.2f}) | {row.best:.2f} "
            f"| {row.over_separate:.2f} | {row.best_separate:.2f} |"
        )
    print(f"\nRate of {BOTS[SLOWEST]}, over {BOTS[QUICKEST]}:")
    for whose in ("ours", "floor"):
        rates = [
            min(times[f"{whose} {QUICKEST} {tables}"]) / min(times[f"{whose} {SLOWEST} {tables}"])
            for tables in (1, CONCURRENT_GAMES)
        ]
        print(f"- {whose}: {rates[0]:.2f}; {CONCURRENT_GAMES} at a time: {rates[1]:.2f}")


if __name__ == "__main__":
    main()
