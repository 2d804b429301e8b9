"""The worst boards of each bot, with all rotations side by side."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.publish.notable_games import Scale, games_of_bots
from arena.record import GameRecord
from engine import Variant

WORST_BOARDS = 3
"""Boards that the page of a bot shows."""


class Rotation(NamedTuple):
    """A game of a board; its tuples are by seat."""

    number: int
    key: str
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]


class Cell(NamedTuple):
    """The result of a bot in a rotation."""

    seat: int
    points: int
    rank: int


class BotBoard(NamedTuple):
    """A board of a bot."""

    margin: float
    """The bot's points less those of the best other side, per game."""
    variant: str
    board: int
    rotations: tuple[Rotation, ...]

    @property
    def title(self) -> str:
        """The title of the board, such as `pot-de-vin/3 board 12`."""
        return f"{self.variant} board {self.board}"

    @property
    def lines(self) -> list[tuple[str, list[Cell]]]:
        """The results of each bot of the board in each rotation."""
        return [
            (name, [_cell(one, name) for one in self.rotations])
            for name in self.rotations[0].entrants
        ]


class WorstBoards:
    """The boards of a bot in a variant with the largest mean defeats."""

    def __init__(self) -> None:
        self.boards: list[BotBoard] = []
        """The worst first."""

    def add(self, margin: float, records: Sequence[GameRecord]) -> None:
        """Consider a board on which the bot was ahead by `margin` points per game."""
        if margin >= 0 or (len(self.boards) == WORST_BOARDS and margin >= self.boards[-1].margin):
            return
        rotations = [
            Rotation(one.rotation, one.key, one.entrants, one.points, one.ranks) for one in records
        ]
        first = records[0]
        self.boards.append(BotBoard(margin, first.variant, first.board, tuple(rotations)))
        self.boards.sort(key=lambda one: (one.margin, one.board))
        del self.boards[WORST_BOARDS:]


def margins_of_bots(records: Iterable[GameRecord], variant: Variant) -> dict[str, float]:
    """Return by how many points per game each bot of a complete board was ahead."""
    margins: dict[str, list[int]] = {}
    for record in records:
        for name, game in games_of_bots(record, variant):
            margins.setdefault(name, []).append(game.margin)
    return {name: sum(own) / len(own) for name, own in margins.items()}


def worst_boards(by_variant: Iterable[WorstBoards], scales: Mapping[str, Scale]) -> list[BotBoard]:
    """Return the worst boards of a bot, from those of each variant, the worst first.

    Points of different variants are compared in standard deviations, as for notable games.
    """
    boards = [board for one in by_variant for board in one.boards]
    boards.sort(key=lambda one: (one.margin / scales[one.variant].deviation, one.title))
    return boards[:WORST_BOARDS]


def _cell(rotation: Rotation, name: str) -> Cell:
    seat = rotation.entrants.index(name)
    return Cell(seat, rotation.points[seat], rotation.ranks[seat])
