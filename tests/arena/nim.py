"""A toy game for tests, solved long ago: who takes the last match from some heaps wins.

Matches are taken from one heap at a time. The seat to move can win if the sizes of the heaps,
combined by exclusive or, are not 0. Nothing is hidden.
"""

import random
from typing import ClassVar

import msgspec

from engine import GameNotOver, IllegalAction, Outcome, State, Variant


class Heaps(msgspec.Struct, frozen=True):
    """The sizes of the heaps, as a deal and as a view."""

    heaps: tuple[int, ...]
    seat: int | None = None
    to_act: int | None = 0


class NimState(State):
    """A position; `NimVariant.start` makes one."""

    def __init__(self, variant: "NimVariant", heaps: tuple[int, ...], to_act: int | None) -> None:
        self.variant = variant
        self.heaps = list(heaps)
        self.seat_to_act = to_act
        self.last: int | None = None

    def legal_actions(self) -> list[str]:
        if self.seat_to_act is None:
            return []
        return [f"{heap} {n}" for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def apply(self, action: str) -> None:
        legal = self.legal_actions()
        if action not in legal or self.seat_to_act is None:
            raise IllegalAction(action, self.seat_to_act, legal)
        heap, number = map(int, action.split())
        self.heaps[heap] -= number
        self.last = self.seat_to_act
        following = (self.seat_to_act + 1) % self.variant.seats
        self.seat_to_act = following if any(self.heaps) else None

    def view(self, seat: int | None) -> Heaps:
        return Heaps(tuple(self.heaps), seat, self.seat_to_act)

    def events(self, seat: int | None, since: int = 0) -> list[msgspec.Struct]:
        return []

    def outcome(self) -> Outcome:
        if self.seat_to_act is not None:
            raise GameNotOver("matches are left")
        won = next(side for side in self.variant.sides if self.last in side)
        points = tuple([int(seat in won) for seat in range(self.variant.seats)])
        return Outcome(points, tuple([2 - own for own in points]), lambda: Heaps(()))

    def clone(self) -> "NimState":
        copy = NimState(self.variant, tuple(self.heaps), self.seat_to_act)
        copy.last = self.last
        return copy

    def determinize(self, seat: int, rng: random.Random) -> "NimState":
        return self.clone()


class NimVariant(Variant):
    """Two seats, or four in two teams."""

    game = "nim"
    rules_version: ClassVar[int] = 1
    view_type: ClassVar[type[msgspec.Struct]] = Heaps

    def __init__(self, seats: int = 2) -> None:
        self.id = f"nim/{seats}"
        self.seats = seats
        self.teams = ((0, 2), (1, 3)) if seats == 4 else None

    def deal(self, rng: random.Random) -> Heaps:
        return Heaps(tuple([rng.randrange(1, 6) for _ in range(3)]))

    def read_deal(self, raw: object) -> Heaps:
        return msgspec.convert(raw, Heaps)

    def start(self, deal: msgspec.Struct) -> NimState:
        assert isinstance(deal, Heaps)
        return NimState(self, deal.heaps, 0)


def winning_actions(heaps: tuple[int, ...]) -> set[str]:
    """Return the actions after which the other side has lost."""
    state = NimState(NimVariant(), heaps, 0)
    found = set()
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        one, other, third = after.heaps
        if not one ^ other ^ third:
            found.add(action)
    return found
