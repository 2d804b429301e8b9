"""Rock, paper, scissors for three players, who choose at the same time."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine import Game, Position

SIGNS = ["rock", "paper", "scissors"]  # each beats the one before it


class View(Struct, frozen=True):
    seat: int | None
    to_act: int | None
    own: Literal["rock", "paper", "scissors"] | None
    shown: Annotated[tuple[Literal["rock", "paper", "scissors"], ...], Meta(max_length=3)]


@dataclass
class Table(Position):
    signs: list = field(default_factory=list)  # of the seats from 0 on


def choose(table: Table, sign: str) -> None:
    table.log.tell(len(table.signs), "chose", sign=sign)
    table.signs.append(sign)
    table.seat_to_act = len(table.signs) if len(table.signs) < 3 else None
    if table.seat_to_act is None:
        table.log.note("shown", signs=table.signs)


def beaten(table: Table) -> list[int]:
    """Return how many other players each seat beats."""
    numbers = [SIGNS.index(sign) for sign in table.signs]
    return [sum((own - other) % 3 == 1 for other in numbers) for own in numbers]


def view(table: Table, seat: int | None) -> View:
    own = table.signs[seat] if seat is not None and seat < len(table.signs) else None
    shown = tuple(table.signs) if table.seat_to_act is None else ()
    return View(seat, table.seat_to_act, own, shown)


ROCK_PAPER_SCISSORS = Game(
    "rock-paper-scissors", {"3": 3}, View,
    start=lambda _, deal: Table(), actions=SIGNS, apply=choose, score=beaten, view=view,
)  # fmt: skip
