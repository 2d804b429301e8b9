"""The data of a Pot de Vin game in progress."""
# compiled: see setup.py

from typing import Any, Final

from engine.pot_de_vin.actions import BIT, CARD, PASS, PLAYS, SIZE
from engine.pot_de_vin.cards import VALUES
from engine.pot_de_vin.parameters import PILE_SIZE, Parameters

PastRound = tuple[tuple[int, ...], list[str], int]

NO_CARDS: Final = [0, 0, 0, 0]
NOT_LED: Final = -1  # `Position.led` before a card has been led

_BITS: Final = len(VALUES)
_SUIT: Final = (1 << _BITS) - 1


class Position:
    """The data of a position. Copies share all values except lists."""

    parameters: Parameters
    starting_seat: int
    seat_to_act: int | None  # None when the game is over
    round: int  # 0 during the set-up
    active: tuple[int, ...]  # the seats that act in this round, in order
    trick: list[str]  # the actions of this round, in the order of `active`
    led: int  # the number of the led character, or `NOT_LED`
    past_rounds: tuple[PastRound, ...]
    hands: list[list[int]]  # by seat and character: a suit
    gems: list[int]  # by seat: the gems to pass with
    tallies: list[int]  # by seat: the cards and gems it has won (see `cards`)
    lacking: int  # set of characters that each seat lacks (see `lacking_bit`)
    gems_removed: tuple[int, ...]  # by seat [5.4]
    discards: tuple[str | None, ...]  # by seat: its discard in the set-up
    trumps: tuple[str, ...]  # the trump pile during set-up, then the trump card of each round
    trump_orders: tuple[tuple[int, ...], ...]  # empty unless the trump pile is recycled

    # Caches for views and events. They are replaced, never modified.
    past_view: Any
    history: Any

    def copy(self) -> "Position":
        other = Position()
        other.parameters = self.parameters
        other.starting_seat = self.starting_seat
        other.seat_to_act = self.seat_to_act
        other.round = self.round
        other.active = self.active
        other.trick = self.trick.copy()
        other.led = self.led
        other.past_rounds = self.past_rounds
        other.hands = [hand.copy() for hand in self.hands]
        other.gems = self.gems.copy()
        other.tallies = self.tallies.copy()
        other.lacking = self.lacking
        other.gems_removed = self.gems_removed
        other.discards = self.discards
        other.trumps = self.trumps
        other.trump_orders = self.trump_orders
        other.past_view = self.past_view
        other.history = self.history
        return other

    def give_hand(self, seat: int, cards: tuple[str, ...]) -> None:
        hand = 0
        for card in cards:
            hand |= BIT[card]
        self.hands[seat] = split_by_character(hand)

    def hand_of(self, seat: int) -> tuple[str, ...]:
        hand = self.hands[seat]
        return tuple(
            [CARD[play] for plays, suit in zip(PLAYS, hand, strict=True) for play in plays[suit]]
        )

    def hand_sizes(self) -> tuple[int, ...]:
        return tuple(
            [
                SIZE[aldo] + SIZE[pietra] + SIZE[enzo] + SIZE[ugo]
                for aldo, pietra, enzo, ugo in self.hands
            ]
        )

    def discarders(self) -> tuple[int, ...]:
        return self.parameters.clockwise[self.starting_seat][1 - PILE_SIZE :]

    def winnings_of_round(self, number: int) -> tuple[list[str], int]:
        """Return which cards and how many gems the winner of a finished round took [5.4]."""
        _, trick, _ = self.past_rounds[number - 1]
        cards = [CARD[action] for action in trick if action != PASS]
        gems = len(trick) - len(cards)
        if not self.parameters.recycled_trumps:  # a recycled trump card stays in the pile
            cards.append(self.trumps[number - 1])
        return cards, gems

    def winnings(self) -> tuple[list[list[str]], list[int]]:
        areas: list[list[str]] = [[] for _ in self.hands]
        treasure = [0] * len(areas)
        for number, (_, _, winner) in enumerate(self.past_rounds, 1):
            cards, gems = self.winnings_of_round(number)
            areas[winner] += cards
            treasure[winner] += gems
        return areas, treasure


def split_by_character(cards: int) -> list[int]:
    return [
        cards & _SUIT,
        cards >> _BITS & _SUIT,
        cards >> 2 * _BITS & _SUIT,
        cards >> 3 * _BITS,
    ]


def lacking_bit(seat: int, character: int) -> int:
    """Return the bit that is set in `Position.lacking` if a seat has no card of a character."""
    return 1 << len(NO_CARDS) * seat + character


def empty_position(parameters: Parameters) -> Position:
    n = parameters.seats
    position = Position()
    position.parameters = parameters
    position.starting_seat = 0
    position.seat_to_act = None
    position.round = 0
    position.active = ()
    position.trick = []
    position.led = NOT_LED
    position.past_rounds = ()
    position.hands = [NO_CARDS.copy() for _ in range(n)]
    position.gems = [parameters.gems] * n
    position.tallies = [0] * n
    position.lacking = 0
    position.gems_removed = (0,) * n
    position.discards = (None,) * n
    position.trumps = ()
    position.trump_orders = ()
    position.past_view = position.history = None
    return position
