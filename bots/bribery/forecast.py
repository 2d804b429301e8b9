"""Predict each side's final points in a Bribery game.

The predictions are those of the bundled bot `FixerBot`, except that the inputs are rounded so
that results can be cached.
"""
# compiled: see setup.py

import math
from collections.abc import Sequence
from typing import NamedTuple

from bots.bribery.board import GROUPS, JOKER, Board, Pile, Piles, SideBribe, pile_of
from bots.bribery.cards import BRIBES
from bots.bribery.control import MEAN, Future
from bots.bribery.evaluation import Evaluation
from engine import Variant
from engine.bribery.actions import BRIBE, DISCARD, OFFICIAL
from engine.bribery.cards import (
    BIT,
    CARDS,
    FIRST_OFFICIAL,
    JOKERS,
    OFFICIALS,
    SEATS,
)
from engine.bribery.position import Position

RATE_STEP = 1.15  # expected numbers of future bribes are rounded to powers of it
SHARE_STEPS = 24  # a side's share of future bribes is a multiple of 1 / SHARE_STEPS
MANY = 1 << 10
MAX_PILES = 1 << 13

_LAYOUT = [(group, [OFFICIALS.index(name) for name in names]) for group, names in GROUPS.items()]
PLACE_OF = {number: place for _, numbers in _LAYOUT for place, number in enumerate(numbers)}
MASKS = {group: sum([BIT[number] for number in numbers]) for group, numbers in _LAYOUT}


class HandPoints(NamedTuple):
    official: float
    bribe: float
    pip: float

    def points(self, card: str) -> float:
        return self.bribe + self.pip * (BRIBES[card] - MEAN) if card in BRIBES else self.official


# Mean value of a card in a player's hand in points, estimated by linear regression.
HANDS_OF_TWO_SIDES = HandPoints(official=0.7, bribe=3.8, pip=0.32)
HANDS_OF_MORE_SIDES = HandPoints(official=0.4, bribe=2.1, pip=0.21)


