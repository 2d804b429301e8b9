"""The state of a Brides & Bribes game in progress.

Every position has a stack of pending steps, which are pairs of a function and its argument.
`Position.advance` pops steps from the stack and calls them until one asks a seat for a decision.
A step may push more steps. Since pending steps are part of the position and not of Python's call
stack, a position can be copied at any decision.
"""
# compiled: see setup.py

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position.log import Log, empty_log
from engine.brides_and_bribes.position.resolution import Resolution, Tiles, new_resolution
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    COACHES,
    COINS,
    COLOURS,
    FIRST_OBJECT,
    KIND,
    NONE,
    SEATS,
    SHOPS,
    SPOTS,
    TOKENS,
    WORKERS,
)

Step = Callable[["Position", Any], None]
Answer = Callable[["Position", str, Any], None]
Change = tuple[int, str, int]  # a seat, or `SEATS` plus a borough; what changes; the amount
Changes = tuple[Change, ...]
Proof = tuple[str, tuple[int, ...]]  # a public fact about hidden tiles [10], and the tiles

OBJECTS: Final = "objects"  # all tiles are objects
CHARACTER: Final = "character"  # at least one tile is a character
KILLER: Final = "killer"  # at least one tile is an assassin or poison

KILLERS: Final = ("assassin", "poison")
IS_KILLER: Final = tuple([kind in KILLERS for kind in KIND])


class Position:
    """The data of a position. `NONE` marks missing values."""

    # Without slots, an object with more than 30 attributes takes twice as long to copy.
    __slots__ = (
        "actions_left",
        "alley_hidden",
        "alley_shown",
        "borough_workers",
        "box_tails",
        "boxes",
        "brides",
        "coaches",
        "coin_pile",
        "coins",
        "commons",
        "decks",
        "delegations",
        "families",
        "favor_asked",
        "favor_order",
        "first_seat",
        "hands",
        "in_play",
        "influence",
        "known_below",
        "log",
        "lords",
        "options",
        "out",
        "parameters",
        "passed",
        "phase",
        "placing",
        "proofs",
        "resolution",
        "resolved",
        "round",
        "seat_to_act",
        "ship",
        "ship_tiles",
        "shops",
        "shops_taken",
        "spouse",
        "spouse_seat",
        "stack",
        "stock",
        "token_pile",
        "tokens",
        "used",
        "window",
        "worker_pile",
        "workers",
    )

    parameters: Parameters
    in_play: Tiles  # the boroughs of the deal, ascending
    # -- the next decision
    seat_to_act: int | None
    window: str | None  # the kind of the decision [5]
    options: Sequence[str]  # its legal actions; replaced, never modified
    stack: list[tuple[Any, Any]]  # steps and their arguments; the last one is next
    # -- the round
    phase: str
    round: int
    first_seat: int  # F
    favor_order: Tiles  # best first
    favor_asked: Tiles  # in this round, in order
    passed: Tiles  # seats, in order
    resolved: Tiles  # boroughs of the last resolution phase, in order
    actions_left: int  # in this placement turn; 0 in other phases
    placing: int  # the destination of the next tile (see `actions`)
    # -- the supply
    coin_pile: int
    token_pile: int
    worker_pile: list[int]  # by colour
    # -- by seat
    families: Tiles
    coins: list[int]
    influence: list[int]
    workers: list[list[int]]  # by seat and colour
    shops: list[Tiles]  # workshop cards, in the order of building
    used: list[Tiles]  # used objects, not yet bought back
    coaches: list[int]  # coaches left
    hands: list[Tiles]
    alley_shown: list[Tiles]  # tiles that all seats have seen in this round
    alley_hidden: list[Tiles]
    delegations: list[Tiles]  # by borough * SEATS + seat
    ship: list[int]  # the number of the seat's ship; 0 if it has none
    ship_tiles: list[Tiles]
    # -- by borough
    lords: list[int]  # set once
    borough_workers: list[Tiles]  # by borough and colour
    tokens: list[int]
    commons: list[int]  # the face-up common
    decks: list[Tiles]  # face down, top first
    known_below: list[Tiles]  # the seats that know the top of the deck
    # -- by spot
    brides: list[int]
    spouse_seat: list[int]  # the seat that is married to the bride there
    spouse: list[int]  # the loyal that is married to her
    # -- elsewhere
    boxes: list[Tiles]  # by place: brides, front first
    box_tails: list[int]  # by place: number of brides at the back whose order is public
    shops_taken: list[int]  # by shop: cards that were built
    stock: frozenset[int]  # dowry objects that no seat owns
    out: Tiles  # commons that left the game
    resolution: Resolution
    # -- memory
    log: Log
    proofs: tuple[Proof, ...]  # in this round

    # -- steps --------------------------------------------------------------------------------

    def push(self, step: Step, argument: Any = None) -> None:
        self.stack.append((step, argument))

    def ask(
        self, seat: int, window: str, options: Sequence[str], answer: Answer, argument: Any = None
    ) -> None:
        """Ask a seat to choose an action.

        After the seat has decided, the function `answer` is called with the chosen action and
        `argument`. If there is only one legal action, `answer` is called immediately [R5].
        Otherwise `ask` returns before the seat has decided, so its caller must then return too.
        """
        if len(options) == 1:
            answer(self, options[0], argument)
            return
        self.seat_to_act = seat
        self.window = window
        self.options = options
        self.stack.append((answer, argument))

    def advance(self) -> None:
        stack = self.stack
        while self.seat_to_act is None and stack:
            step, argument = stack.pop()
            step(self, argument)

    # -- the board ----------------------------------------------------------------------------

    def add_worker(self, borough: int) -> None:
        row = [*self.borough_workers[borough]]
        row[borough] += 1
        self.borough_workers[borough] = tuple(row)
        self.worker_pile[borough] -= 1  # boroughs and their colours have the same numbers

    def others(self, seat: int) -> list[int]:
        """Return all other seats that have a guide in the active borough, in clockwise order."""
        guide = self.resolution.guide
        return [other for other in self.parameters.after[seat] if guide[other] >= 0]

    def copy(self) -> "Position":
        other = Position()
        # Fields that never change or are only replaced.
        other.parameters = self.parameters
        other.in_play = self.in_play
        other.families = self.families
        other.lords = self.lords
        other.seat_to_act = self.seat_to_act
        other.window = self.window
        other.options = self.options
        other.phase = self.phase
        other.round = self.round
        other.first_seat = self.first_seat
        other.favor_order = self.favor_order
        other.favor_asked = self.favor_asked
        other.passed = self.passed
        other.resolved = self.resolved
        other.actions_left = self.actions_left
        other.placing = self.placing
        other.coin_pile = self.coin_pile
        other.token_pile = self.token_pile
        other.stock = self.stock
        other.out = self.out
        other.proofs = self.proofs
        # Lists of immutable values.
        other.stack = self.stack.copy()
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
        other.borough_workers = self.borough_workers.copy()
        other.tokens = self.tokens.copy()
        other.commons = self.commons.copy()
        other.decks = self.decks.copy()
        other.known_below = self.known_below.copy()
        other.brides = self.brides.copy()
        other.spouse_seat = self.spouse_seat.copy()
        other.spouse = self.spouse.copy()
        other.boxes = self.boxes.copy()
        other.box_tails = self.box_tails.copy()
        other.shops_taken = self.shops_taken.copy()
        # Nested lists.
        other.workers = [row.copy() for row in self.workers]
        resolution = self.resolution
        if resolution.borough != NONE:  # otherwise it is shared and never modified
            resolution = resolution.copy()
        other.resolution = resolution
        other.log = self.log.copy()
        return other


