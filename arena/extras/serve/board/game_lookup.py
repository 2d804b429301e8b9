"""Single games of a run: found by their key, and shown once their board is over."""

from pathlib import Path

from arena.errors import StoreError
from arena.record import GameRecord, read_record
from arena.tournament.finished_boards import board_in, finished
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store
from engine import get_variant


def find_game(run: Path, key: str, last_number: int | None) -> GameRecord | None:
    """Return the record of a game of a run; None if there is none that may be shown.

    Args:
        run: the folder of the run.
        key: the key of the game.
        last_number: the number of the last stored game that may be shown; None for all.

    Raises:
        StoreError: the run cannot be read.
    """
    if not (run / DATABASE).is_file():
        return None
    with Store.open(run) as store:
        found = next(store.stored_games([key]), None)
        if found is None or found.position is None:
            return None
        try:
            record = read_record(found.record)
            seats = get_variant(record.variant).seats
            width = seats * store.settings(Settings).boards_per_deal
            around = store.games_between(found.position - width + 1, found.position + width - 1)
            known = [one for one in around if last_number is None or one.number <= last_number]
            over = finished(known, lambda one: board_in(one.record), width // seats)
            return record if key in [one.key for one in over] else None
        except ValueError as error:
            raise StoreError(f"cannot read a record of {run}: {error}") from None
