"""Estimate how much a player gains by playing each bribe in Bribery."""
# compiled: see setup.py

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bots.bribery.board import JOKER, Board
from bots.bribery.evaluation import Evaluation, lead
from bots.bribery.fixer import LATER_GAIN_FACTOR
from bots.bribery.forecast import MASKS, PLACE_OF, Forecast
from engine.bribery.actions import BRIBE
from engine.bribery.cards import FIRST_OFFICIAL, SEATS, SUIT, VALUE_OF
from engine.bribery.position import Position

MAX_BOARDS = 1 << 11

Gains = Mapping[int, float]


class CardGains(NamedTuple):
    card: int
    gains: Gains
    first: float
    place: int
    second: float


class Outlook:
    __slots__ = ("board", "cards", "countries", "evaluation", "lead", "side")

    def __init__(self, evaluation: Evaluation, board: Board, side: int) -> None:
        self.evaluation = evaluation
        self.board = board
        self.side = side
        _, self.countries = evaluation.jokers(board[JOKER])
        self.lead = lead(evaluation.points(board), side)
        self.cards: dict[int, CardGains] = {}


class Plays:
    def __init__(self, forecast: Forecast) -> None:
        self._forecast = forecast
        self._outlooks: dict[tuple[object, ...], Outlook] = {}
        self._gains: dict[tuple[object, ...], Gains] = {}

    def values(self, position: Position) -> tuple[dict[str, float], float]:
        """Return the value of each action that plays a bribe, and a single value for all other
        actions.

        An action's value is the expected lead after the action, plus the expected gains from the
        bribes left in hand.
        """
        seat = position.seat_to_act
        assert seat is not None, "expected a game that is not over"
        outlook = self._outlook(position, seat)
        cards = self._cards(outlook, position, seat)
        rest = sum([card.first for card in cards])
        values = {}
        for place, own in enumerate(cards):
            now = outlook.lead + LATER_GAIN_FACTOR * (rest - own.first)
            actions = BRIBE[own.card]
            for official, gain in own.gains.items():
                values[actions[official]] = now + gain
            for other in (*cards[:place], *cards[place + 1 :]):
                if other.place in own.gains:  # the other card has to go elsewhere
                    values[actions[other.place]] += LATER_GAIN_FACTOR * (other.second - other.first)
        return values, outlook.lead + LATER_GAIN_FACTOR * rest

    def _cards(self, outlook: Outlook, position: Position, seat: int) -> list[CardGains]:
        known = outlook.cards
        return [
            known.get(card) or self._add(outlook, position, card)
            for card in position.hands[seat]
            if card < FIRST_OFFICIAL
        ]

    def _outlook(self, position: Position, seat: int) -> Outlook:
        forecast = self._forecast
        side = forecast.side_of(seat)
        left = forecast.unplayed(position)
        key = (side, left, position.face_up, position.face_down, position.jokers)
        outlook = self._outlooks.get((key, *position.piles))
        if outlook is None:
            if len(self._outlooks) >= MAX_BOARDS:
                self._outlooks.clear()
                self._gains.clear()
            board = forecast.board(position)
            outlook = Outlook(forecast.evaluation_after_bribe(position, side), board, side)
            self._outlooks[(key, *position.piles)] = outlook
        return outlook

    def _add(self, outlook: Outlook, position: Position, card: int) -> CardGains:
        side, board = outlook.side, outlook.board
        free = position.free_side == side
        officials = position.face_up if free else position.open_to[SUIT[card]]
        bribe = card * SEATS + side
        gains: dict[int, float] = {}
        for group, mask in MASKS.items():
            accepting = officials & mask
            if not accepting:
                continue
            # What a joker is worth depends on the whole board, so this is from a similar one.
            whole = outlook.evaluation if group == JOKER else outlook.countries
            key = (whole, group, board[group], accepting, VALUE_OF[bribe], side)
            known = self._gains.get(key)
            if known is None:
                known = self._gains[key] = self._in_group(
                    outlook, position, group, bribe, accepting
                )
            gains.update(known)
        best = outlook.cards[card] = _with_best(card, gains)
        return best

    def _in_group(
        self, outlook: Outlook, position: Position, group: str, bribe: int, accepting: int
    ) -> Gains:
        side, piles = outlook.side, outlook.board[group]
        gains = {}
        before = outlook.lead if group == JOKER else lead(outlook.countries.of(group, piles), side)
        for official in _members(accepting):
            place = PLACE_OF[official]
            pile = self._forecast.pile(group, (*position.piles[official], bribe))
            changed = (*piles[:place], pile, *piles[place + 1 :])
            if group == JOKER:
                after = lead(outlook.evaluation.points({**outlook.board, group: changed}), side)
            else:
                after = lead(outlook.countries.of(group, changed), side)
            gains[official] = after - before
        return gains


def _with_best(card: int, gains: Gains) -> CardGains:
    order = sorted(gains, key=gains.__getitem__, reverse=True)[:2]
    first, second = [*[gains[official] for official in order], 0.0, 0.0][:2]
    return CardGains(card, gains, first, order[0] if order else -1, second)


def _members(officials: int) -> Iterator[int]:
    while officials:
        bit = officials & -officials
        officials ^= bit
        yield bit.bit_length() - 1
