"""A comparison of two bots: how often the first is placed before the second, and how surely.

A board is a deal that is played once for each way to share the sides evenly between the two; where
their number is odd, either has the one more equally often. So seats and cards are the same for
both, and of two equal bots each is ahead half of the time. A team is of one bot.
"""

import math
import random
from collections.abc import Sequence
from itertools import product
from statistics import stdev
from typing import NamedTuple

import msgspec

from arena.bot import Bot
from arena.errors import BotError
from arena.match.in_process import play_in_process
from arena.protocol import DEFAULT_LIMITS, raw
from arena.rating.board_result import placement_scores
from arena.rating.intervals import Estimate
from arena.record import Game, GameRecord
from engine import Variant

PATIENT = msgspec.structs.replace(DEFAULT_LIMITS, move_ms=3_600_000)
"""A clock that no bot heeds, so that all play the same on every machine."""


class Score(NamedTuple):
    """What became of the meetings on a board, each of a side of the first bot with a rival's."""

    ahead: float
    """How many the first won; a shared rank counts half."""
    meetings: float


def sharings(sides: int) -> list[tuple[bool, ...]]:
    """Return every even way to share sides between two bots: whether each is the first one's."""
    ways = product((True, False), repeat=sides)
    return [way for way in ways if abs(2 * sum(way) - sides) <= 1]


def play_board(
    variant: Variant, first: type[Bot], second: type[Bot], number: int, seed: int = 0
) -> Score:
    """Play a board, and return what became of it; its deal depends on seed, variant and number.

    Raises:
        BotError: one of the bots had a fault.
    """
    rng = random.Random(f"head to head {seed} {variant.id} {number}")
    deal = raw(variant.deal(rng))
    seeds = tuple([rng.getrandbits(32) for _ in range(variant.seats)])
    ahead = meetings = 0.0
    for rotation, way in enumerate(sharings(len(variant.sides))):
        seated = [second] * variant.seats
        for seats, is_first in zip(variant.sides, way, strict=True):
            for seat in seats:
                seated[seat] = first if is_first else second
        names = tuple([bot_class.name for bot_class in seated])
        game = Game("", variant.id, number, rotation, deal, names, seeds)
        record = play_in_process(game, seated, PATIENT)
        score = _score(record, variant, way)
        ahead += score.ahead
        meetings += score.meetings
    return Score(ahead, meetings)


def _score(record: GameRecord, variant: Variant, way: Sequence[bool]) -> Score:
    if record.faults:
        fault = record.faults[0]
        raise BotError(f"{record.entrants[fault.seat]} had a fault in {record.title}: {fault.text}")
    places = placement_scores(record.ranks, variant.sides)
    own = sum(way)
    others = len(way) - own
    # The sides of a bot meet one another too: either is ahead in one of their meetings.
    among_own = own * (own - 1) / 2
    ahead = math.fsum([place for place, ours in zip(places, way, strict=True) if ours]) - among_own
    return Score(record.win_weight * ahead, record.win_weight * own * others)


def share_ahead(scores: Sequence[Score]) -> Estimate:
    """Return the share of meetings that the first bot won; boards, at least two, are the unit."""
    boards = len(scores)
    meetings = math.fsum([score.meetings for score in scores])
    share = math.fsum([score.ahead for score in scores]) / meetings
    # A ratio, as near its mean as it is straight; boards differ in meetings by win weights only.
    spread = stdev([(one.ahead - share * one.meetings) * boards / meetings for one in scores])
    return Estimate(share, spread / math.sqrt(boards), boards - 1)
