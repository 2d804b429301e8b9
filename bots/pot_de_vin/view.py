"""The parts of a Pot de Vin view that the bundled bots use."""

from collections.abc import Iterable

import msgspec

PASS = "pass"


class Turn(msgspec.Struct):
    seat: int
    action: str


class PastRound(msgspec.Struct):
    trump: str
    trick: list[Turn]


class View(msgspec.Struct):
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
    return action.partition(" ")[2]


def cards_of(trick: Iterable[Turn]) -> list[str]:
    return [card_of(turn.action) for turn in trick if turn.action != PASS]
