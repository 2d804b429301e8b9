"""The data of a Bribery game in progress."""
# compiled: see setup.py

from typing import Any, Final

from engine.bribery.cards import ALL_OFFICIALS, OFFICIALS, VALUE_OF
from engine.bribery.control import NO_SIDE, UNCONTROLLED, Controller, Pile
from engine.bribery.parameters import HAND_SIZE, Parameters

# Phases [9].
PLAY_PHASE: Final = "play"
ABILITY_PHASE: Final = "ability"
PROTECT_PHASE: Final = "protect"
SWINDLE_PHASE: Final = "swindle"
OVER_PHASE: Final = "over"


# Plain tuples, because a playout creates many of them.
Discard = tuple[int, str]
ForcedDiscard = tuple[int, int, frozenset[int]]  # round, seat, suits that no official accepted
Ability = tuple[int, int, int, int]  # seat, source, spent bribe, target
# The length of the log when the ability was resolved, the ability, the seat that cancelled it, and
# the bribes that were discarded from the target.
SettledAbility = tuple[int, Ability, int | None, tuple[int, ...]]


class Position:
    # Without slots, an object with more than 30 attributes takes twice as long to copy.
    __slots__ = (
        "board",
        "bribe_values",
        "control",
        "controlled",
        "decks",
        "discards",
        "face_down",
        "face_up",
        "first_board",
        "forced",
        "free_side",
        "hands",
        "histories",
        "jokers",
        "log",
        "open_to",
        "options",
        "order",
        "parameters",
        "pending",
        "phase",
        "piles",
        "protection_seats",
        "seat_to_act",
        "settled",
        "start",
        "to_ask",
        "turn",
    )

    parameters: Parameters
    start: int
    jokers: tuple[str, ...]
    first_board: tuple[str, ...]  # the officials before the first action

    order: tuple[int | None, ...]  # by turn, from 0: the seat to play a card; None at the end
    turn: int
    seat_to_act: int | None
    phase: str
    log: list[str]  # all actions so far

    decks: tuple[tuple[int, ...], ...]  # by seat: its deck from the top, with the drawn cards
    hands: list[list[int]]  # by seat: cards, ascending
    face_up: int  # the set of officials in play
    face_down: int  # the set of officials that were assassinated
    piles: list[Pile]  # by official: bribes in order of arrival
    discards: tuple[Discard, ...]
    forced: tuple[ForcedDiscard, ...]

    # These fields are derived from other fields and are updated incrementally for speed.
    open_to: list[int]  # by suit: the set of officials that accept it [5.2]
    free_side: int  # the side that controls Joker #4 [R11]
    bribe_values: tuple[int, ...]  # by bribe: its value on any official but Joker #1
    control: list[Controller]  # by official: see `rules.board.controllers`
    controlled: list[int]  # by side, then uncontrolled: sets of officials; advanced game only
    options: list[str]  # legal actions for an ability; empty in the play phase

    # Used only in the advanced game.
    pending: Ability | None
    to_ask: tuple[int, ...]  # the seats that may still protect, in order
    settled: tuple[SettledAbility, ...]
    protection_seats: tuple[int, ...]  # the seats that decided whether to protect, in order

    # Caches for views and events. They are replaced, never modified.
    board: Any
    histories: dict[int | None, Any]  # by viewer

    @property
    def round(self) -> int:
        return self.parameters.round_of[self.turn]

    def hand_of(self, seat: int) -> list[int]:
        hand = self.hands[seat]
        end = self.parameters.round_of[self.turn] * HAND_SIZE
        return [card for card in self.decks[seat][end - HAND_SIZE : end] if card in hand]

    def drawn(self, seat: int, round_number: int) -> tuple[int, ...]:
        return self.decks[seat][(round_number - 1) * HAND_SIZE : round_number * HAND_SIZE]

    def copy(self) -> "Position":
        other = Position()
        # Fields that never change or are only replaced.
        other.parameters = self.parameters
        other.start = self.start
        other.jokers = self.jokers
        other.first_board = self.first_board
        other.order = self.order
        other.turn = self.turn
        other.seat_to_act = self.seat_to_act
        other.phase = self.phase
        other.decks = self.decks
        other.face_up = self.face_up
        other.face_down = self.face_down
        other.discards = self.discards
        other.forced = self.forced
        other.free_side = self.free_side
        other.bribe_values = self.bribe_values
        other.options = self.options
        other.pending = self.pending
        other.to_ask = self.to_ask
        other.settled = self.settled
        other.protection_seats = self.protection_seats
        other.board = self.board
        other.histories = self.histories
        # Lists that are modified in place.
        other.log = self.log.copy()
        other.hands = [hand.copy() for hand in self.hands]
        other.piles = self.piles.copy()
        other.open_to = self.open_to.copy()
        other.control = self.control.copy()
        other.controlled = self.controlled.copy()
        return other


def empty_position(parameters: Parameters) -> Position:
    position = Position()
    position.parameters = parameters
    position.start = 0
    position.jokers = ()
    position.first_board = ()
    position.order = parameters.orders[0]
    position.turn = 0
    position.seat_to_act = 0
    position.phase = PLAY_PHASE
    position.log = []
    position.decks = ()
    position.hands = []
    position.face_up = position.face_down = 0
    position.piles = [()] * len(OFFICIALS)
    position.discards = ()
    position.forced = ()
    position.open_to = [0, 0, 0, 0]
    position.free_side = NO_SIDE
    position.bribe_values = VALUE_OF
    position.control = [UNCONTROLLED] * len(OFFICIALS)
    position.controlled = [0] * parameters.side_table.count + [ALL_OFFICIALS]
    position.options = []
    position.pending = None
    position.to_ask = ()
    position.settled = ()
    position.protection_seats = ()
    position.board = None
    position.histories = {}
    return position