def empty_position(parameters: Parameters) -> Position:
    n, boroughs, spots = parameters.seats, len(BOROUGHS), len(SPOTS)
    new = Position()
    new.parameters = parameters
    new.in_play = ()
    new.seat_to_act = new.window = None
    new.options = ()
    new.stack = []
    new.phase = "opening"
    new.round = new.first_seat = new.actions_left = 0
    new.favor_order = new.favor_asked = new.passed = new.resolved = ()
    new.placing = NONE
    new.coin_pile, new.token_pile = COINS, TOKENS
    new.worker_pile = [WORKERS] * len(COLOURS)
    new.families = (NONE,) * n
    new.coins, new.influence, new.coaches = [0] * n, [0] * n, [COACHES] * n
    new.workers = [[0] * len(COLOURS) for _ in range(n)]
    new.shops, new.used, new.hands = no_tiles(n), no_tiles(n), no_tiles(n)
    new.alley_shown, new.alley_hidden = no_tiles(n), no_tiles(n)
    new.delegations = no_tiles(boroughs * SEATS)
    new.ship, new.ship_tiles = [0] * n, no_tiles(n)
    new.lords = [NONE] * boroughs
    new.borough_workers = [(0,) * len(COLOURS)] * boroughs
    new.tokens, new.commons = [0] * boroughs, [NONE] * boroughs
    new.decks, new.known_below = no_tiles(boroughs), no_tiles(boroughs)
    new.brides, new.spouse_seat, new.spouse = [NONE] * spots, [NONE] * spots, [NONE] * spots
    new.boxes, new.box_tails = no_tiles(2), [0, 0]
    new.shops_taken = [0] * len(SHOPS)
    new.stock, new.out = frozenset(), ()
    new.resolution = new_resolution(n)
    new.log = empty_log()
    new.proofs = ()
    return new


def no_tiles(rows: int) -> list[Tiles]:
    return [()] * rows


def holds(what: str, tiles: Sequence[int]) -> bool:
    if what == OBJECTS:
        return all(tile >= FIRST_OBJECT for tile in tiles)
    if what == CHARACTER:
        return any(tile < FIRST_OBJECT for tile in tiles)
    return any(IS_KILLER[tile] for tile in tiles)
