"""Structs for views: what a seat may know of a position [10.1, 10.3].

They contain no cycles, so the garbage collector does not track them.
"""

import msgspec

from engine.bribery.events import Result


class BribeView(msgspec.Struct, frozen=True, gc=False):
    """A bribe on an official and the seat that played it."""

    card: str
    seat: int


class OfficialView(msgspec.Struct, frozen=True, gc=False):
    """An official on the board, with its bribes in order of arrival."""

    card: str
    face_down: bool
    bribes: tuple[BribeView, ...]


class DiscardView(msgspec.Struct, frozen=True, gc=False):
    """A bribe on the discard pile. `why` is `forced`, `spent` or `assassinated`."""

    card: str
    seat: int
    why: str


class PendingView(msgspec.Struct, frozen=True, gc=False):
    """An ability that has been paid for but not settled."""

    seat: int
    kind: str
    source: str
    spent: str
    target: str
    to_ask: tuple[int, ...]


class OfficialControl(msgspec.Struct, frozen=True, gc=False):
    """Control of an official. `totals` is by side."""

    card: str
    totals: tuple[int, ...]
    controller: int | None
    dominated: bool
    votes: int


class CountryControl(msgspec.Struct, frozen=True, gc=False):
    """Control of a country. `votes` is by side, or None for a joker."""

    country: str
    votes: tuple[int, ...] | None
    controller: int | None
    dominated: bool
    points: int


class BonusView(msgspec.Struct, frozen=True, gc=False):
    side: int | None
    amount: int


class Effects(msgspec.Struct, frozen=True, gc=False):
    """The current effects of Jokers #1, #2 and #4."""

    bribe_bonus: BonusView
    vote_bonus: BonusView
    free_placement: int | None


class Control(msgspec.Struct, frozen=True, gc=False):
    """The evaluated board [6]. `points` are those of each side if the game ended now."""

    officials: tuple[OfficialControl, ...]
    countries: tuple[CountryControl, ...]
    effects: Effects
    points: tuple[int, ...]


class View(msgspec.Struct, frozen=True, gc=False):
    """Everything a seat may know now; see section 10.3 of the rules.

    A spectator's view has no seat, side, hand or legal actions.
    """

    game: str
    variant: str
    seat: int | None
    side: int | None
    sides: tuple[tuple[int, ...], ...]
    jokers: tuple[str, ...]
    start: int
    round: int
    rounds: int
    leader: int
    turn: int
    turn_seat: int | None
    to_act: int | None
    phase: str
    pending: PendingView | None
    legal: tuple[str, ...]
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]
    board: tuple[OfficialView, ...]
    discards: tuple[DiscardView, ...]
    control: Control
    result: Result | None
