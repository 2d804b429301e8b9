"""The parts of a Bribery view that the bundled bots use."""

import msgspec

from bots.bribery.cards import BRIBES


class Bribe(msgspec.Struct):
    card: str
    seat: int


class Official(msgspec.Struct):
    card: str
    face_down: bool
    bribes: list[Bribe]


class Pending(msgspec.Struct):
    seat: int
    source: str
    spent: str
    target: str


class View(msgspec.Struct):
    side: int
    sides: list[list[int]]
    jokers: list[str]
    phase: str
    pending: Pending | None
    hand: list[str]
    board: list[Official]
    discards: list[Bribe]


def unplayed(view: View) -> list[int]:
    sides = len(view.sides)
    left = [len(BRIBES) // sides] * sides  # all sides are dealt the same number
    for played in [
        *view.discards,
        *[bribe for official in view.board for bribe in official.bribes],
    ]:
        left[played.seat % sides] -= 1
    return left
