"""The parts of a view of Pot de Vin that the bots read."""

from collections.abc import Iterable

import msgspec

PASS = "pass"


class Turn(msgspec.Struct):
    """The action of a seat in a round."""

    seat: int
    action: str


class PastRound(msgspec.Struct):
    """A finished round."""

    trump: str
    trick: list[Turn]


class View(msgspec.Struct):
    """A seat's view. The fields that no bot reads are not decoded."""

    seat: int
    n: int
    teams: list[list[int]]
    phase: str
    trump: str | None
    active: list[int]
    trick: list[Turn]
    hand: list[str]
    discarded: str | None
    hand_sizes: list[int]
    columns: list[dict[str, list[str]]]
    neutral: list[list[str]]
    history: list[PastRound]


def card_of(action: str) -> str:
    """Return the card of an action such as `play aldo-7` or `discard aldo-7`."""
    return action.partition(" ")[2]


def cards_of(trick: Iterable[Turn]) -> list[str]:
    """Return the cards that were played in a trick, in order."""
    return [card_of(turn.action) for turn in trick if turn.action != PASS]
