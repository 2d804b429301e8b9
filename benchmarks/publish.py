"""Time and memory that `arena publish` takes for the site of a large run.

The run has 30 bots, all 16 variants and some 10,000 games. Schedule and database are real. Each
game has the record of one of a few games that were played at random, with the scheduled bots, and
every hundredth game has a fault. `README.md` explains what is printed.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.bot import Bot
from arena.match.in_process import play_in_process
from arena.protocol import Limits, SeatFault
from arena.record import Entrant, Evidence, Game, GameRecord, Observations, Timing, write_record
from arena.tournament.games import count_games, scheduled_games
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from engine import variants

BOTS = 30
ROUNDS = 73
PLAYED = 8
"""Games of each variant that are played; the other games get copies of their records."""
FAULTY = 100
"""One game in this number has a fault."""
MAX_S, MAX_MIB = 60, 200
"""Processor time and memory that building the site may take."""
ARENA = (sys.executable, "-P", "-c", "from arena.cli import main; main()")


class Chance(Bot):
    """Plays at random."""

    def act(self, view: object, legal: list[str]) -> str:
        """Return a random legal action."""
        self.note = f"one of {len(legal)}"
        return self.rng.choice(legal)


class Cost(NamedTuple):
    """Time and memory of a command."""

    wall_s: float
    cpu_s: float
    memory_mib: float


def make_run(folder: Path, rounds: int) -> int:
    """Make the database of a run, and return the number of its games."""
    entrants = [Entrant(f"bot-{each:02}", ("none",), ".", f"{each}") for each in range(BOTS)]
    settings = Settings(rounds, 0, tuple(variants()), tuple(entrants), Limits())
    with Store.create(folder, settings) as store:
        store.add(_played(settings))
    return count_games(settings)


def _played(settings: Settings) -> Iterator[tuple[str, int, bytes, Observations]]:
    rng = random.Random(0)
    pool: dict[str, list[GameRecord]] = {}
    for place, game in enumerate(scheduled_games(settings)):
        known = pool.setdefault(game.variant, [])
        if len(known) < PLAYED:
            known.append(play_in_process(game, [Chance] * len(game.entrants)))
        record = _record(game, rng.choice(known))
        evidence: Sequence[Evidence] = ()
        if place % FAULTY == 0:
            seat = rng.randrange(len(game.entrants))
            record = _with_fault(record, seat)
            evidence = (Evidence(seat, "{}" * 300, "nothing", "a trace\n" * 12, 12, 8, 20_000),)
        timings = [_timing(rng) for _ in game.entrants]
        yield (
            game.key,
            place,
            write_record(record),
            Observations(tuple(evidence), 0, tuple(timings)),
        )


def _record(game: Game, played: GameRecord) -> GameRecord:
    """Return the record of a game that went like the `played` one."""
    return msgspec.structs.replace(
        played,
        key=game.key,
        board=game.board,
        rotation=game.rotation,
        entrants=game.entrants,
        seeds=game.seeds,
    )


def _with_fault(record: GameRecord, seat: int) -> GameRecord:
    text = "raised ZeroDivisionError: division by zero"
    fault = SeatFault(seat, len(record.actions) // 2, "crash", text, record.actions[:4])
    return msgspec.structs.replace(record, faults=(fault,))


def _timing(rng: random.Random) -> Timing:
    mean = round(10 ** rng.uniform(2, 5))
    return Timing(20, 20 * mean, 3 * mean)


def cost_of(*arguments: str | Path) -> Cost:
    """Run `arena`, and return its cost."""
    began = time.perf_counter()
    process = os.posix_spawn(
        sys.executable,
        [*ARENA, *map(str, arguments)],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, used = os.wait4(process, 0)
    if status:
        sys.exit(f"arena {arguments[0]} failed")
    # The system gives KiB, and on macOS bytes.
    memory_mib = used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime, memory_mib)


def main() -> None:
    """Print the cost of the site, beside that of the leaderboard of the same run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="about 137 games per round")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as parent:
        run, site = Path(parent) / "results" / "large", Path(parent) / "site"
        games = make_run(run, options.rounds)
        at = ("--results", run.parent)
        ranking = cost_of("leaderboard", run.name, "--json", *at)
        cost = cost_of("publish", run.name, "--to", site, *at)
        again = cost_of("publish", run.name, "--to", site, *at)
        sizes = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    print(f"{games} games of {BOTS} bots in {len(variants())} variants: {len(sizes)} files, "
          f"{sum(sizes) / 2**20:.0f} MiB")  # fmt: skip
    print(f"{'':22} {'wall s':>8} {'cpu s':>8} {'MiB':>6} {'to ranking':>11}")
    for name, one in (("leaderboard --json", ranking), ("publish", cost), ("again", again)):
        ratio = one.cpu_s / ranking.cpu_s
        print(f"{name:22} {one.wall_s:8.1f} {one.cpu_s:8.1f} {one.memory_mib:6.0f} {ratio:11.1f}")
    if cost.cpu_s > MAX_S or cost.memory_mib > MAX_MIB:
        sys.exit(f"more than {MAX_S} s of processor time or {MAX_MIB} MiB")


if __name__ == "__main__":
    main()
