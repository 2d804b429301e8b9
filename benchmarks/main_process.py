"""Cost of the main process of a run: processor time of a game, memory, and the leaderboard.

    python -m benchmarks.main_process

All but the games is real: schedule, deals, batches, reports, database, resuming, rating. The games
are not played, since 200,000 games would take the bots an hour: a stand-in for the workers answers
each with the record of one that was played before. A process of its own measures each line.
`README.md` explains the columns.
"""

import argparse
import contextlib
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from arena.contracts import Batch, Played
from arena.match.in_process import play_in_process
from arena.protocol import Limits
from arena.rating import factor_graph
from arena.record import Entrant, Game, GameRecord, Observations, Timing, read_result, write_record
from arena.schedule.chance import Secret, SecretSettings
from arena.tournament.games import count_games
from arena.tournament.packed_records import dictionary_id, unpack
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import rank
from arena.tournament.store import DATABASE, INSERT, SCHEMA
from bots.any_game.random import RandomBot
from engine import variants

LINES = (
    (2_000, 0, ()),
    (20_000, 0, ()),
    (2_000, 8, ("pot-de-vin/4",)),
    (20_000, 8, ("pot-de-vin/4",)),
    (200_000, 8, ("pot-de-vin/4",)),
    (20_000, 60, ("pot-de-vin/4",)),
    (100_000, 30, ("pot-de-vin/4",)),
)
"""Games, bots and variants of each line. 0 bots are the 14 quick ones, no variants are all."""
REPORTED = 15
"""Games that are stored together: some 0.2 s of two workers with quick bots."""
PLAYED = 24
"""Games of each variant that are played; the other games get copies of their records. So many that
boards with the same ranks in all games are as rare as in a run."""
SECRET = Secret("5e" * 16)
QUICK_BOTS = {"pot-de-vin": 5, "bribery": 4, "brides-and-bribes": 4}
"""The number of quick bots of each game. One more plays all games."""


class Cost(NamedTuple):
    """What a run costs the main process."""

    games: int
    play_us: float
    """Processor time of a game, from the schedule to the stored record."""
    store_us: float
    """The reference: storing the same rows in the same transactions, and decoding each record."""
    resume_us: float
    """Processor time of a game in a run that is resumed and lacks no game."""
    read_us: float
    """The floor of a leaderboard: see `add_up`."""
    rank_us: float
    """Processor time of a game in the leaderboard, without TrueSkill's factor graphs."""
    trueskill_us: float
    """Processor time of a game in the factor graphs."""
    play_mib: float
    """Peak memory when the run is played and resumed."""
    rank_mib: float
    """Peak memory at the end."""


class StandIn:
    """An executor that answers every game with the record of one that was played before."""

    width = 2

    def __init__(self) -> None:
        self._played: dict[str, list[GameRecord]] = {}
        self._decoder: msgspec.json.Decoder[Played] = msgspec.json.Decoder(Played)
        self.spent_s = 0.0
        """The processor time in which records were made up."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wake(self, games: Sequence[str]) -> None:
        pass

    def expect(self, variants: Sequence[str]) -> None:
        pass

    def hand_out(self) -> None:
        pass

    def play_batches(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield a record for each game, `REPORTED` at a time, in turn from `width` batches.

        Batches and reports are written and read as JSON, as for workers.
        """
        waiting = iter(batches)
        under_way: list[list[Game]] = []
        while True:
            while len(under_way) < self.width and (batch := next(waiting, None)):
                msgspec.json.encode(batch)
                under_way.append(list(batch.games))
            if not under_way:
                return
            games = under_way.pop(0)
            lines = [self._report(game) for game in games[:REPORTED]]
            if rest := games[REPORTED:]:
                under_way.append(rest)
            yield [self._decoder.decode(line) for line in lines]

    def _report(self, game: Game) -> bytes:
        began = time.process_time()
        known = self._played.setdefault(game.variant, [])
        if len(known) < PLAYED:
            known.append(play_in_process(game, [RandomBot] * len(game.entrants)))
        rng = random.Random(game.key)
        played = rng.choice(known)
        record = msgspec.structs.replace(
            played,
            key=game.key,
            board=game.board,
            rotation=game.rotation,
            entrants=game.entrants,
            seeds=game.seeds,
            deal=game.deal,
        )
        seen = Observations(timings=tuple([Timing(20, 2_000, 300) for _ in game.entrants]))
        report = msgspec.json.encode(Played(game.key, msgspec.Raw(write_record(record)), seen))
        self.spent_s += time.process_time() - began
        return report


def settings_of(games: int, bots: int, chosen: tuple[str, ...]) -> Settings:
    """Return the settings of a run of about `games` games. See `LINES`."""
    entrants = [Entrant(f"bot-{each}", ("none",), ".", f"{each:064}") for each in range(bots or 1)]
    for game, number in {} if bots else QUICK_BOTS.items():
        entrants += [
            Entrant(f"{game}-{each}", ("none",), ".", f"{each:064}", games=(game,))
            for each in range(number)
        ]
    settings = Settings(
        60,
        None,
        chosen or tuple(variants()),
        tuple(entrants),
        Limits(),
        secret=SecretSettings(SECRET.hash),
    )
    rounds = round(60 * games / count_games(settings))
    return msgspec.structs.replace(settings, rounds=max(1, rounds))


