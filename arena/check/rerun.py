"""Replay of a recorded game with the bots as they are now, and its comparison."""

from collections.abc import Iterable, Mapping

from arena.contracts import SandboxSettings
from arena.errors import StoreError
from arena.match.lives import play_games
from arena.match.referee import start_game
from arena.match.seats import Player, always
from arena.match.transport import MatchSettings
from arena.protocol import Fault, Limits
from arena.record import Entrant, GameRecord, as_game

MIN_KEY_LETTERS = 6
"""The least number of letters of a key that name a game, if no other key begins with them."""


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


def play_again(
    record: GameRecord,
    entrants: Mapping[str, Entrant],
    limits: Limits,
    sandbox: SandboxSettings | None = None,
) -> GameRecord:
    """Return the record of the same game, played now; `entrants` are those of the run by name."""
    players: dict[str, Player] = {name: entrants[name] for name in record.entrants}
    for fault in record.faults:
        if fault.kind == "withdrawn":
            players[record.entrants[fault.seat]] = always(Fault("withdrawn", fault.text))
    settings = MatchSettings(limits, sandbox or SandboxSettings())
    (again,) = play_games([as_game(record)], players, settings)
    return again


def first_difference(before: GameRecord, now: GameRecord) -> str | None:
    """Return the first difference between two records of a game in words, or None."""
    state = start_game(before.variant, before.deal)
    for move, (old, new) in enumerate(zip(before.actions, now.actions, strict=False)):
        was, is_now = (
            _said(record, move, action) for record, action in ((before, old), (now, new))
        )
        if was != is_now:
            seat = state.seat_to_act
            assert seat is not None
            return f"move {move + 1}, seat {seat} ({before.entrants[seat]}): {was}, now {is_now}"
        state.apply(old)
    return None


def _said(record: GameRecord, move: int, action: str) -> str:
    kinds = [fault.kind for fault in record.faults if fault.action == move]
    return f"a fault ({kinds[0]}) and {action!r} by the stand-in" if kinds else repr(action)
