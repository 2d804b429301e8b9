"""Checks game records by replaying them through the engine: no random generator, no bots."""

from collections.abc import Iterator

import msgspec

from arena.protocol import raw
from arena.record import GameRecord
from arena.referee import final_ranks, final_win_weight
from engine import EngineError, IllegalAction, State, Variant, get_variant


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
        variant = get_variant(record.variant)
        state = variant.start(variant.read_deal(msgspec.json.decode(record.deal)))
    except (EngineError, ValueError, RecursionError) as error:
        yield Difference(record.title, None, str(error))
        return
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
    yield from _verify_end(record, variant, state)


def _verify_end(record: GameRecord, variant: Variant, state: State) -> Iterator[Difference]:
    outcome = state.outcome()
    faulty = {fault.seat for fault in record.faults}
    ranks = final_ranks(outcome.ranks, variant.sides, faulty)
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
