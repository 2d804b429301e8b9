"""Find the games that users may see while a run is in progress.

Games of unfinished boards are hidden, because they would reveal the deal of the board's
remaining games.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

from arena.base.errors import StoreError
from arena.base.record import AnyResult, GameRecord, Observations
from arena.tournament.database import Database
from engine import get_variant

GameT = TypeVar("GameT")
MIN_KEY_LETTERS = 6


def board_of(record: AnyResult) -> tuple[str, int]:
    """Return the variant and board number of a game."""
    return record.variant, record.board


def finished(games: Iterable[GameT], board: Callable[[GameT], tuple[str, int]]) -> Iterator[GameT]:
    """Yield the games of finished boards. All games must be given in schedule order."""
    for (variant, _), group in groupby(games, key=board):
        of_board = list(group)
        if len(of_board) == get_variant(variant).seats:
            yield from of_board


def finished_games(store: Database) -> Iterator[tuple[GameRecord, Observations]]:
    return finished(store.observed_records(), lambda game: board_of(game[0]))


def find_game(records: Iterable[GameRecord], name: str) -> GameRecord:
    by_key = len(name) >= MIN_KEY_LETTERS
    found = [
        record
        for record in records
        if record.title == name or (by_key and record.key.startswith(name))
    ]
    if len(found) != 1:
        raise StoreError(
            f"got the game {name[:80]!r}, but {len(found) or 'no'} games of the run have "
            f"this name; expected a title such as 'pot-de-vin/3 board 12 rotation 0', or at least "
            f"the first {MIN_KEY_LETTERS} letters of a key; `arena replay --bot NAME` lists games"
        )
    return found[0]


def find_finished_game(store: Database, name: str) -> GameRecord:
    """Find a game on a finished board by its title or by the first characters of its key."""
    record = find_game(store.records(), name)
    if record not in finished(store.records(), board_of):
        raise StoreError(
            f"{record.title} is not shown yet: its board is not over, so its deal will be played "
            f"again; wait until all its rotations have been played, or resume the run"
        )
    return record
