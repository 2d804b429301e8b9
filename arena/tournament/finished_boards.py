"""Finished boards: what of a run may be shown while it is under way.

The bots of a board meet its deal again in each rotation. A game of it shows the hands of the games
that are still to be played. So the games of a board are shown when all of it is over, and where
consecutive boards share a deal, when all of these boards are over.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

import msgspec

from arena.base.errors import StoreError
from arena.base.record import AnyResult, GameRecord, Observations
from arena.tournament.database import Database
from engine import get_variant

GameT = TypeVar("GameT")
MIN_KEY_LETTERS = 6
"""The least number of letters of a key that name a game, if no other key begins with them."""


class BoardId(msgspec.Struct, frozen=True):
    """The board of a game. The names of the fields are those of a `GameRecord`."""

    variant: str
    board: int


def board_of(record: AnyResult) -> BoardId:
    """Return the board of a record."""
    return BoardId(record.variant, record.board)


def finished(
    games: Iterable[GameT], board: Callable[[GameT], BoardId], boards_per_deal: int
) -> Iterator[GameT]:
    """Yield the games of those deals of which all boards with all rotations are among `games`.

    The games come in schedule order, board by board, and `board` returns the board of each.
    `boards_per_deal` consecutive boards of a variant share a deal.
    """

    def deal(game: GameT) -> tuple[str, int]:
        own = board(game)
        return own.variant, (own.board - 1) // boards_per_deal

    for (variant, _), group in groupby(games, key=deal):
        of_deal = list(group)
        if len(of_deal) == boards_per_deal * get_variant(variant).seats:
            yield from of_deal


def finished_games(store: Database) -> Iterator[tuple[GameRecord, Observations]]:
    """Yield the games of a run that may be shown, with what was seen of them."""
    boards_per_deal = store.settings().boards_per_deal
    return finished(store.observed_records(), lambda game: board_of(game[0]), boards_per_deal)


def find_game(records: Iterable[GameRecord], name: str) -> GameRecord:
    """Return the record whose title is `name`, or whose key begins with it.

    Raises:
        StoreError: there is none, or more than one.
    """
    by_key = len(name) >= MIN_KEY_LETTERS
    found = [
        record
        for record in records
        if record.title == name or (by_key and record.key.startswith(name))
    ]
    if len(found) != 1:
        raise StoreError(
            f"{len(found) or 'no'} games of the run are called {name[:80]!r}: expected a title "
            f"like 'pot-de-vin/3 board 12 rotation 0', or {MIN_KEY_LETTERS} or more letters of a "
            "key that `arena export` shows"
        )
    return found[0]


def find_finished_game(store: Database, name: str) -> GameRecord:
    """Return the record of a game whose board is over, by its title or the start of its key.

    Raises:
        StoreError: there is no such game, more than one, or its board is not over.
    """
    record = find_game(store.records(), name)
    boards_per_deal = store.settings().boards_per_deal
    if record not in finished(store.records(), board_of, boards_per_deal):
        both = "" if boards_per_deal == 1 else f"all {boards_per_deal} boards of its deal and "
        raise StoreError(
            f"{record.title} is not shown yet: its board is not over, so bots will meet its deal "
            f"again; wait until {both}all their rotations are played, or resume the run"
        )
    return record
