"""A position of the basic game and its rules; numbers in brackets are sections of the rules page.

The hot path is `legal_actions` and `apply`. So which bribes fit where is kept up to date as cards
are played, cards are numbers (see `cards`), and decisions are picked from tables of strings (see
`actions`). What people and bots look at (views, events, the result) is built only when it is
asked for, in modules of its own.
"""

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from engine.bribery import hidden
from engine.bribery.abilities import Ability, Settled
from engine.bribery.actions import (
    BRIBE_OF,
    DISCARD,
    DISCARD_OF,
    OFFICIAL,
    OFFICIAL_OF,
    PART,
    PART_BITS,
    PICK_BRIBE,
)
from engine.bribery.cards import (
    BIT,
    FIRST_OFFICIAL,
    FITTING,
    JOKER_1,
    JOKER_4,
    OFFICIALS,
    OPENS_TO,
    SEATS,
    SUIT,
    SUIT_OF,
    VALUE_OF,
)
from engine.bribery.control import NO_GRIP, NOBODY, Grip, Pile, evaluate
from engine.bribery.deal import HAND
from engine.bribery.events import Event, Story, events_for
from engine.bribery.result import describe, rank, win_weight
from engine.bribery.view import View, view_for
from engine.contract import Outcome, State
from engine.errors import GameNotOver, IllegalAction

if TYPE_CHECKING:
    from engine.bribery.variant import Bribery

PLAY: Final = "play"
OVER: Final = "over"
FORCED: Final = "forced"
SPENT: Final = "spent"
ASSASSINATED: Final = "assassinated"


class Discard(NamedTuple):
    """A bribe on the discard pile, and how it came there."""

    bribe: int
    why: str


class Forced(NamedTuple):
    """A forced discard: what it told of the rest of the hand."""

    round: int
    seat: int
    suits: frozenset[int]
    """Those that had no place then; all the cards that the seat kept were bribes of them."""


