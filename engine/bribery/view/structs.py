"""Types of the views of Bribery [10.1, 10.3]."""

import msgspec

from engine.bribery.events import Result


class BribeView(msgspec.Struct, frozen=True, gc=False):
    card: str
    seat: int


class OfficialView(msgspec.Struct, frozen=True, gc=False):
    card: str
    face_down: bool
    bribes: tuple[BribeView, ...]


class DiscardView(msgspec.Struct, frozen=True, gc=False):
    """A discarded bribe. The reason is `forced`, `spent` or `assassinated`."""

    card: str
    seat: int
    why: str


class PendingView(msgspec.Struct, frozen=True, gc=False):
    seat: int
    kind: str
    source: str
    spent: str
    target: str
    to_ask: tuple[int, ...]


class OfficialControl(msgspec.Struct, frozen=True, gc=False):
    card: str
    totals: tuple[int, ...]
    controller: int | None
    dominated: bool
    votes: int


class CountryControl(msgspec.Struct, frozen=True, gc=False):
    """The controller and the votes of a country. Jokers have no votes."""

    country: str
    votes: tuple[int, ...] | None
    controller: int | None
    dominated: bool
    points: int


class BonusView(msgspec.Struct, frozen=True, gc=False):
    side: int | None
    amount: int


class Effects(msgspec.Struct, frozen=True, gc=False):
    bribe_bonus: BonusView
    vote_bonus: BonusView
    free_placement: int | None


class Control(msgspec.Struct, frozen=True, gc=False):
    """The current controllers of officials and countries, and each side's current points [6]."""

    officials: tuple[OfficialControl, ...]
    countries: tuple[CountryControl, ...]
    effects: Effects
    points: tuple[int, ...]


class View(msgspec.Struct, frozen=True, gc=False):
    """A seat's or spectator's view of the game [10.3]."""

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
