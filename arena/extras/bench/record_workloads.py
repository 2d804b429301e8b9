"""Workloads of records: storing them, and computing leaderboards, scores and looks from them."""

import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.extras.bench.timing import Workload, busy_s
from arena.protocol import Limits
from arena.rating import factor_graph
from arena.rating.board_model import fit_boards
from arena.rating.board_shares import board_shares
from arena.rating.board_sums import BoardSums
from arena.rating.certainty import Looks
from arena.rating.leaderboard import leaderboard
from arena.record import NO_OBSERVATIONS, GameRecord
from arena.schedule.plan import Board
from arena.tournament.store import Store
from engine import get_variant

SCORED_VARIANT = "pot-de-vin/3"
TRANSACTION = 50
"""Games stored per transaction."""
STRENGTH = 1.0
"""How much better the best bot is than the worst one, in standard deviations of the luck of a game.
"""


def storing(runs: Iterator[Path], records: Sequence[bytes]) -> Workload:
    """Return the storage of `records` in a new database, timed per record."""
    rows = [(str(number), number, record, NO_OBSERVATIONS) for number, record in enumerate(records)]

    def workload() -> float:
        with Store.create(next(runs), Limits()) as store:
            begin = busy_s()
            for first in range(0, len(rows), TRANSACTION):
                store.add(rows[first : first + TRANSACTION])
            return (busy_s() - begin) / len(rows)

    return workload


def rating(records: Sequence[GameRecord]) -> Workload:
    """Return the computation of a run's leaderboard, timed per board."""
    ids = sorted({record.variant for record in records})
    entrants = sorted({name for record in records for name in record.entrants})
    boards = len({(record.variant, record.board) for record in records})

    def workload() -> float:
        begin = busy_s()
        leaderboard(records, {each: get_variant(each) for each in ids}, entrants)
        return (busy_s() - begin) / boards

    return workload


def ranking(bots: int, games: int, without_trueskill: list[float]) -> Workload:
    """Return the leaderboard of a simulated run for three, timed as a whole.

    The workload appends the time that does not pass in TrueSkill's factor graphs.
    """
    records = [record for board in ranked_boards(bots, games // 3) for record in board]
    names = sorted({name for record in records for name in record.entrants})
    variant = get_variant(SCORED_VARIANT)

    def workload() -> float:
        with _timed_trueskill() as spent:
            begin = time.process_time()
            leaderboard(records, {SCORED_VARIANT: variant}, names)
            whole = time.process_time() - begin
        without_trueskill.append(whole - sum(spent))
        return whole

    return workload


@contextlib.contextmanager
def _timed_trueskill() -> Iterator[list[float]]:
    """Yield a list to which each rating of a board appends its time."""
    spent: list[float] = []
    rate = factor_graph.rate

    def timed(*arguments: Any) -> list[list[factor_graph.Numbers]]:
        begin = time.process_time()
        try:
            return rate(*arguments)
        finally:
            spent.append(time.process_time() - begin)

    factor_graph.rate = timed  # type: ignore[assignment]  # its arguments are passed on
    try:
        yield spent
    finally:
        factor_graph.rate = rate


def scoring(bots: int, games: int) -> Workload:
    """Return the scores of a simulated run for three, from ranks in memory, timed as a whole."""
    boards = ranked_boards(bots, games // 3)
    names = sorted({name for board in boards for name in board[0].entrants})
    variant = get_variant(SCORED_VARIANT)

    def workload() -> float:
        begin = busy_s()
        fit_boards(BoardSums(names, (board_shares(board, variant) for board in boards)))
        return busy_s() - begin

    return workload


def looking(bots: int, games: int) -> Workload:
    """Return a look of the stop rule at a simulated run for three, timed as a whole."""
    boards = ranked_boards(bots, games // 3, STRENGTH)
    names = sorted({name for board in boards for name in board[0].entrants})
    variant = get_variant(SCORED_VARIANT)
    sums = BoardSums(names, (board_shares(board, variant) for board in boards))
    looks = Looks()

    def workload() -> float:
        begin = busy_s()
        looks.look(fit_boards(sums))
        return busy_s() - begin

    return workload


def ranked_boards(bots: int, boards: int, strength: float = 0.0) -> list[list[GameRecord]]:
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
    played = [rng.gauss(skill) for skill in skills]
    return tuple([1 + sum([other > own for other in played]) for own in played])
