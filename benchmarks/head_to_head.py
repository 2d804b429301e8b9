"""Compare two bots on shared boards: the share of meetings that the first bot wins.

Each deal is played once for every even split of the sides between the two bots. If the number of
sides is odd, each bot has the additional side equally often. Both bots therefore get the same seats
and cards, and equal bots win half of their meetings. All seats of a team have the same bot.
"""

import math
import random
from collections.abc import Sequence
from itertools import product
from statistics import stdev
from typing import NamedTuple

import msgspec

from arena.base.errors import BotError
from arena.base.protocol import DEFAULT_LIMITS, raw
from arena.base.record import Game, GameRecord
from arena.bot import Bot
from arena.rating.intervals import Estimate
from arena.tournament.in_process import play_in_process
from engine import Variant

PATIENT = msgspec.structs.replace(DEFAULT_LIMITS, move_ms=3_600_000)
"""Limits so long that bots play the same on every machine."""


class Score(NamedTuple):
    """Results of a board's meetings, each between a side of the first bot and one of the second."""

    ahead: float
    """Number of meetings won by the first bot; a shared rank counts half."""
    meetings: float


def even_splits(sides: int) -> list[tuple[bool, ...]]:
    """Return all even splits: for each side, whether the first bot plays it."""
    splits = product((True, False), repeat=sides)
    return [split for split in splits if abs(2 * sum(split) - sides) <= 1]


def play_board(
    variant: Variant, first: type[Bot], second: type[Bot], number: int, seed: int = 0
) -> Score:
    """Play the board with this number. Its deal depends on `variant`, `number` and `seed`.

    Raises:
        BotError: one of the bots had a fault.
    """
    rng = random.Random(f"head to head {seed} {variant.id} {number}")
    deal = raw(variant.deal(rng))
    seeds = tuple([rng.getrandbits(32) for _ in range(variant.seats)])
    ahead = meetings = 0.0
    for rotation, split in enumerate(even_splits(len(variant.sides))):
        seated = [second] * variant.seats
        for seats, is_first in zip(variant.sides, split, strict=True):
            for seat in seats:
                seated[seat] = first if is_first else second
        names = tuple([bot_class.name for bot_class in seated])
        game = Game("", variant.id, number, rotation, deal, names, seeds)
        record = play_in_process(game, seated, PATIENT)
        score = _score(record, variant, split)
        ahead += score.ahead
        meetings += score.meetings
    return Score(ahead, meetings)


def _score(record: GameRecord, variant: Variant, split: Sequence[bool]) -> Score:
    if record.faults:
        fault = record.faults[0]
        raise BotError(f"{record.entrants[fault.seat]} had a fault in {record.title}: {fault.text}")
    ranks = [record.ranks[seats[0]] for seats in variant.sides]
    own = [rank for rank, is_first in zip(ranks, split, strict=True) if is_first]
    others = [rank for rank, is_first in zip(ranks, split, strict=True) if not is_first]
    won = sum([(one < other) + (one == other) / 2 for one, other in product(own, others)])
    return Score(record.win_weight * won, record.win_weight * len(own) * len(others))


def share_ahead(scores: Sequence[Score]) -> Estimate:
    """Return the share of meetings that the first bot won, from at least two boards."""
    return ratio_of([board.ahead for board in scores], [board.meetings for board in scores])


def ratio_of(parts: Sequence[float], wholes: Sequence[float]) -> Estimate:
    """Return the ratio of two sums over independent pairs, linearized at its mean."""
    number, whole = len(wholes), math.fsum(wholes)
    ratio = math.fsum(parts) / whole
    pairs = zip(parts, wholes, strict=True)
    spread = stdev([(part - ratio * one) * number / whole for part, one in pairs])
    return Estimate(ratio, spread / math.sqrt(number), number - 1)
