"""A position of the game, and how it goes on; numbers in brackets are sections of the rules page.

What is still to be done lies on a stack of *steps*: plain tuples of a function and its arguments.
`advance` takes the top step and carries it out; it puts down what follows it, or asks a seat. So
windows within windows need neither recursion nor coroutines, and a state is nothing but lists of
numbers, strings and tuples, which are cheap to copy. The steps themselves are in the modules of
their subject: `set_up`, `placement`, `colonies`, `resolution`, `turn`, `playing`, `guides`,
`murder`, `end_of_round`.
"""

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine.brides_and_bribes import hidden
from engine.brides_and_bribes.events import Event
from engine.brides_and_bribes.proofs import Proof
from engine.brides_and_bribes.scoring import describe, rank
from engine.brides_and_bribes.story import Chapter, Note, events_for
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    COACHES,
    COINS,
    COLOURS,
    NONE,
    SEATS,
    SHOPS,
    SPOTS,
    TOKENS,
    WORKERS,
)
from engine.brides_and_bribes.view import View
from engine.brides_and_bribes.viewing import view_for
from engine.contract import Outcome, State
from engine.errors import GameNotOver, IllegalAction

if TYPE_CHECKING:
    from engine.brides_and_bribes.variant import BridesAndBribes

OPENING, PLACEMENT, COLONIES = "opening", "placement", "colonies"
RESOLUTION, END, OVER = "resolution", "end", "over"

Tiles = tuple[int, ...]
Step = Callable[..., None]
"""What is done next: a function of the state and of the arguments that lie beside it."""
Play = tuple[int, int, int, int]
"""A play in its exchange: seat, tile, argument, and the victim or none [7.5]."""


