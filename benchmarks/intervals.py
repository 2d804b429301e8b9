"""Intervals of points and wins, and games until an order is found, in simulated tournaments.

    python benchmarks/intervals.py [--tournaments 60] [--blocks 300]

`README.md` says what is measured.
"""

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from statistics import NormalDist, fmean
from typing import ClassVar

import msgspec
import pluggy

from arena.contracts import Field
from arena.plugins import get_schedule
from arena.rating.leaderboard import leaderboard
from arena.record import GameRecord
from arena.schedule.chance import SeedChance
from arena.schedule.plan import Board, plan
from engine import GameNotOver, IllegalAction, InvalidDeal, Outcome, State, Variant, hookimpl
from engine.plugins import PROJECT, EngineHooks, collect_variants

BOTS = tuple(f"bot-{number}" for number in range(10))
STRENGTH = {name: 20 * number for number, name in enumerate(BOTS)}
"""The mean of what a bot bids."""
DICE, LUCK = 60, 120
"""Standard deviations of a bot's own dice in each game, and of the cards of a seat in each deal."""
LOWEST, HIGHEST = -1000, 1000
GRID = [0.05 * step - 8 for step in range(321)]
NORMAL = NormalDist()


# -- the game ----------------------------------------------------------------------------------


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What luck adds to the bid of each seat."""

    luck: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """The view, which says only who is to act."""

    seat: int | None
    to_act: int | None


class Bids(msgspec.Struct, frozen=True):
    """The result: bids with luck, by seat."""

    bids: tuple[int, ...]


class Bidding(State):
    """Each seat bids once, hidden. The side with the highest sum of bids and luck wins."""

    variant: "Contest"

    def __init__(self, variant: "Contest", deal: Deal) -> None:
        self.variant = variant
        self.deal = deal
        self.bids: list[int] = []
        self.seat_to_act: int | None = 0

    def legal_actions(self) -> list[str]:
        if self.seat_to_act is None:
            return []
        return [f"bid {number}" for number in range(LOWEST, HIGHEST + 1)]

    def apply(self, action: str) -> None:
        if self.seat_to_act is None or not action.startswith("bid "):
            raise IllegalAction(action, self.seat_to_act, self.legal_actions())
        self.bids.append(int(action[4:]))
        done = len(self.bids) == self.variant.seats
        self.seat_to_act = None if done else len(self.bids)

    def view(self, seat: int | None) -> View:
        return View(seat, self.seat_to_act)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        return []

    def outcome(self) -> Outcome:
        """Points are the side's mean bid less the mean of the other sides', so their sum is 0."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"seat {self.seat_to_act} is to act")
        bids = tuple(map(sum, zip(self.bids, self.deal.luck, strict=True)))
        sides = self.variant.sides
        totals = [sum([bids[seat] for seat in side]) for side in sides]
        points, ranks = [0] * len(bids), [0] * len(bids)
        for side, total in zip(sides, totals, strict=True):
            for seat in side:
                points[seat] = len(sides) * total - sum(totals)
                ranks[seat] = 1 + sum([other > total for other in totals])
        return Outcome(tuple(points), tuple(ranks), lambda: Bids(bids))

    def clone(self) -> "Bidding":
        copy = Bidding(self.variant, self.deal)
        copy.bids, copy.seat_to_act = [*self.bids], self.seat_to_act
        return copy


class Contest(Variant):
    """A game of strength, dice and luck only."""

    game = "contest"
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = View

    def __init__(self, name: str, seats: int, teams: tuple[tuple[int, ...], ...] | None) -> None:
        self.id = f"contest/{name}"
        self.seats = seats
        self.teams = teams

    def deal(self, rng: random.Random) -> Deal:
        return Deal(tuple([round(rng.gauss(0, LUCK)) for _ in range(self.seats)]))

    def read_deal(self, raw: object) -> Deal:
        try:
            return msgspec.convert(raw, Deal)
        except msgspec.ValidationError as error:
            raise InvalidDeal("luck", str(error)) from None

    def start(self, deal: msgspec.Struct) -> Bidding:
        assert isinstance(deal, Deal)
        return Bidding(self, deal)

    def imagine(self, view: msgspec.Struct, rng: random.Random) -> Bidding:
        return self.start(self.deal(rng))


@hookimpl
def register_variants() -> list[Variant]:
    """Return the variants of the contest."""
    return [
        Contest("2", 2, None),
        Contest("3", 3, None),
        Contest("4-teams", 4, ((0, 2), (1, 3))),
    ]


