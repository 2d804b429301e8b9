"""Cost of a game in runs with more games or more entrants.

    python benchmarks/growth.py

Everything around the games is real: schedule, batches, database, resuming, rating. The games are
not played, since 100,000 games would take the bots an hour: a stand-in for the workers answers each
with the record of a game that was played before. A process of its own measures each line, so that
the memory of a line does not include that of others. `README.md` explains the columns.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from arena.bot import Bot
from arena.contracts import Batch, Played
from arena.match.in_process import play_in_process
from arena.protocol import Limits
from arena.record import Entrant, Game, GameRecord, write_record
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from engine import get_variant

VARIANT = "pot-de-vin/4"
SIZES = ((1_000, 8), (10_000, 8), (100_000, 8), (10_000, 16), (10_000, 30), (10_000, 60))
"""Games and entrants of each line."""
REPORTED = 30
"""Games that a worker reports at a time: what a pipe holds."""


class Line(NamedTuple):
    """The cost of a run of one size: microseconds per game, and memory."""

    games: int
    play: float
    resume: float
    rate: float
    memory_mib: float


class Last(Bot):
    """Takes the last legal action."""

    def act(self, view: object, legal: list[str]) -> str:
        """Return the last legal action."""
        return legal[-1]


class StandIn:
    """An executor that answers every game with the record of one that was played before."""

    width = 1

    def __init__(self) -> None:
        self._played: GameRecord | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def play_batches(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield a record for each game, `REPORTED` at a time."""
        for batch in batches:
            assert batch, "all games that were given are over"
            for first in range(0, len(batch.games), REPORTED):
                yield [self._report(game) for game in batch.games[first : first + REPORTED]]

    def _report(self, game: Game) -> Played:
        played = self._played = self._played or play_in_process(game, [Last] * len(game.entrants))
        points = played.points
        by = random.Random(game.key).randrange(len(points))  # else one seat would always win
        record = msgspec.structs.replace(
            played,
            key=game.key,
            board=game.board,
            rotation=game.rotation,
            entrants=game.entrants,
            seeds=game.seeds,
            deal=game.deal,
            points=points[by:] + points[:by],
            ranks=played.ranks[by:] + played.ranks[:by],
        )
        return Played(game.key, msgspec.Raw(write_record(record)))


def measure(games: int, number: int) -> Line:
    """Return the cost of a run of about `games` games with `number` entrants."""
    entrants = tuple([Entrant(f"bot-{each}", ("none",), ".", f"{each}") for each in range(number)])
    rounds = games // (number // get_variant(VARIANT).seats)
    settings = Settings(rounds, 0, (VARIANT,), entrants, Limits())
    games = count_games(settings)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print) as store,
    ):
        times = [time.perf_counter()]
        for _ in range(2):  # the second time no game is missing
            play_missing(store, settings, StandIn(), lambda _: None)
            times.append(time.perf_counter())
        assert rank(store).games == games
        times.append(time.perf_counter())
    play, resume, rate = [(end - begin) / games * 1e6 for begin, end in pairwise(times)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Line(games, play, resume, rate, memory)


def main() -> None:
    """Print a line for each size, with ratios to the first."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--one", nargs=2, type=int, metavar=("GAMES", "ENTRANTS"))
    options = parser.parse_args()
    if options.one:
        sys.stdout.buffer.write(msgspec.json.encode(measure(*options.one)))
        return
    print(f"{'games':>8} {'entrants':>9} {'us per game: play':>17} {'resume':>14} {'rate':>14} MiB")
    base: Line | None = None
    for games, entrants in SIZES:
        command = [sys.executable, __file__, "--one", str(games), str(entrants)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        line = msgspec.json.decode(done.stdout, type=Line)
        base = base or line
        costs = [
            f"{cost:7.0f} x{cost / first:5.2f}"
            for cost, first in zip(line[1:4], base[1:4], strict=True)
        ]
        print(f"{line.games:8} {entrants:9} {'  '.join(costs)} {line.memory_mib:5.0f}", flush=True)


if __name__ == "__main__":
    main()
