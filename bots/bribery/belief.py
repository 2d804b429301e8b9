"""Estimate the likelihood of a hidden hand in Bribery from the opponent's plays in this round.

The likelihood of a hand is the probability that the bundled bot `FixerBot` would have made the
same plays with this hand.
"""
# compiled: see setup.py

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bots.any_game.guide_formulas import choice_probability
from bots.bribery.plays import Plays
from engine.bribery.actions import BRIBE_OF, OFFICIAL, OFFICIAL_OF
from engine.bribery.cards import BIT, FIRST_OFFICIAL, SEATS
from engine.bribery.position import Position
from engine.bribery.rules.board import refresh

TEMPERATURE = 0.5  # of a softmax over values in points
ERROR_PROBABILITY = 0.1


class ObservedPlay(NamedTuple):
    board: Position
    seat: int
    action: str
    played: Sequence[int]


class Belief:
    def __init__(self, plays: Plays) -> None:
        self._plays = plays
        self._past: dict[int, list[ObservedPlay]] = {}
        self._probabilities: dict[tuple[int, ...], float] = {}

    def begin(self, position: Position, actions: Sequence[str]) -> None:
        self._past = _by_seat(_look_back(position, actions))
        self._probabilities = {}

    def likelihood(self, world: Position) -> float:
        """Return how likely the opponents' plays are, given their hands in `world`."""
        likelihood = 1.0
        for seat, past in self._past.items():
            hand = (seat, *world.hands[seat])
            probability = self._probabilities.get(hand)
            if probability is None:
                shares = [self._share(play, world.hands[seat]) for play in past]
                probability = self._probabilities[hand] = math.prod(shares)
            likelihood *= probability
        return likelihood

    def _share(self, play: ObservedPlay, left: Sequence[int]) -> float:
        board, hand = play.board, sorted([*left, *play.played])
        board.hands[play.seat] = hand
        values, other = self._plays.values(board)
        if hand[-1] >= FIRST_OFFICIAL:
            values[OFFICIAL[hand[-1] - FIRST_OFFICIAL]] = other
        chosen = [*values].index(play.action)
        return choice_probability([*values.values()], chosen, TEMPERATURE, ERROR_PROBABILITY)


def _by_seat(plays: Iterable[ObservedPlay]) -> dict[int, list[ObservedPlay]]:
    by_seat: dict[int, list[ObservedPlay]] = {}
    for play in plays:
        by_seat.setdefault(play.seat, []).append(play)
    return by_seat


def _look_back(position: Position, actions: Sequence[str]) -> Iterator[ObservedPlay]:
    """Yield the opponents' plays in the current round, most recent first."""
    board = position.copy()
    first = position.parameters.first_turns[position.round - 1]
    played: dict[int, list[int]] = {}
    for action in reversed(actions):
        if board.turn <= first:
            return
        if action == "no-ability":
            continue
        seat = board.order[board.turn - 1]
        card = _take_back(board, action)
        if card is None or seat is None:  # an ability, whose effects are not undone here
            return
        board.turn -= 1
        board.hands[seat].append(card)
        cards = played.setdefault(seat, [])
        cards.append(card)
        if seat != position.seat_to_act:
            before = board.copy()
            before.seat_to_act = seat
            yield ObservedPlay(before, seat, action, tuple(cards))


def _take_back(position: Position, action: str) -> int | None:
    bribery = BRIBE_OF.get(action)
    if bribery is not None:
        card, _, official, *_ = bribery
        *before, last = position.piles[official] or (None,)
        if last is None or last // SEATS != card:
            return None
        position.piles[official] = tuple(before)
    elif action in OFFICIAL_OF:
        official = OFFICIAL_OF[action]
        card = official + FIRST_OFFICIAL
        position.face_up &= ~BIT[official]
    else:
        return None
    refresh(position)
    return card