def contests() -> dict[str, Variant]:
    """Return the variants as the engine finds them, through its hook."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(EngineHooks)
    manager.register(sys.modules[__name__])
    return collect_variants(manager)


def play_game(
    variant: Variant, deal: msgspec.Struct, seating: Sequence[str], rng: random.Random
) -> Outcome:
    """Return the outcome of a game in which each bot bids its strength plus its dice."""
    state = variant.start(deal)
    for name in seating:
        state.apply(f"bid {round(rng.gauss(STRENGTH[name], DICE))}")
    return state.outcome()


# -- the truth ---------------------------------------------------------------------------------


def tables(variant: Variant, name: str) -> Iterator[list[list[str]]]:
    """Yield all sides that a bot can meet at a table, its own side first."""
    size, sides = len(variant.sides[0]), len(variant.sides)
    others = [one for one in BOTS if one != name]
    for partners in combinations(others, size - 1):
        rest = [one for one in others if one not in partners]
        for opponents in combinations(rest, size * (sides - 1)):
            if size == 1:
                yield [[name], *[[one] for one in opponents]]
            else:  # of two sides
                yield [[name, *partners], list(opponents)]


def truth(variant: Variant, name: str) -> tuple[float, float]:
    """Return the true points per game and win share of a bot, with all tables equally likely."""
    points, wins = [], []
    for sides in tables(variant, name):
        means = [sum([STRENGTH[one] for one in side]) for side in sides]
        points.append(len(sides) * means[0] - sum(means))
        deviation = math.hypot(DICE, LUCK) * math.sqrt(len(sides[0]))
        gaps = [(means[0] - mean) / deviation for mean in means[1:]]
        wins.append(
            sum(
                [
                    0.05 * NORMAL.pdf(x) * math.prod([NORMAL.cdf(x + gap) for gap in gaps])
                    for x in GRID
                ]
            )
        )
    return fmean(points), fmean(wins)


# -- coverage of the intervals ----------------------------------------------------------------


def played(variant: Variant, boards: Sequence[Board], rng: random.Random) -> Iterator[GameRecord]:
    """Yield the records of boards, with bots drawn for the names of the schedule."""
    names = dict(zip(BOTS, rng.sample(BOTS, len(BOTS)), strict=True))
    for board in boards:
        deal = variant.deal(rng)
        for rotation in range(variant.seats):
            seating = tuple([names[name] for name in board.seating(rotation)])
            outcome = play_game(variant, deal, seating, rng)
            yield GameRecord(
                key=f"{board.number} {rotation}",
                variant=variant.id,
                rules_version=1,
                board=board.number,
                rotation=rotation,
                entrants=seating,
                seeds=(0,) * variant.seats,
                deal=msgspec.Raw(b"{}"),
                actions=(),
                points=outcome.points,
                ranks=outcome.ranks,
                detail=msgspec.Raw(b"{}"),
            )


def coverage(variant: Variant, blocks: int, tournaments: int) -> str:
    """Return a line with the shares of intervals and rank ranges that hold the truth."""
    true = {name: truth(variant, name) for name in BOTS}
    place = {name: len(BOTS) - number for number, name in enumerate(BOTS)}
    rng = random.Random(f"coverage {variant.id} {blocks}")
    points = wins = ranks = width = 0
    gains = []
    boards = list(
        plan(
            get_schedule("round-robin"),
            [Field(variant, BOTS)],
            blocks * variant.seats,
            SeedChance(0).schedule,
        )
    )
    for _ in range(tournaments):
        table = leaderboard(played(variant, boards, rng), {variant.id: variant}, BOTS)
        gains.append(table.duplicate_gain[variant.id] or math.nan)
        for row in table.overall:
            assert row.points_low is not None
            assert row.points_high is not None
            assert row.wins_low is not None
            assert row.wins_high is not None
            points += row.points_low <= true[row.bot][0] <= row.points_high
            wins += row.wins_low <= true[row.bot][1] <= row.wins_high
            ranks += row.best_rank <= place[row.bot] <= row.worst_rank
            width += row.worst_rank - row.best_rank + 1
    rows = tournaments * len(BOTS)
    each = len(boards) * variant.seats**2 // len(BOTS)
    return (
        f"{variant.id:<16}{each:>6}{points / rows:>9.1%}{wins / rows:>9.1%}{ranks / rows:>9.1%}"
        f"{width / rows:>8.1f}{fmean(gains):>8.1f}"
    )


# -- how many games it takes to order ten bots -------------------------------------------------

Blocks = Callable[[random.Random], Iterator[list[tuple[str, ...]]]]
"""Yields the groups of one block after the other."""


def balanced(variant: Variant, most: int) -> Blocks:
    """Return the blocks of the schedule, with bots drawn for its names."""
    boards = list(
        plan(
            get_schedule("round-robin"),
            [Field(variant, BOTS)],
            most * variant.seats,
            SeedChance(0).schedule,
        )
    )

    def blocks(rng: random.Random) -> Iterator[list[tuple[str, ...]]]:
        names = dict(zip(BOTS, rng.sample(BOTS, len(BOTS)), strict=True))
        size = len(BOTS) // variant.seats
        for first in range(0, len(boards), size):
            groups = [board.entrants for board in boards[first : first + size]]
            yield [tuple([names[name] for name in group]) for group in groups]

    return blocks


def drawn(variant: Variant, most: int) -> Blocks:
    """Return blocks whose groups are drawn at random."""

    def blocks(rng: random.Random) -> Iterator[list[tuple[str, ...]]]:
        seats = variant.seats
        for _ in range(most):
            order = rng.sample(BOTS, len(BOTS))
            yield [
                tuple(order[first : first + seats])
                for first in range(0, len(BOTS) - seats + 1, seats)
            ]

    return blocks


def order_found(
    variant: Variant, blocks: Blocks, duplicate: bool, rng: random.Random
) -> list[bool]:
    """Return, for each block, whether all bots are in their true order after it."""
    points, games = dict.fromkeys(BOTS, 0), dict.fromkeys(BOTS, 0)
    found = []
    for block in blocks(rng):
        for group in block:
            deal = variant.deal(rng)
            for rotation in range(variant.seats):
                seating = Board(variant.id, 1, 0, group).seating(rotation)
                outcome = play_game(variant, deal, seating, rng)
                if not duplicate:
                    deal = variant.deal(rng)
                for seat, name in enumerate(seating):
                    points[name] += outcome.points[seat]
                    games[name] += 1
        means = [points[name] / max(1, games[name]) for name in BOTS]
        found.append(all(one < other for one, other in pairwise(means)))
    return found


def games_needed(
    variant: Variant, blocks: Blocks, duplicate: bool, tournaments: int, most: int
) -> str:
    """Return the games per bot after which nine of ten tournaments have the right order."""
    rng = random.Random(f"order {variant.id} {duplicate}")
    each = [order_found(variant, blocks, duplicate, rng) for _ in range(tournaments)]
    games = variant.seats * (len(BOTS) // variant.seats) * variant.seats / len(BOTS)
    for number in range(most):
        recent = [fmean([one[k] for one in each]) for k in range(number, min(number + 5, most))]
        if fmean(recent) >= 0.9:  # of five blocks, as these few tournaments vary
            return f"{(number + 1) * games:.0f}"
    right = fmean([one[-1] for one in each])
    return f">{most * games:.0f} ({right:.0%} by then)"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tournaments", type=int, default=60, help="tournaments for each line")
    parser.add_argument("--blocks", type=int, default=300, help="blocks to find the order in")
    arguments = parser.parse_args()
    variants = contests()
    print(f"{arguments.tournaments} tournaments of {len(BOTS)} bots for each line")
    print("shares of 95% intervals and of rank ranges that hold the truth:")
    print(f"{'variant':<16}{'games':>6}{'points':>9}{'wins':>9}{'ranks':>9}{'width':>8}{'gain':>8}")
    for variant in variants.values():
        for blocks in (10, 20, 60):
            print(coverage(variant, blocks, arguments.tournaments), flush=True)
    print("games per bot until nine of ten tournaments have all ten bots in order:")
    for variant in [one for one in variants.values() if one.seats > 2]:
        for schedule, make in (("balanced", balanced), ("drawn", drawn)):
            for duplicate in (True, False):
                needed = games_needed(
                    variant,
                    make(variant, arguments.blocks),
                    duplicate,
                    arguments.tournaments,
                    arguments.blocks,
                )
                boards = "duplicate boards" if duplicate else "a deal a game"
                print(f"{variant.id:<16} {schedule:<9} {boards:<17} {needed}", flush=True)


if __name__ == "__main__":
    main()
