"""Decisions of bots in like situations: the same board, the same seat, and the same events told."""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

import msgspec

from arena.base.errors import StoreError
from arena.base.record import GameRecord
from arena.extras.audit.gains import Pair
from engine import State, Variant

_encode = msgspec.json.Encoder().encode


class Decision(NamedTuple):
    """A choice between several legal actions."""

    bot: str
    number: int
    """The number of the action in the game, from 0."""
    own_number: int
    """The number of the decision among those of the bot in the game, from 0."""
    knows: bytes
    """A hash of the seat and all events that it was told."""
    legal: tuple[str, ...]
    action: str


class Situation(NamedTuple):
    """A situation that several bots were in."""

    is_first: bool
    """Whether it was the first decision of the bots in their game."""
    actions: dict[str, str]
    """By bot."""


def positions(record: GameRecord, variant: Variant) -> Iterator[tuple[State, int, str]]:
    """Yield each position of a game, the seat to act there, and its recorded action.

    When the next position is asked for, the action is applied to the state, which is the same one.

    Raises:
        EngineError: the deal or an action is not valid.
        StoreError: an action is left when the game is over.
    """
    state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    for action in record.actions:
        if state.seat_to_act is None:
            raise StoreError(
                f"{record.title} has actions after its end: see what is wrong with `arena verify`"
            )
        yield state, state.seat_to_act, action
        state.apply(action)


def decisions(record: GameRecord, variant: Variant) -> Iterator[Decision]:
    """Yield the decisions of a game in order. Those of stand-ins are left out."""
    told = [0] * variant.seats
    made = [0] * variant.seats
    hashes = [hashlib.blake2b(bytes([seat]), digest_size=12) for seat in range(variant.seats)]
    faulty = {fault.seat for fault in record.faults}
    for number, (state, seat, action) in enumerate(positions(record, variant)):
        legal = state.legal_actions()
        if len(legal) > 1 and seat not in faulty:
            for event in state.events(seat, told[seat]):
                hashes[seat].update(_encode(event))
                told[seat] += 1
            bot, knows = record.entrants[seat], hashes[seat].digest()
            yield Decision(bot, number, made[seat], knows, tuple(legal), action)
            made[seat] += 1


def like_situations(board: Iterable[Decision]) -> list[Situation]:
    """Return the situations that several bots were in, from all decisions on a board."""
    found: dict[tuple[bool, bytes], dict[str, str]] = defaultdict(dict)
    for decision in board:
        found[decision.own_number == 0, decision.knows][decision.bot] = decision.action
    return [Situation(first, made) for (first, _), made in found.items() if len(made) > 1]


# -- near copies: pairs of bots that decide alike where others decide otherwise ----------------


MIN_SITUATIONS = 10
"""Situations of a pair in which others decided otherwise, below which nothing is said of it."""


class Agreement(NamedTuple):
    """The number of equal decisions of two bots in situations that both were in."""

    alike: int
    situations: int
    """Only those in which not all bots decided alike."""
    later_alike: int
    later: int
    """Situations after the first decision of a game, also those in which all decided alike."""
    usual: float
    """The share of `situations` in which other pairs of bots decided alike."""
    p_value: float
    """The probability that a pair that decides alike as often as usual does so as often."""


def agreements(situations: Iterable[Situation]) -> dict[Pair, Agreement]:
    """Return the agreement of each pair of bots that was in enough situations.

    Only situations with at least three bots that did not all decide alike count, since to agree
    there tells something.
    """
    alike: Counter[Pair] = Counter()
    both: Counter[Pair] = Counter()
    later_alike: Counter[Pair] = Counter()
    later: Counter[Pair] = Counter()
    for is_first, actions in situations:
        tells = len(actions) > 2 and len(set(actions.values())) > 1
        for pair in combinations(sorted(actions), 2):
            agree = actions[pair[0]] == actions[pair[1]]
            both[pair] += tells
            alike[pair] += tells and agree
            later[pair] += not is_first
            later_alike[pair] += agree and not is_first
    found = {}
    for pair, number in both.items():
        rest = both.total() - number
        if number >= MIN_SITUATIONS and rest:
            usual = (alike.total() - alike[pair] + 1) / (rest + 2)  # never 0 or 1
            p_value = _binomial_tail(alike[pair], number, usual)
            found[pair] = Agreement(
                alike[pair], number, later_alike[pair], later[pair], usual, p_value
            )
    return found


def _binomial_tail(successes: int, trials: int, probability: float) -> float:
    """Return the probability of at least this number of successes."""
    return math.fsum(
        [
            math.comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
            for count in range(successes, trials + 1)
        ]
    )
