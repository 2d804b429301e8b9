"""The cost of a decision, over that of a program which does only what no referee can leave out.

    python -m benchmarks.floor

The program (`Floor`) plays the same games with the same bots and sends them the same bytes. It asks
the rules for events and legal actions, encodes, writes, waits, reads, decodes, checks and applies.
It has no deadlines, faults or records, and believes its bots. Both run on one core and take
turns, since the speed of a shared machine drifts. c is one minimal round trip of two processes.
"""

import argparse
import contextlib
import os
import random
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from arena import __version__
from arena.bench.match_workloads import LIMITS, VARIANT, decisions, round_trips
from arena.bench.programs import Command, make_programs
from arena.bench.rows import CONCURRENT_GAMES
from arena.bench.timing import Workload, busy_s, in_turn, on_one_core
from arena.protocol import PROTOCOL, Act, Hello, Start, Turn, write
from engine import State, get_variant

READ_BYTES = 64 * 1024
NO_VIEW = msgspec.Raw(b"null")
BOTS = {"C bots, no views": "none", "C bots, whole views": "full"}

encoder = msgspec.json.Encoder()
decoder = msgspec.json.Decoder(Act)


class Floor:
    """Games of four processes of a bot, several at a time, as bare as they can be."""

    def __init__(self, processes: Sequence[subprocess.Popen[bytes]], has_views: bool) -> None:
        self._variant = get_variant(VARIANT)
        self._has_views = has_views
        self._poll = select.poll()
        self._to: list[int] = []
        self._written = [bytearray() for _ in processes]
        for process in processes:
            assert process.stdin
            assert process.stdout
            self._to.append(process.stdin.fileno())
            self._poll.register(process.stdout, select.POLLIN)
        self._states: dict[int, State] = {}
        self._turns: dict[int, list[int]] = {}
        self._told: dict[int, list[int]] = {}
        self._legal: dict[int, list[str]] = {}

    def play(self, deals: Sequence[msgspec.Struct], tables: int) -> int:
        """Play a game of each deal, `tables` at a time; return the number of decisions."""
        waiting = enumerate(deals, start=1)
        made = left = 0
        for table, deal in waiting:
            self._begin(table, deal)
            left += 1
            if left == tables:
                break
        while left:
            for line in self._exchange():
                act = decoder.decode(line)
                table = act.table
                if act.action not in self._legal[table]:
                    raise ValueError(f"not legal: {act}")
                state = self._states[table]
                state.apply(act.action)
                made += 1
                if state.seat_to_act is not None:
                    self._ask(table, state, state.seat_to_act)
                    continue
                state.outcome()
                left -= 1
                if (new := next(waiting, None)) is not None:
                    self._begin(*new)
                    left += 1
        return made

    def _exchange(self) -> Iterator[bytes]:
        """Send what was written, wait, and yield the lines that come."""
        for fd, written in zip(self._to, self._written, strict=True):
            if written:
                os.write(fd, written)
                written.clear()
        for fd, _ in self._poll.poll():
            yield from os.read(fd, READ_BYTES).splitlines()

    def _begin(self, table: int, deal: msgspec.Struct) -> None:
        state = self._states[table] = self._variant.start(deal)
        self._turns[table] = [0] * self._variant.seats
        self._told[table] = [0] * self._variant.seats
        for seat, written in enumerate(self._written):
            written += write(Start(table, "pot-de-vin", VARIANT, seat, 4, None, table))
        assert state.seat_to_act is not None
        self._ask(table, state, state.seat_to_act)

    def _ask(self, table: int, state: State, seat: int) -> None:
        """Write the same request as the referee."""
        legal = self._legal[table] = state.legal_actions()
        told = self._told[table]
        events = state.events(seat, told[seat])
        told[seat] += len(events)
        self._turns[table][seat] += 1
        turn = Turn(
            table=table,
            turn=self._turns[table][seat],
            view=msgspec.Raw(encoder.encode(state.view(seat))) if self._has_views else NO_VIEW,
            events=msgspec.Raw(encoder.encode(events)),
            legal=legal,
            clock_ms=LIMITS.move_ms,
        )
        encoder.encode_into(turn, self._written[seat], -1)
        self._written[seat] += b"\n"


@contextlib.contextmanager
def bare_decisions(bot: Command, tables: int, number: int) -> Iterator[Workload]:
    """Yield the games of `arena.bench.match_workloads.decisions`, played by `Floor`."""
    variant = get_variant(VARIANT)
    deals = [variant.deal(random.Random(each)) for each in range(number)]
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
            floor = Floor(processes, bot[-1] == "full")
            begin = busy_s()
            made = floor.play(deals, tables)
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


def rows(folder: Path, rounds: int, games: int) -> Iterator[Row]:
    """Yield the costs for one table and for many, each in pairs that take turns."""
    programs = make_programs(folder)
    if not programs.has_compiler:
        raise SystemExit("needs a C compiler, since its bots are programs in C")
    with contextlib.ExitStack() as stack:
        stack.enter_context(on_one_core())
        workloads = {"c": stack.enter_context(round_trips(programs.echo, 2_000))}
        cases = [(name, tables) for name in BOTS for tables in (1, CONCURRENT_GAMES)]
        for name, tables in cases:
            bot = (programs.echo[0], BOTS[name])
            case = f"{name}, {tables}"
            workloads[f"ours {case}"] = stack.enter_context(decisions(bot, tables, games))
            workloads[f"floor {case}"] = stack.enter_context(bare_decisions(bot, tables, games))
        times = in_turn(workloads, rounds)
    for name, tables in cases:
        ours, floor = times[f"ours {name}, {tables}"], times[f"floor {name}, {tables}"]
        over = sorted([one / other for one, other in zip(ours, floor, strict=True)])
        in_c = [
            median([one / c for one, c in zip(each, times["c"], strict=True)])
            for each in (ours, floor)
        ]
        spread = over[len(over) // 4], median(over), over[3 * len(over) // 4]
        yield Row(f"{name}, {tables} at a time", in_c[0], in_c[1], spread)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--games", type=int, default=64)
    chosen = parser.parse_args()
    print("| games | a decision | the floor | over the floor |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(Path(folder), chosen.rounds, chosen.games):
            low, middle, high = row.over
            print(
                f"| {row.what} | {row.ours_c:.2f} c | {row.floor_c:.2f} c "
                f"| {middle:.2f} ({low:.2f} to {high:.2f}) |"
            )


if __name__ == "__main__":
    main()
