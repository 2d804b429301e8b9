"""A position of one game: cards in decks, hands and on the board, and what was decided so far."""

from typing import Final, NamedTuple

from engine.bribery.cards import ABILITY_OF_SUIT, COUNTRY, OFFICIALS, VALUE_OF
from engine.bribery.control import NO_SIDE, Pile
from engine.bribery.parameters import HAND, Parameters

# Phases [9].
PLAY_PHASE: Final = "play"
ABILITY_PHASE: Final = "ability"
PROTECT_PHASE: Final = "protect"
SWINDLE_PHASE: Final = "swindle"
OVER_PHASE: Final = "over"


class Discard(NamedTuple):
    """A bribe on the discard pile."""

    bribe: int
    why: str
    """`forced`, `spent` or `assassinated`."""


class ForcedDiscard(NamedTuple):
    """A forced discard, as evidence of the cards that the seat kept [5.3]."""

    round: int
    seat: int
    suits: frozenset[int]
    """The suits that no official was open to. The seat kept only bribes of these suits."""


class Ability(NamedTuple):
    """An ability that has been paid for [8]."""

    seat: int
    source: int
    spent: int
    """The bribe that was paid."""
    target: int
    to_ask: tuple[int, ...] = ()
    """The seats that may still protect, in the order in which they are asked."""

    @property
    def kind(self) -> str:
        """What the ability does."""
        return ABILITY_OF_SUIT[COUNTRY[self.source]]


class SettledAbility(NamedTuple):
    """An ability that took effect or was cancelled."""

    actions: int
    """The length of the log when it was settled."""
    ability: Ability
    by: int | None
    """The seat that cancelled it."""
    discarded: tuple[int, ...]
    """The bribes that the target of an assassination lost."""


FIELDS: Final = (
    "asked",
    "bribe_values",
    "control",
    "decks",
    "discards",
    "face_down",
    "face_up",
    "first_board",
    "first_turn",
    "forced",
    "hands",
    "jokers",
    "log",
    "open_to",
    "options",
    "order",
    "parameters",
    "pending",
    "phase",
    "piles",
    "seat_to_act",
    "settled",
    "start",
    "turn",
)


class Position:
    """The plain data of a position. A new position is an empty table before the deal."""

    __slots__ = FIELDS

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.start = 0
        self.jokers: tuple[str, ...] = ()
        self.first_board: tuple[str, ...] | None = None
        """The board before the first action; None in a position imagined from a view."""
        self.first_turn = 0
        """The turn at which `log` begins."""

        self.order = parameters.orders[0]
        """By turn, from 0: the seat whose turn it is; None after the last."""
        self.turn = 0
        self.seat_to_act: int | None = 0
        self.phase = PLAY_PHASE
        self.log: list[str] = []
        """All actions so far."""

        self.decks: tuple[tuple[int, ...], ...] = ()
        """By seat: all cards of its deck from the top, whether or not they have been drawn."""
        self.hands: list[list[int]] = []
        """By seat: its cards, ascending."""
        self.face_up = 0
        """The set of officials in play."""
        self.face_down = 0
        """The set of officials that were assassinated."""
        self.piles: list[Pile] = [()] * len(OFFICIALS)
        """By official: its bribes in order of arrival."""
        self.discards: tuple[Discard, ...] = ()
        self.forced: tuple[ForcedDiscard, ...] = ()

        # These follow from the fields above. They are kept up to date for speed.
        self.open_to = [0, 0, 0, 0]
        """By suit: the set of officials that accept a bribe of it [5.2]."""
        self.bribe_values = VALUE_OF
        """By bribe: its value on any official but Joker #1."""
        self.control = [NO_SIDE] * len(OFFICIALS)
        """By official: its side. Only correct for officials in `parameters.tracked`."""
        self.options: list[str] = []
        """The legal decisions about an ability; empty when a card is to be played."""

        # The advanced game only.
        self.pending: Ability | None = None
        self.settled: tuple[SettledAbility, ...] = ()
        self.asked: tuple[int, ...] = ()
        """The seats that decided whether to protect, in order."""

    @property
    def round(self) -> int:
        """The number of the round, from 1. When the game is over, it is that of the last round."""
        return self.parameters.round_of[self.turn]

    def hand_of(self, seat: int) -> list[int]:
        """Return the cards in the hand of `seat` in the order in which they were drawn."""
        hand = self.hands[seat]
        return [card for card in self.drawn(seat, self.round) if card in hand]

    def drawn(self, seat: int, round_number: int) -> tuple[int, ...]:
        """Return the cards that `seat` draws for round `round_number`, from 1, in that order."""
        return self.decks[seat][(round_number - 1) * HAND : round_number * HAND]

    def copy(self) -> "Position":
        """Return an independent copy."""
        other = Position.__new__(Position)  # `__init__` would fill it in vain
        # Fields that never change, or that are replaced as a whole.
        other.parameters = self.parameters
        other.start = self.start
        other.jokers = self.jokers
        other.first_board = self.first_board
        other.first_turn = self.first_turn
        other.order = self.order
        other.turn = self.turn
        other.seat_to_act = self.seat_to_act
        other.phase = self.phase
        other.decks = self.decks
        other.face_up = self.face_up
        other.face_down = self.face_down
        other.discards = self.discards
        other.forced = self.forced
        other.bribe_values = self.bribe_values
        other.options = self.options
        other.pending = self.pending
        other.settled = self.settled
        other.asked = self.asked
        # Lists that change in place.
        other.log = self.log.copy()
        other.hands = list(map(list.copy, self.hands))
        other.piles = self.piles.copy()
        other.open_to = self.open_to.copy()
        other.control = self.control.copy()
        return other

    # A compiled class has no default way to be pickled.

    def __getstate__(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in FIELDS])

    def __setstate__(self, values: tuple[object, ...]) -> None:
        for name, value in zip(FIELDS, values, strict=True):
            setattr(self, name, value)
