"""Figures of records: storing and rating them, leaderboards, scores and looks."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from arena.base.record import NO_OBSERVATIONS, Game, GameRecord, write_record
from arena.extras.bench.figures import BenchRow, Measured, Samples, Sizes, over_loop
from arena.extras.bench.match_figures import quick_settings
from arena.extras.bench.timing import LOOP, Workload, busy_s, in_turn, python_loop, timed
from arena.match.in_process import class_of, play_in_process
from arena.rating import factor_graph
from arena.rating.board_model import fit_boards
from arena.rating.board_sums import BoardSums
from arena.rating.complete_boards import board_shares
from arena.rating.leaderboard import leaderboard
from arena.rating.stop_rule import Looks
from arena.schedule.plan import Board
from arena.tournament.games import scheduled_games
from arena.tournament.store import Store
from engine import get_variant

SCORED_VARIANT = "pot-de-vin/3"
TRANSACTION_GAMES = 50
STRENGTH = 1.0
"""The gap of the best bot to the worst one, in standard deviations of the luck of a game."""
AIMED_GAMES = 100_000
"""Games of the leaderboard whose time is aimed at; a smaller one is scaled up."""

Boards = Sequence[Sequence[GameRecord]]


def record_figures(folder: Path, rows: Sequence[BenchRow], sizes: Sizes) -> Iterator[Measured]:
    """Yield the figures of `rows`, each workload in turn with the Python loop."""
    settings = quick_settings("pot-de-vin", sizes.recorded)
    records = cache(lambda: list(map(_played, scheduled_games(settings))))
    leaderboards = cache(lambda: _leaderboards(sizes))
    workloads: dict[str, Callable[[], Workload]] = {
        "records/storing": lambda: storing(folder, list(map(write_record, records()))),
        "records/rating": lambda: rating(records()),
        "records/scores": lambda: scoring(50, sizes.scored),
        "records/look": lambda: looking(30, sizes.looked_at),
    }
    for row in rows:
        make = workloads.get(row.name)
        yield row.name, over_loop(make(), sizes.rounds) if make else leaderboards()[row.name]


def _played(game: Game) -> GameRecord:
    return play_in_process(game, list(map(class_of, game.entrants)))


def _leaderboards(sizes: Sizes) -> dict[str, Samples]:
    """Return the times of the leaderboard of 30 bots, whole and without the factor graphs."""
    records = [record for board in ranked_boards(30, sizes.ranked // 3) for record in board]
    boards, rank = len(records) // 3, rating(records)
    ours: list[float] = []

    def whole() -> float:
        spent: list[float] = []

        def timed_rate(*arguments: Any) -> Any:
            begin = time.process_time()
            rated = rate(*arguments)
            spent.append(time.process_time() - begin)
            return rated

        rate = factor_graph.rate
        with patch.object(factor_graph, "rate", timed_rate):
            seconds = boards * rank()
        ours.append(seconds - sum(spent))
        return seconds

    times = in_turn({"whole": whole, LOOP: python_loop()}, sizes.run_rounds, warm_up=False)
    found = {"records/leaderboard": times["whole"], "records/leaderboard-ours": ours}
    scale = AIMED_GAMES / sizes.ranked
    return {name: Samples(own, times[LOOP], LOOP, scale) for name, own in found.items()}


def storing(folder: Path, records: Sequence[bytes]) -> Workload:
    """Return the storage of `records` in a new database, timed per record."""
    rows = [(str(number), number, record, NO_OBSERVATIONS) for number, record in enumerate(records)]
    settings, numbers = quick_settings("pot-de-vin", 1), count()

    def workload() -> float:
        with Store.create(folder / f"stored-{next(numbers)}", settings) as store:
            begin = busy_s()
            for first in range(0, len(rows), TRANSACTION_GAMES):
                store.add(rows[first : first + TRANSACTION_GAMES])
            return (busy_s() - begin) / len(rows)

    return workload


def rating(records: Sequence[GameRecord]) -> Workload:
    """Return the computation of a run's leaderboard, timed per board."""
    ids = sorted({record.variant for record in records})
    entrants = sorted({name for record in records for name in record.entrants})
    boards = len({(record.variant, record.board) for record in records})

    def work() -> int:
        leaderboard(records, {each: get_variant(each) for each in ids}, entrants)
        return boards

    return timed(work)


def scoring(bots: int, games: int) -> Workload:
    """Return the scores of a simulated run for three, from ranks in memory, timed as a whole."""
    boards = ranked_boards(bots, games // 3)

    def work() -> int:
        fit_boards(_sums(boards))
        return 1

    return timed(work)


def looking(bots: int, games: int) -> Workload:
    """Return a look of the stop rule at a simulated run for three, timed as a whole."""
    sums, looks = _sums(ranked_boards(bots, games // 3, STRENGTH)), Looks()

    def work() -> int:
        looks.look(fit_boards(sums))
        return 1

    return timed(work)


def _sums(boards: Boards) -> BoardSums:
    names = sorted({name for board in boards for name in board[0].entrants})
    variant = get_variant(SCORED_VARIANT)
    return BoardSums(names, (board_shares(board, variant) for board in boards))


def ranked_boards(bots: int, boards: int, strength: float = 0.0) -> Boards:
    """Return the records of boards for three at drawn tables, with drawn ranks.

    The bots are equals, or evenly spaced, the best one by `strength` better than the worst one.
    """
    rng = random.Random(1)
    skills = {f"bot-{number:02}": strength * number / (bots - 1) for number in range(bots)}
    found = []
    for number in range(1, boards + 1):
        board = Board(SCORED_VARIANT, number, 0, tuple(sorted(rng.sample(list(skills), 3))))
        found.append(
            [
                GameRecord(
                    key="",
                    variant=SCORED_VARIANT,
                    rules_version=1,
                    board=number,
                    rotation=rotation,
                    entrants=(entrants := board.seating(rotation)),
                    seeds=(0, 0, 0),
                    deal=msgspec.Raw(b"{}"),
                    actions=(),
                    points=(0, 0, 0),
                    ranks=_ranks([skills[name] for name in entrants], rng),
                    detail=msgspec.Raw(b"{}"),
                )
                for rotation in range(3)
            ]
        )
    return found


def _ranks(skills: Sequence[float], rng: random.Random) -> tuple[int, ...]:
    """Return drawn ranks of bots with these skills."""
    played_well = [rng.gauss(skill) for skill in skills]
    return tuple([1 + sum([other > own for other in played_well]) for own in played_well])