class BriberyState(State):
    """A position of one game, blank until its table is laid.

    Attributes other than those of `State` are for this package. Lists are indexed by seat,
    official or bribe as their comment says.
    """

    variant: "Bribery"
    seat_to_act: int | None
    start: int
    jokers: tuple[str, ...]
    # The board before the first action; None in a state that was imagined from a view.
    first_board: tuple[str, ...] | None
    order: tuple[int | None, ...]  # by turn: whose it is
    turn: int  # from 0
    first_turn: int  # the one in which `log` begins
    phase: str
    log: list[str]  # all actions
    decks: tuple[tuple[int, ...], ...]  # by seat: all cards of the deal from the top, drawn or not
    hands: list[list[int]]  # by seat: cards, ascending
    on_board: int  # officials
    face_up: int  # officials
    open_to: list[int]  # by suit: officials that a bribe fits [5.2]
    piles: list[Pile]  # by official: bribes in order of arrival
    bonus: Grip  # of Joker #1
    worth: tuple[int, ...]  # by bribe: its value with that bonus
    control: list[int]  # by official: its side; kept for `variant.watched` only
    discards: list[Discard]
    forced: tuple[Forced, ...]
    stories: dict[int | None, Story]  # kept for `events`, by listener
    # The advanced game only.
    options: list[str]  # what is legal unless a card is to be played; replaced, never changed
    pending: Ability | None
    settled: tuple[Settled, ...]
    asked: tuple[int, ...]  # the seats that decided whether to protect, in order

    def lay_table(
        self,
        variant: "Bribery",
        start: int,
        jokers: tuple[str, ...],
        board: Iterable[int],
        decks: tuple[tuple[int, ...], ...],
    ) -> None:
        """Begin with these officials on the board and these decks, and no hands yet."""
        self.variant = variant
        self.start = start
        self.jokers = jokers
        self.first_board = None
        self.order = variant.orders[start]
        self.turn = self.first_turn = 0
        self.seat_to_act = start
        self.phase = PLAY
        self.log = []
        self.decks = decks
        self.hands = []
        self.on_board = self.face_up = sum([BIT[official] for official in board])
        self.open_to = [self.face_up & fitting for fitting in FITTING]
        self.piles = [()] * len(OFFICIALS)
        self.bonus = NO_GRIP
        self.worth = VALUE_OF
        self.control = [NOBODY] * len(OFFICIALS)
        self.discards = []
        self.forced = ()
        self.stories = {}
        self.options = []
        self.pending = None
        self.settled = ()
        self.asked = ()

    # -- laying the table ---------------------------------------------------------------------

    def turn_up(self, official: int) -> None:
        """Put an official on the board [5.1]."""
        bit = BIT[official]
        self.on_board |= bit
        self.face_up |= bit
        for suit in OPENS_TO[official]:
            self.open_to[suit] |= bit

    def turn_down(self, official: int) -> None:
        """Take an official without bribes out of play; it stays on the board [R30]."""
        others = ~BIT[official]
        self.face_up &= others
        self.open_to = [officials & others for officials in self.open_to]

    def put(self, bribe: int, official: int) -> None:
        """Add a bribe to an official."""
        self.piles[official] += (bribe,)
        self.open_to[SUIT_OF[bribe]] &= ~BIT[official]

    def discard(self, bribe: int, why: str) -> None:
        """Put a bribe on the discard pile."""
        self.discards.append(Discard(bribe, why))

    def draw(self) -> None:
        """Begin a round: every seat draws [4]."""
        first = (self.round - 1) * HAND
        self.hands = [sorted(deck[first : first + HAND]) for deck in self.decks]

    # -- deciding -----------------------------------------------------------------------------

    def legal_actions(self) -> list[str]:
        """Return the legal actions, by ASCII code [5, 9]."""
        seat = self.seat_to_act
        if seat is None:
            return []
        open_to, free_side = self.open_to, self.control[JOKER_4]
        if free_side != NOBODY and free_side == self.variant.side_of_seat[seat]:
            # The side of Joker #4 may put its bribes anywhere [R11].
            open_to = [self.face_up] * len(open_to)
        legal: list[str] = []
        for card in self.hands[seat]:
            if card < FIRST_OFFICIAL:
                officials = open_to[SUIT[card]]
                first, second, third, fourth = PICK_BRIBE[card]
                legal += first[officials & PART_BITS]
                legal += second[officials >> PART & PART_BITS]
                legal += third[officials >> 2 * PART & PART_BITS]
                legal += fourth[officials >> 3 * PART]
            else:
                legal.append(OFFICIAL[card - FIRST_OFFICIAL])
        if not legal:  # a forced discard [5.3]
            legal = [DISCARD[card] for card in self.hands[seat]]
        return legal

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act [5]; raises `IllegalAction`."""
        seat = self.seat_to_act
        bribe_there = BRIBE_OF.get(action)
        variant = self.variant
        if bribe_there is None or seat is None:
            self._play_other(seat, action)
        else:
            card, official, suit, bit = bribe_there
            hand, open_to = self.hands[seat], self.open_to
            if card not in hand or not (
                open_to[suit] & bit
                or (self.face_up & bit and self.control[JOKER_4] == variant.side_of_seat[seat])
            ):
                raise IllegalAction(action, seat, self.legal_actions())
            hand.remove(card)
            open_to[suit] &= ~bit
            self.piles[official] += (card * SEATS + seat,)
            if variant.watches[official]:
                self.watch(official)
        self.log.append(action)
        self.turn = turn = self.turn + 1
        if variant.begins_round[turn]:
            self.draw()
        self.seat_to_act = seat = self.order[turn]
        if seat is None:
            self.phase = OVER

    def _play_other(self, seat: int | None, action: str) -> None:
        """Play an official, or make a forced discard [5.1, 5.3]."""
        official = OFFICIAL_OF.get(action)
        if official is not None and seat is not None:
            card = official + FIRST_OFFICIAL
            if card in self.hands[seat]:
                self.hands[seat].remove(card)
                self.turn_up(official)
                return
        legal = self.legal_actions()
        if seat is None or action not in legal:
            raise IllegalAction(action, seat, legal)
        card = DISCARD_OF[action]
        self.hands[seat].remove(card)
        self.discard(card * SEATS + seat, FORCED)
        shut = frozenset([suit for suit, officials in enumerate(self.open_to) if not officials])
        self.forced += (Forced(self.round, seat, shut),)

    def watch(self, official: int) -> None:
        """Bring `control` up to date after the bribes on an official have changed [6]."""
        piles, sides = self.piles, self.variant.side_table
        if official != JOKER_1:
            self.control[official] = sides.grip(piles[official], self.worth).side
            return
        bonus = sides.grip(piles[JOKER_1], VALUE_OF)
        if bonus != self.bonus:
            self.bonus = bonus
            self.worth = worth = sides.worths[bonus]
            for other in self.variant.watched:
                if piles[other]:
                    self.control[other] = sides.grip(piles[other], worth).side
        self.control[JOKER_1] = bonus.side

    def resume(self) -> None:
        """Work out who controls what, when the table has been laid in the middle of a game."""
        self.watch(JOKER_1)
        for official in self.variant.watched:
            self.watch(official)

    # -- asking -------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        """The number of the round, from 1; when the game is over that of the last one."""
        return self.variant.round_of[self.turn]

    def hand_of(self, seat: int) -> list[int]:
        """Return the cards that a seat holds, in the order in which it drew them."""
        hand = self.hands[seat]
        return [card for card in self.drawn(seat, self.round) if card in hand]

    def drawn(self, seat: int, round_number: int) -> tuple[int, ...]:
        """Return the cards that a seat draws for a round, from 1, in that order."""
        return self.decks[seat][(round_number - 1) * HAND : round_number * HAND]

    def outcome(self) -> Outcome:
        """Return points and ranks per seat, and as detail the result of section 7."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        variant = self.variant
        points = evaluate(self.piles, variant.side_table).points
        ranks = rank(points)
        sides = variant.side_of_seat
        return Outcome(
            points=tuple([points[side] for side in sides]),
            ranks=tuple([ranks[side] for side in sides]),
            describe=lambda: describe(points, sides),
            win_weight=win_weight(points),
        )

    def view(self, seat: int | None) -> View:
        """Return the view of section 10.3."""
        return view_for(self, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Event]:
        """Return the events of section 10.2."""
        return events_for(self, seat, since)

    def determinize(self, seat: int, rng: random.Random) -> Self:
        """Return a copy in which all that `seat` cannot know is drawn anew.

        It keeps what a view does not tell: what has happened when, and so what a forced discard
        told of the rest of a hand.
        """
        return hidden.determinize(self, seat, rng)

    def clone(self) -> Self:
        """Return an independent copy."""
        other = type(self)()
        # What never changes, or is replaced as a whole.
        other.variant = self.variant
        other.start = self.start
        other.jokers = self.jokers
        other.first_board = self.first_board
        other.order = self.order
        other.first_turn = self.first_turn
        other.turn = self.turn
        other.seat_to_act = self.seat_to_act
        other.phase = self.phase
        other.bonus = self.bonus
        other.worth = self.worth
        other.decks = self.decks
        other.on_board = self.on_board
        other.face_up = self.face_up
        other.forced = self.forced
        other.options = self.options
        other.pending = self.pending
        other.settled = self.settled
        other.asked = self.asked
        other.log = self.log.copy()
        other.stories = self.stories.copy()
        other.open_to = self.open_to.copy()
        other.piles = self.piles.copy()
        other.control = self.control.copy()
        other.discards = self.discards.copy()
        other.hands = [hand.copy() for hand in self.hands]
        return other
