"""Checks of recorded deals: does all chance follow from the secret, or the seed, of the run?"""

from collections.abc import Iterable, Iterator

import msgspec

from arena.record import Game, GameRecord
from arena.schedule.chance import Chance
from arena.schedule.plan import Board
from arena.tournament.games import games_of
from arena.tournament.settings import Settings
from arena.tournament.verify import Difference
from engine import EngineError, get_variant

CHECKED = ("deal", "seeds", "key")


def check_deals(
    settings: Settings, chance: Chance, records: Iterable[GameRecord]
) -> Iterator[Difference]:
    """Yield each difference between records and what follows from the chance of their run.

    The records may have any order, and some may be missing.

    Args:
        settings: the settings of the run. Of its entrants, names and fingerprints are enough.
        chance: `settings.chance(secret)`.
        records: their deals, the seeds of their bots and their keys are checked.
    """
    source = "seed" if settings.secret is None else "secret"
    names = {entrant.name for entrant in settings.entrants}
    last: tuple[Board | None, list[Game]] = None, []
    for record in records:
        if unknown := _unknown(record, names):
            yield Difference(record.title, None, unknown)
            continue
        board = _board_of(record)
        if board != last[0]:  # the games of a board usually stand together
            last = board, games_of(board, settings, chance)
        game = last[1][record.rotation]
        for field in CHECKED:
            if _as_json(getattr(record, field)) != _as_json(getattr(game, field)):
                verb = "do" if field == "seeds" else "does"
                text = f"the {field} {verb} not follow from the {source} of the run"
                yield Difference(record.title, None, text)


def _unknown(record: GameRecord, names: set[str]) -> str:
    """Return what of a record the run does not have, or an empty text."""
    try:
        seats = get_variant(record.variant).seats
    except EngineError as error:
        return str(error)
    if len(record.entrants) != seats or not 0 <= record.rotation < seats:
        return f"expected {seats} entrants and a rotation below that"
    if missing := [name for name in record.entrants if name not in names]:
        return f"the run has no bot {missing[0]!r}"
    return ""


def _board_of(record: GameRecord) -> Board:
    """Return the board of a record, as if it began in the first round."""
    seats = len(record.entrants)
    by_place = [record.entrants[(place + record.rotation) % seats] for place in range(seats)]
    return Board(record.variant, record.board, 0, tuple(by_place))


def _as_json(value: object) -> bytes:
    """Return a value as JSON without spaces, since the deal of a record is JSON already."""
    return msgspec.json.encode(value)
