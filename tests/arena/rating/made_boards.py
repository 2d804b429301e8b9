"""Boards made by hand, for the tests of ratings."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from arena.base.protocol import SeatFault
from arena.base.record import GameRecord
from arena.rating.columns import LeaderboardRow
from arena.rating.complete_boards import BoardShares, read_boards
from arena.rating.leaderboard import Leaderboard, leaderboard
from engine import Variant, get_variant
from tests.arena.runs import hand_made

THREE = get_variant("pot-de-vin/3")
TEAMS = get_variant("pot-de-vin/4-teams")


def board_won_by(name: str, number: int, *, entrants: Sequence[str] = "abc") -> list[GameRecord]:
    """Return a board for three that one wins from every seat; the others are equal."""
    records = []
    for rotation in range(3):
        record = hand_made((2, 2, 2), entrants=entrants, board=number, rotation=rotation)
        ranks = [1 if one == name else 2 for one in record.entrants]
        records.append(msgspec.structs.replace(record, ranks=tuple(ranks)))
    return records


def tied_board(number: int, *, variant: str = "pot-de-vin/3") -> list[GameRecord]:
    """Return a board for three on which nothing is decided."""
    return [hand_made((1, 1, 1), variant=variant, board=number, rotation=t) for t in range(3)]


def partners_won() -> list[GameRecord]:
    """Return a board for two teams that a and c win from every seat, with equal points."""
    return [
        hand_made(
            (1, 2, 1, 2) if rotation % 2 == 0 else (2, 1, 2, 1),
            entrants="abcd",
            variant=TEAMS.id,
            rotation=rotation,
            points=(3, 3, 3, 3),
        )
        for rotation in range(4)
    ]


def faulted(record: GameRecord, *seats: int) -> GameRecord:
    """Return a record in which bots at these seats have a fault."""
    faults = tuple(SeatFault(seat, 0, "crash", "exited with code 1") for seat in seats)
    return msgspec.structs.replace(record, faults=faults)


def table_of(
    records: Iterable[GameRecord], entrants: Sequence[str] = "abc"
) -> dict[str, LeaderboardRow]:
    """Return the overall rows by bot."""
    return {row.bot: row for row in ranked(records, entrants).overall}


def ranked(records: Iterable[GameRecord], entrants: Sequence[str] = "abc") -> Leaderboard:
    """Return the leaderboard of records of the variant for three."""
    return leaderboard(records, {THREE.id: THREE}, entrants)


def boards_in(records: Iterable[GameRecord], variants: Mapping[str, Variant]) -> list[BoardShares]:
    """Return the shares of the complete boards in `records`."""
    return list(read_boards(records, variants))