def measure(games: int, bots: int, chosen: tuple[str, ...]) -> Cost:
    """Return the cost of a run of about `games` games. See `LINES`."""
    settings = settings_of(games, bots, chosen)
    games = count_games(settings)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_or_create(Path(folder) / "run", settings, print, SECRET) as store,
    ):
        times = []
        for _ in range(2):  # the second time no game is missing
            executor = StandIn()
            began = time.process_time()
            play_missing(store, settings, executor, lambda _: None)
            times.append(time.process_time() - began - executor.spent_s)
        play_mib = peak_mib()
        with trueskill_time() as in_graphs:
            began = time.process_time()
            assert rank(store).games == games
            ranking = time.process_time() - began - in_graphs[0]
        rank_mib = peak_mib()
        storing = store_again(Path(folder) / "run" / DATABASE, Path(folder) / "again.db")
        references = (storing, add_up(Path(folder) / "run" / DATABASE))
    play, resume, store_s, read_s, rank_s, graphs_s = [
        seconds / games * 1e6 for seconds in (*times, *references, ranking, in_graphs[0])
    ]
    return Cost(games, play, store_s, resume, read_s, rank_s, graphs_s, play_mib, rank_mib)


def store_again(source: Path, copy: Path) -> float:
    """Return the processor time of storing the rows of `source` again, and decoding the records.

    This is what no run can do without. It neither packs records nor hashes nor rates.
    """
    storing = 0.0
    decoder = msgspec.json.Decoder()
    with (
        contextlib.closing(sqlite3.connect(source)) as database,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        target.execute("PRAGMA journal_mode = WAL")
        target.executescript(SCHEMA)
        kept = [data for (data,) in database.execute("SELECT data FROM dictionaries")]
        dictionaries = {dictionary_id(data): data for data in kept}
        rows = database.execute(
            "SELECT key, position, result, record, seen, record_digest, part_digests, seen_digest "
            "FROM games ORDER BY number"
        )
        while some := rows.fetchmany(REPORTED):
            records = [unpack(row[3], dictionaries) for row in some]
            began = time.process_time()
            for record in records:
                decoder.decode(record)
            with target:
                target.executemany(INSERT, some)
            storing += time.process_time() - began
    return storing


def add_up(source: Path) -> float:
    """Return the processor time of adding up games, points and wins by bot.

    This is what no leaderboard can do without: it reads the results in schedule order and decodes
    them. It computes no score, no error and no rating.
    """
    began = time.process_time()
    games: dict[str, int] = defaultdict(int)
    points: dict[str, int] = defaultdict(int)
    wins: dict[str, int] = defaultdict(int)
    with contextlib.closing(sqlite3.connect(source)) as database:
        for (data,) in database.execute(
            "SELECT result FROM games WHERE position IS NOT NULL ORDER BY position, number"
        ):
            result = read_result(data)
            for name, own, rank_ in zip(result.entrants, result.points, result.ranks, strict=True):
                games[name] += 1
                points[name] += own
                wins[name] += rank_ == 1
    return time.process_time() - began


@contextlib.contextmanager
def trueskill_time() -> Iterator[list[float]]:
    """Give a list whose item is the processor time of factor graphs inside this context."""
    spent, rate = [0.0], factor_graph.rate

    def timed(*arguments: Any) -> list[list[factor_graph.Numbers]]:
        began = time.process_time()
        try:
            return rate(*arguments)
        finally:
            spent[0] += time.process_time() - began

    factor_graph.rate = timed  # type: ignore[assignment]  # its arguments are passed on
    try:
        yield spent
    finally:
        factor_graph.rate = rate


def peak_mib() -> float:
    """Return the peak memory of this process."""
    # The system gives KiB, and on macOS bytes.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        2**20 if sys.platform == "darwin" else 2**10
    )


def main() -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--one", nargs="+", metavar="", help="games, bots and variants of a run")
    parser.add_argument("--most", type=int, default=200_000, help="leave out longer runs")
    options = parser.parse_args()
    if options.one:
        games, bots, *chosen = options.one
        cost = measure(int(games), int(bots), tuple(chosen))
        sys.stdout.buffer.write(msgspec.json.encode(cost))
        return
    print("us per game, with the ratio to the reference; peak MiB")
    print(f"{'games':>8} {'bots':>5} {'play':>12} {'resume':>7} {'rank':>12} {'trueskill':>10} "
          f"{'rank s':>7} {'MiB play':>9} {'rank':>5}")  # fmt: skip
    for games, bots, chosen in LINES:
        if games > options.most:
            continue
        command = [sys.executable, "-m", "benchmarks.main_process", "--one"]
        command += [str(games), str(bots), *chosen]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        one = msgspec.json.decode(done.stdout, type=Cost)
        rank_s = (one.rank_us + one.trueskill_us) * one.games / 1e6
        print(
            f"{one.games:8} {bots or 14:5} {one.play_us:5.0f} x{one.play_us / one.store_us:5.2f} "
            f"{one.resume_us:7.0f} {one.rank_us:5.0f} x{one.rank_us / one.read_us:5.2f} "
            f"{one.trueskill_us:10.0f} {rank_s:7.1f} {one.play_mib:9.0f} {one.rank_mib:5.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