class BridesAndBribesState(State):
    """A position of one game.

    Attributes other than those of `State` are for this package. A comment says by what a list is
    indexed; numbers are those of `tiles`, and `NONE` stands for none.
    """

    __slots__ = (
        "actions_left",
        "active",
        "alley_hidden",
        "alley_shown",
        "borough",
        "borough_workers",
        "box_tails",
        "boxes",
        "bride_change",
        "brides",
        "chapters",
        "charm_change",
        "charmed",
        "chosen",
        "closed",
        "coaches",
        "coin_pile",
        "coins",
        "commons",
        "decks",
        "declared",
        "delegates",
        "delegations",
        "drawn_for",
        "edict",
        "exposed",
        "families",
        "favor_asked",
        "favor_order",
        "first_seat",
        "guide",
        "guide_married",
        "guide_used",
        "hand",
        "hands",
        "in_play",
        "influence",
        "known_below",
        "lord_change",
        "lords",
        "lover",
        "marriage_banned",
        "open",
        "options",
        "order",
        "out",
        "passed",
        "pending",
        "phase",
        "placing",
        "prestige_change",
        "proofs",
        "queue",
        "resolved",
        "round",
        "ship",
        "ship_tiles",
        "shops",
        "shops_taken",
        "spouse",
        "spouse_seat",
        "stack",
        "stock",
        "story",
        "taken",
        "token_pile",
        "tokens",
        "used",
        "window",
        "worker_pile",
        "workers",
        "workers_banned",
    )

    variant: "BridesAndBribes"

    def __init__(self, variant: "BridesAndBribes") -> None:
        n, boroughs = variant.seats, len(BOROUGHS)
        self.variant = variant
        self.in_play: Tiles = ()  # the boroughs of the deal, ascending
        # -- the course
        self.seat_to_act: int | None = None
        self.window: str | None = None  # of the decision that is asked [5]
        self.options: Sequence[str] = ()  # its legal list; replaced, never changed
        self.stack: list[tuple[Step, tuple[Any, ...]]] = []  # the next step is the last
        self.phase = OPENING
        self.round = 0
        self.first_seat = 0  # F
        self.favor_order: Tiles = ()  # best first
        self.favor_asked: Tiles = ()  # in this round, in order
        self.passed = [False] * n  # by seat
        self.actions_left = 0  # of the turn in placement; 0 outside of it
        self.placing = NONE  # where the `tile` decision puts one: a destination of `actions`
        # -- the supply
        self.coin_pile = COINS
        self.token_pile = TOKENS
        self.worker_pile = [WORKERS] * len(COLOURS)  # by colour
        # -- by seat
        self.families: Tiles = (NONE,) * n
        self.coins = [0] * n
        self.influence = [0] * n
        self.workers = [[0] * len(COLOURS) for _ in range(n)]  # by seat and colour
        self.shops: list[Tiles] = [()] * n  # cards, in the order of building
        self.used: list[Tiles] = [()] * n  # used objects, not yet bought back
        self.coaches = [COACHES] * n  # those left
        self.hands: list[Tiles] = [()] * n
        self.alley_shown: list[Tiles] = [()] * n  # tiles that all have seen in this round
        self.alley_hidden: list[Tiles] = [()] * n
        self.delegations: list[Tiles] = [()] * (boroughs * SEATS)  # by borough * SEATS + seat
        self.ship = [0] * n  # the number of the seat's ship; 0 if it has none
        self.ship_tiles: list[Tiles] = [()] * n
        # -- by borough
        self.lords = [NONE] * boroughs
        self.borough_workers = [[0] * len(COLOURS) for _ in BOROUGHS]  # by borough and colour
        self.tokens = [0] * boroughs
        self.commons = [NONE] * boroughs  # the common that lies open
        self.decks: list[Tiles] = [()] * boroughs  # face down, top first
        self.known_below: list[Tiles] = [()] * boroughs  # the seats that know the top
        self.resolved = [False] * boroughs  # in the last resolution phase
        self.brides = [NONE] * len(SPOTS)  # by spot
        self.spouse_seat = [NONE] * len(SPOTS)  # by spot: who is wed to the bride there
        self.spouse = [NONE] * len(SPOTS)  # by spot: the loyal on her
        # -- elsewhere
        self.boxes: list[Tiles] = [(), ()]  # by place: brides, front first
        self.box_tails = [0, 0]  # by place: how many at the back all saw come there
        self.shops_taken = [0] * len(SHOPS)  # by shop: cards that were built
        self.stock: frozenset[int] = frozenset()  # dowry objects that no seat owns
        self.out: Tiles = ()  # commons that left the game
        # -- the resolution of a borough [7.1]; h, g, pm, cm are `hand`, `guide`, ..._change
        self.borough = NONE
        self.delegates: Tiles = ()  # D
        self.hand: list[Tiles] = [()] * n  # by seat, as all below: the borough hand
        self.chosen = [NONE] * n  # the guide that is not yet revealed; it lies in the hand
        self.guide = [NONE] * n  # a seat is present if and only if it has one
        self.guide_used = [False] * n
        self.guide_married = [False] * n
        self.prestige_change = [0] * n
        self.charm_change = [0] * n
        self.closed: list[Tiles] = [()] * n  # declarations that failed, in that order
        self.edict = [False] * n
        self.open = [False] * n
        self.exposed: frozenset[int] = frozenset()  # tiles in borough hands that all have seen
        self.lord_change = 0
        self.bride_change = 0
        self.marriage_banned = False
        self.workers_banned = False
        self.order: Tiles = ()
        self.queue: Tiles = ()
        self.active = NONE  # A
        self.declared = NONE  # X
        self.charmed = False  # whether a charmer took effect against it
        self.taken = [0] * len(COLOURS)  # workers of this `employ`, not yet exchanged
        self.lover = NONE  # the seat that the dowry will go to
        self.pending: Play | None = None
        # -- memory
        self.story: list[Note] = []  # what has happened since the last chapter
        self.chapters: tuple[Chapter, ...] = ()  # the set-up, then one for each round
        self.drawn_for: tuple[tuple[int, int], ...] = ()  # see `story.events_for`
        self.proofs: tuple[Proof, ...] = ()  # of this round

    # -- going on -----------------------------------------------------------------------------

    def push(self, step: Step, *arguments: Any) -> None:
        """Let this step be the next."""
        self.stack.append((step, arguments))

    def ask(
        self, seat: int, window: str, options: Sequence[str], answer: Step, *arguments: Any
    ) -> None:
        """Let a seat decide; `answer` is given the action and these arguments.

        A decision with one option is carried out at once [R5]. So a step asks last of all.
        """
        if len(options) == 1:
            answer(self, options[0], *arguments)
            return
        self.seat_to_act = seat
        self.window = window
        self.options = options
        self.stack.append((answer, arguments))

    def advance(self) -> None:
        """Go on until a seat is asked or nothing is left to do."""
        stack = self.stack
        while self.seat_to_act is None and stack:
            step, arguments = stack.pop()
            step(self, *arguments)

    def tell(self, *event: Any) -> None:
        """Add to the story: a function of `story`, and its arguments."""
        self.story.append(event)

    def end_chapter(self) -> None:
        """Close the story so far, which will not change any more."""
        self.chapters += (Chapter(self.story),)
        self.story = []

    # -- deciding -----------------------------------------------------------------------------

    def legal_actions(self) -> list[str]:
        """Return the legal actions, by ASCII code [5]."""
        return [*self.options]

    def apply(self, action: str) -> None:
        """Do `action` for the seat to act; raises `IllegalAction`."""
        if action not in self.options:
            raise IllegalAction(action, self.seat_to_act, self.options)
        self.seat_to_act = self.window = None
        self.options = ()
        answer, arguments = self.stack.pop()
        answer(self, action, *arguments)
        self.advance()

    # -- asking -------------------------------------------------------------------------------

    def others(self, seat: int) -> list[int]:
        """Return the present seats other than this one, clockwise from it [7.1]."""
        guide = self.guide
        return [other for other in self.variant.after[seat] if guide[other] >= 0]

    def usable(self, seat: int) -> Tiles:
        """Return the tiles that a present seat can play: its guide counts until used [7.1]."""
        hand = self.hand[seat]
        return hand if self.guide_used[seat] else (*hand, self.guide[seat])

    def outcome(self) -> Outcome:
        """Return final influence and ranks per seat, and as detail the result of section 11."""
        if self.seat_to_act is not None:
            raise GameNotOver(f"no outcome yet: seat {self.seat_to_act} is to act")
        return Outcome(
            points=tuple(self.influence),
            ranks=tuple(rank(self)),
            describe=lambda: describe(self),
        )

    def view(self, seat: int | None) -> View:
        """Return the view of section 11."""
        return view_for(self, seat)

    def events(self, seat: int | None, since: int = 0) -> list[Event]:
        """Return the events of section 10."""
        return events_for(self, seat, since)

    def determinize(self, seat: int, rng: random.Random) -> "BridesAndBribesState":
        """Return a copy in which all that `seat` cannot know is drawn anew."""
        return hidden.determinize(self, seat, rng)

    def clone(self) -> "BridesAndBribesState":
        """Return an independent copy."""
        other = object.__new__(BridesAndBribesState)
        # What never changes, or is replaced as a whole.
        other.variant = self.variant
        other.in_play = self.in_play
        other.families = self.families
        other.seat_to_act = self.seat_to_act
        other.window = self.window
        other.options = self.options
        other.phase = self.phase
        other.round = self.round
        other.first_seat = self.first_seat
        other.favor_order = self.favor_order
        other.favor_asked = self.favor_asked
        other.actions_left = self.actions_left
        other.placing = self.placing
        other.coin_pile = self.coin_pile
        other.token_pile = self.token_pile
        other.stock = self.stock
        other.out = self.out
        other.borough = self.borough
        other.delegates = self.delegates
        other.exposed = self.exposed
        other.lord_change = self.lord_change
        other.bride_change = self.bride_change
        other.marriage_banned = self.marriage_banned
        other.workers_banned = self.workers_banned
        other.order = self.order
        other.queue = self.queue
        other.active = self.active
        other.declared = self.declared
        other.charmed = self.charmed
        other.lover = self.lover
        other.pending = self.pending
        other.chapters = self.chapters
        other.drawn_for = self.drawn_for
        other.proofs = self.proofs
        # Lists of what never changes.
        other.stack = self.stack.copy()
        other.passed = self.passed.copy()
        other.worker_pile = self.worker_pile.copy()
        other.coins = self.coins.copy()
        other.influence = self.influence.copy()
        other.shops = self.shops.copy()
        other.used = self.used.copy()
        other.coaches = self.coaches.copy()
        other.hands = self.hands.copy()
        other.alley_shown = self.alley_shown.copy()
        other.alley_hidden = self.alley_hidden.copy()
        other.delegations = self.delegations.copy()
        other.ship = self.ship.copy()
        other.ship_tiles = self.ship_tiles.copy()
        other.lords = self.lords
        other.tokens = self.tokens.copy()
        other.commons = self.commons.copy()
        other.decks = self.decks.copy()
        other.known_below = self.known_below.copy()
        other.resolved = self.resolved.copy()
        other.brides = self.brides.copy()
        other.spouse_seat = self.spouse_seat.copy()
        other.spouse = self.spouse.copy()
        other.boxes = self.boxes.copy()
        other.box_tails = self.box_tails.copy()
        other.shops_taken = self.shops_taken.copy()
        other.hand = self.hand.copy()
        other.chosen = self.chosen.copy()
        other.guide = self.guide.copy()
        other.guide_used = self.guide_used.copy()
        other.guide_married = self.guide_married.copy()
        other.prestige_change = self.prestige_change.copy()
        other.charm_change = self.charm_change.copy()
        other.closed = self.closed.copy()
        other.edict = self.edict.copy()
        other.open = self.open.copy()
        other.taken = self.taken.copy()
        other.story = self.story.copy()
        other.workers = [row.copy() for row in self.workers]
        other.borough_workers = [row.copy() for row in self.borough_workers]
        return other