class Forecast:
    def __init__(self, variant: Variant) -> None:
        self._sides = len(variant.sides)
        hand = HANDS_OF_TWO_SIDES if self._sides == 2 else HANDS_OF_MORE_SIDES
        self._worth = [hand.points(name) for name in CARDS]
        self._mean_worth = [hand.bribe if name in BRIBES else hand.official for name in CARDS]
        self.spent_by = {
            action: hand.points(name) - hand.bribe
            for card, name in enumerate(CARDS[:FIRST_OFFICIAL])
            for action in (*BRIBE[card], DISCARD[card])
        } | dict.fromkeys(OFFICIAL, 0.0)
        self.forget()

    def forget(self) -> None:
        self._evaluations: dict[Future, Evaluation] = {}
        self._evaluation_of: dict[tuple[tuple[int, ...], int], Evaluation] = {}
        self._piles: dict[tuple[str, tuple[int, ...]], Pile] = {}
        self._equal_piles: dict[tuple[int, ...], Pile] = {}
        self._rows: dict[tuple[object, ...], Piles] = {}

    def points(self, position: Position) -> list[float]:
        return self._with_hands(position, self._worth)

    def points_of_fair_hands(self, position: Position) -> list[float]:
        """Predict each side's final points as if every bribe in hand had an average value."""
        return self._with_hands(position, self._mean_worth)

    def spent(self, position: Position, actions: Sequence[str]) -> list[float]:
        """Return how many points each side's played bribes were worth, compared with average
        bribes.

        `actions` must be the last actions before `position`.
        """
        known = self.spent_by
        plays = [known[action] for action in actions if action in known]
        first = position.turn - len(plays)
        spent = [0.0] * self._sides
        for seat, pips in zip(position.order[first : position.turn], plays, strict=True):
            assert seat is not None, "it has played a card"
            spent[seat % self._sides] += pips
        return spent

    def _with_hands(self, position: Position, worth: Sequence[float]) -> list[float]:
        points = self.points_on_board(position)
        sides = self._sides
        for seat, hand in enumerate(position.hands):
            points[seat % sides] += sum([worth[card] for card in hand])
        return points

    def points_on_board(self, position: Position) -> list[float]:
        return self.evaluation(position).points(self.board(position))

    # -- boards -----------------------------------------------------------------------------------

    def unplayed(self, position: Position) -> tuple[int, ...]:
        sides, parameters = self._sides, position.parameters
        number = parameters.round_of[position.turn]
        left = [0] * sides
        for seat, hand in enumerate(position.hands):
            in_deck, _ = parameters.rest_of_deck(seat, position.start, number)
            in_hand = len([card for card in hand if card < FIRST_OFFICIAL])
            left[seat % sides] += in_deck + in_hand
        return tuple(left)

    def side_of(self, seat: int) -> int:
        return seat % self._sides

    def evaluation(self, position: Position) -> Evaluation:
        return self._evaluation(position, self.unplayed(position))

    def evaluation_after_bribe(self, position: Position, side: int) -> Evaluation:
        left = list(self.unplayed(position))
        left[side] = max(0, left[side] - 1)
        return self._evaluation(position, tuple(left))

    def _evaluation(self, position: Position, left: tuple[int, ...]) -> Evaluation:
        on_board = position.face_up | position.face_down
        places = sum([officials.bit_count() for officials in position.open_to])
        places += _hidden_places(on_board, position.jokers)
        known = self._evaluation_of.get((left, places))
        if known is None:
            if len(self._piles) >= MAX_PILES:
                self.forget()
            future = _rounded(left, places)
            known = self._evaluations.setdefault(future, Evaluation(future))
            self._evaluation_of[left, places] = known
        return known

    def board(self, position: Position) -> Board:
        piles, known = position.piles, self._rows
        board: dict[str, Piles] = {}
        for group, numbers in _LAYOUT:
            one, two, three, four = numbers
            gone = position.jokers if group == JOKER else position.face_down & MASKS[group]
            key = (group, piles[one], piles[two], piles[three], piles[four], gone)
            row = known.get(key)
            if row is None:
                row = known[key] = self._row(position, group, numbers)
            board[group] = row
        return board

    def _row(self, position: Position, group: str, numbers: Sequence[int]) -> Piles:
        row: list[Pile | None] = []
        for number in numbers:
            gone = position.face_down & BIT[number]
            if gone or (group == JOKER and OFFICIALS[number] not in position.jokers):
                row.append(None)
            else:
                row.append(self.pile(group, position.piles[number]))
        return tuple(row)

    def pile(self, group: str, bribes: tuple[int, ...]) -> Pile:
        """Return the `Pile` of an official's bribes. Piles are cached."""
        known = self._piles.get((group, bribes))
        if known is None:
            own = [
                SideBribe(CARDS[bribe // SEATS], bribe % SEATS % self._sides) for bribe in bribes
            ]
            pile = pile_of(group, tuple(own))
            sums = [0] * self._sides
            for card, side in own:
                sums[side] += MANY + BRIBES[card]
            # Piles that a forecast cannot distinguish share one object.
            known = self._equal_piles.setdefault((pile.places, *sums), pile)
            self._piles[group, bribes] = known
        return known


def _rounded(left: Sequence[int], places: int) -> Future:
    number = sum(left)
    if not number or not places:
        return Future(0.0, (0.0,) * len(left))
    rate = RATE_STEP ** round(math.log(number / places, RATE_STEP))
    return Future(rate, tuple([round(SHARE_STEPS * each / number) / SHARE_STEPS for each in left]))


def _hidden_places(on_board: int, jokers: tuple[str, ...]) -> int:
    hidden = [
        name
        for number, name in enumerate(OFFICIALS)
        if not on_board & BIT[number] and (name not in JOKERS or name in jokers)
    ]
    return sum([4 if name in JOKERS else 3 for name in hidden])
