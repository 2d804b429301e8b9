"""Checks of game records by replaying them through the engine, without bots."""

from collections.abc import Iterable, Iterator

import msgspec

from arena.match.referee import final_ranks, final_win_weight, start_game
from arena.protocol import raw
from arena.record import Game, GameRecord
from engine import EngineError, IllegalAction, State


class Difference(msgspec.Struct, frozen=True):
    """Where a record is not what the engine says."""

    game: str
    move: int | None
    """The number of the action, from 1; None when it is not about one."""
    text: str

    def __str__(self) -> str:
        where = f"{self.game}, move {self.move}" if self.move else self.game
        return f"{where}: {self.text}"


def verify(record: GameRecord) -> Iterator[Difference]:
    """Yield each difference between a record and its replay; nothing when it is right."""
    try:
        state = start_game(record.variant, record.deal)
    except (EngineError, ValueError, RecursionError) as error:
        yield Difference(record.title, None, str(error))
        return
    variant = state.variant
    if record.rules_version != variant.rules_version:
        yield Difference(
            record.title,
            None,
            f"played under version {record.rules_version} of the rules, here is version "
            f"{variant.rules_version}",
        )
        return
    if not len(record.entrants) == len(record.seeds) == variant.seats:
        yield Difference(record.title, None, f"expected {variant.seats} entrants and seeds")
        return
    fault_at = {fault.seat: fault.action for fault in record.faults}
    faulty_at = {fault.action: fault.seat for fault in record.faults}
    for move, action in enumerate(record.actions, 1):
        seat = state.seat_to_act
        if faulty_at.pop(move - 1, seat) != seat:
            text = f"a fault of another seat is recorded here, but seat {seat} is to act"
            yield Difference(record.title, move, text)
        if seat is not None and move > fault_at.get(seat, len(record.actions)):
            stand_in = state.legal_actions()[0]
            if action != stand_in:
                text = (
                    f"seat {seat} had a fault: expected its stand-in's {stand_in!r}, got {action!r}"
                )
                yield Difference(record.title, move, text)
        try:
            state.apply(action)
        except IllegalAction as error:
            yield Difference(record.title, move, str(error))
            return
    if state.seat_to_act is not None:
        text = f"the record ends, but seat {state.seat_to_act} is to act"
        yield Difference(record.title, len(record.actions), text)
        return
    for number, faulty in faulty_at.items():
        text = f"a fault of seat {faulty} is recorded at move {number + 1}, which there is not"
        yield Difference(record.title, None, text)
    yield from _verify_end(record, state)


def _verify_end(record: GameRecord, state: State) -> Iterator[Difference]:
    outcome = state.outcome()
    faulty = {fault.seat for fault in record.faults}
    ranks = final_ranks(outcome.ranks, state.variant.sides, faulty)
    if record.points != outcome.points:
        text = f"points {list(record.points)}, expected {list(outcome.points)}"
        yield Difference(record.title, None, text)
    if record.ranks != ranks:
        yield Difference(record.title, None, f"ranks {list(record.ranks)}, expected {list(ranks)}")
    weight = final_win_weight(outcome, faulty)
    if record.win_weight != weight:
        yield Difference(record.title, None, f"win weight {record.win_weight}, expected {weight}")
    told, expected = (msgspec.json.decode(data) for data in (record.detail, raw(outcome.detail)))
    if told != expected:
        yield Difference(record.title, None, f"result {told}, expected {expected}")


def verify_schedule(
    records: Iterable[GameRecord], schedule: Iterable[Game]
) -> Iterator[Difference]:
    """Yield each record, in schedule order, that is not of a scheduled game, and what differs."""
    games = iter(schedule)
    for record in records:
        game = next((game for game in games if game.key == record.key), None)
        if game is None:
            yield Difference(record.title, None, "the schedule of the run has no such game here")
            return
        for field in ("variant", "board", "rotation", "entrants", "seeds", "deal"):
            if _as_json(getattr(game, field)) != _as_json(getattr(record, field)):
                yield Difference(record.title, None, f"{field} is not as scheduled")


def _as_json(value: object) -> bytes:
    """Return a value as it is compared: a deal in a record is JSON already."""
    return msgspec.json.encode(value)
