"""Checks of game records against the engine, without bots."""

from collections.abc import Generator, Iterator

import msgspec

from arena.match.referee import final_ranks, final_win_weight, start_game
from arena.protocol import SeatFault, raw
from arena.record import GameRecord
from engine import EngineError, IllegalAction, State


class Difference(msgspec.Struct, frozen=True):
    """A difference between a record and its replay."""

    game: str
    move: int | None
    """The number of the action, from 1; None if the difference is in no single action."""
    text: str

    def __str__(self) -> str:
        where = f"{self.game}, move {self.move}" if self.move else self.game
        return f"{where}: {self.text}"


def verify(record: GameRecord) -> Iterator[Difference]:
    """Yield each difference between a record and its replay through the engine."""
    try:
        state = start_game(record.variant, record.deal)
    except (EngineError, ValueError, RecursionError) as error:
        yield Difference(record.title, None, str(error))
        return
    variant = state.variant
    if record.rules_version != variant.rules_version:
        text = f"played under rules version {record.rules_version}, expected version "
        yield Difference(record.title, None, text + str(variant.rules_version))
    elif not len(record.entrants) == len(record.seeds) == variant.seats:
        yield Difference(record.title, None, f"expected {variant.seats} entrants and seeds")
    else:
        is_complete = yield from _verify_actions(record, state)
        if is_complete:
            yield from _verify_faults(record)
            yield from _verify_outcome(record, state)


def _verify_actions(record: GameRecord, state: State) -> Generator[Difference, None, bool]:
    """Apply the actions of a record to `state`, and return whether they are a whole game."""
    fault_at = {fault.seat: fault.action for fault in record.faults}
    faulty_at = {fault.action: fault for fault in record.faults}
    have_acted: set[int | None] = set()
    for number, action in enumerate(record.actions):
        seat = state.seat_to_act
        if fault := faulty_at.get(number):
            for text in _fault_differences(fault, state, seat in have_acted):
                yield Difference(record.title, number + 1, text)
        have_acted.add(seat)
        if seat is not None and number >= fault_at.get(seat, len(record.actions)):
            stand_in = state.legal_actions()[0]
            if action != stand_in:
                text = f"seat {seat} had a fault: got {action!r}, expected {stand_in!r} of its "
                yield Difference(record.title, number + 1, f"{text}stand-in")
        try:
            state.apply(action)
        except IllegalAction as error:
            yield Difference(record.title, number + 1, str(error))
            return False
    if state.seat_to_act is not None:
        text = f"the record ends, but seat {state.seat_to_act} is to act"
        yield Difference(record.title, len(record.actions), text)
        return False
    return True


def _fault_differences(fault: SeatFault, state: State, has_acted: bool) -> Iterator[str]:
    """Yield what is wrong with a fault in the position `state`.

    `has_acted` says whether the seat to act has acted before.
    """
    if fault.seat != state.seat_to_act:
        yield f"a fault of another seat is recorded here, but seat {state.seat_to_act} is to act"
    elif fault.legal != tuple(legal := state.legal_actions()):
        yield f"legal actions of the fault: {_got(list(fault.legal), legal)}"
    elif fault.kind == "withdrawn" and has_acted:
        yield "the bot is withdrawn here, expected at its first action"


def _verify_faults(record: GameRecord) -> Iterator[Difference]:
    """Yield the faults at moves that a whole game does not have."""
    for fault in record.faults:
        if not 0 <= fault.action < len(record.actions):
            text = f"a fault of seat {fault.seat} is recorded at move {fault.action + 1}, "
            yield Difference(record.title, None, f"{text}which does not exist")


def _verify_outcome(record: GameRecord, state: State) -> Iterator[Difference]:
    outcome = state.outcome()
    faulty = {fault.seat for fault in record.faults}
    ranks = final_ranks(outcome.ranks, state.variant.sides, faulty)
    if record.points != outcome.points:
        text = _got(list(record.points), list(outcome.points))
        yield Difference(record.title, None, f"points: {text}")
    if record.ranks != ranks:
        yield Difference(record.title, None, f"ranks: {_got(list(record.ranks), list(ranks))}")
    weight = final_win_weight(outcome, faulty)
    if record.win_weight != weight:
        yield Difference(record.title, None, f"win weight: {_got(record.win_weight, weight)}")
    detail, expected = (msgspec.json.decode(data) for data in (record.detail, raw(outcome.detail)))
    if detail != expected:
        yield Difference(record.title, None, f"result: {_got(detail, expected)}")


def _got(value: object, expected: object) -> str:
    return f"got {value}, expected {expected}"
