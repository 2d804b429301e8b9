"""The games of a run as rows of tables: one for each seat, and one for each decision."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from arena.base.record import GameRecord
from arena.match.referee import start_game
from arena.played_run import BotName, Run, data_frame


class SeatRow(NamedTuple):
    """A seat in a game."""

    key: str
    """The content key of the game."""
    variant: str
    board: int
    """From 1 in its variant."""
    rotation: int
    """From 0."""
    seat: int
    bot: str
    points: int
    rank: int
    """From 1; ties share a rank."""
    win_weight: int
    """The number of games that the game counts as."""
    fault: str | None
    """The kind of its fault, if it had one."""


class DecisionRow(NamedTuple):
    """A decision in a game."""

    key: str
    variant: str
    board: int
    rotation: int
    move: int
    """From 0 in the game."""
    seat: int
    bot: str
    action: str
    legal: int
    """The number of legal actions."""
    stand_in: bool
    """Whether a stand-in took it, after a fault of the seat."""
    note: str | None
    """The remark of the bot."""


def seat_rows(records: Iterable[GameRecord]) -> Iterator[SeatRow]:
    """Yield a row for each seat of each game."""
    for record in records:
        faults = {fault.seat: fault.kind for fault in record.faults}
        game = (record.key, record.variant, record.board, record.rotation)
        results = zip(record.entrants, record.points, record.ranks, strict=True)
        for seat, (bot, points, rank) in enumerate(results):
            yield SeatRow(*game, seat, bot, points, rank, record.win_weight, faults.get(seat))


def decision_rows(records: Iterable[GameRecord]) -> Iterator[DecisionRow]:
    """Yield a row for each decision of each game, which is replayed."""
    for record in records:
        state = start_game(record.variant, record.deal)
        notes = {note.action: note.text for note in record.notes}
        faults = {fault.seat: fault.action for fault in record.faults}
        game = (record.key, record.variant, record.board, record.rotation)
        for move, action in enumerate(record.actions):
            seat = state.seat_to_act
            assert seat is not None, "expected a game in progress"
            by_stand_in = move >= faults.get(seat, move + 1)
            told = (action, len(state.legal_actions()), by_stand_in, notes.get(move))
            yield DecisionRow(*game, move, seat, record.entrants[seat], *told)
            state.apply(action)


def games_frame(run: Run, bot: BotName | None = None, **chosen: Any) -> Any:
    """Return a `pandas.DataFrame` with a row for each seat of each game; its columns are those of
    `SeatRow`.

    Args:
        run: the run.
        bot: as in `Run.games`; the other seats of these games are rows too.
        **chosen: as in `Run.games`.

    Raises:
        ArenaError: pandas is not installed, or an error of `Run.games`.
    """
    return data_frame(seat_rows(run.games(bot, **chosen)), SeatRow._fields)


def decisions_frame(run: Run, bot: BotName | None = None, **chosen: Any) -> Any:
    """Return a `pandas.DataFrame` with a row for each decision of each game, as `games_frame`.

    Its columns are those of `DecisionRow`.
    """
    return data_frame(decision_rows(run.games(bot, **chosen)), DecisionRow._fields)
