"""Gifts: what the actions of a bot give to one opponent more than to the others.

The value of a position is the mean points of random playouts, by seat. An action gives a seat what
the value of the position changes for it, which is what it gains against a random action. So what a
bot wins by its own play is no gift, even if the play of the others is weak.
"""

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from statistics import mean, variance

from arena.base.record import GameRecord
from arena.extras.audit.gains import Pair, PairEffect
from arena.extras.audit.situations import positions
from engine import State, Variant

PLAYOUTS = 16
"""Playouts of each position. Fewer than this, and their noise hides gifts of a point."""
MAX_STEPS = 5_000_000
"""Actions of playouts for a pair: half a minute or so."""
MIN_BOARDS = 10
"""Boards that must be affordable with them. In longer games, gifts are lost in the noise."""

Given = dict[Pair, float]
"""By giver and taker: points a game that the actions of the giver gave the taker on a board."""


def given_on(board: Sequence[GameRecord], variant: Variant, rng: random.Random) -> Given:
    """Return what each bot gave to each opponent on a complete board without teams."""
    given: Given = defaultdict(float)
    for record in board:
        by_seat = _given_in(record, variant, rng)
        for seat, giver in enumerate(record.entrants):
            for other, taker in enumerate(record.entrants):
                if other != seat:
                    given[giver, taker] += by_seat[seat][other] / len(board)
    return given


def affordable_boards(board: Sequence[GameRecord]) -> int:
    """Return how many boards like this one can be replayed for a pair; 0 if they are too few."""
    steps = sum([PLAYOUTS * len(record.actions) ** 2 / 2 for record in board])
    boards = int(MAX_STEPS / max(1.0, steps))
    return boards if boards >= MIN_BOARDS else 0


def gift(giver: str, taker: str, boards: Sequence[Given]) -> PairEffect:
    """Return what `giver` gives to `taker`, in points a game, on at least two `boards` of both.

    From what it gives to `taker` is subtracted what it gives to the others, and the same for the
    others at the table: what all of them give to `taker` more than to each other is no gift of one.
    """
    values = []
    for given in boards:
        others = {name for name, _ in given} - {giver, taker}
        usual = mean([_preference(given, other, taker) for other in sorted(others)])
        values.append(_preference(given, giver, taker) - usual)
    error = math.sqrt(variance(values) / len(values))
    return PairEffect(mean(values), error, len(values) - 1, len(values))


def _preference(given: Given, giver: str, taker: str) -> float:
    """Return what a bot gave to `taker` beyond the mean of what it gave to others."""
    others = [points for (one, other), points in given.items() if one == giver and other != taker]
    return given[giver, taker] - mean(others)


def _given_in(record: GameRecord, variant: Variant, rng: random.Random) -> list[list[float]]:
    """Return what the actions of each seat gave to each seat in a game, in points."""
    given = [[0.0] * variant.seats for _ in range(variant.seats)]
    before: list[float] = []
    chooser = None  # the seat that had a choice in the last position whose value is known
    for state, seat, _ in positions(record, variant):
        if len(state.legal_actions()) == 1:
            continue
        after = _value(state, rng)
        if chooser is not None:
            _add(given[chooser], before, after)
        before, chooser = after, seat
    if chooser is not None:
        _add(given[chooser], before, record.points)
    return given


def _add(given: list[float], before: Sequence[float], after: Sequence[float]) -> None:
    for seat, (old, new) in enumerate(zip(before, after, strict=True)):
        given[seat] += new - old


def _value(state: State, rng: random.Random) -> list[float]:
    """Return the mean points by seat of random playouts from a position."""
    totals = [0] * state.variant.seats
    for _ in range(PLAYOUTS):
        playout = state.clone()
        playout.play_out(rng)
        totals = [total + own for total, own in zip(totals, playout.outcome().points, strict=True)]
    return [total / PLAYOUTS for total in totals]
