"""The referee of one game, without I/O: a generator that says which seat to ask what.

A driver carries it: it asks the bot that sits there and sends back what came, an answer or a
fault. Drivers are `in_process` (bots in this process) and `driver` (bot processes).
"""

from collections.abc import Collection, Generator, Sequence
from typing import NamedTuple

import msgspec

from arena.protocol import NOTE_CHARS, Fault, SeatFault, printable, raw
from arena.record import Game, GameRecord, Note
from engine import Outcome, State, get_variant


class Ask(msgspec.Struct, frozen=True):
    """A decision to be asked of the bot at `seat`; `turn` counts the seat's own, from 1."""

    seat: int
    turn: int
    state: State
    """As it is until the answer is sent."""
    events: Sequence[msgspec.Struct]
    """What the seat was told since its last turn."""
    legal: list[str]

    @property
    def view(self) -> msgspec.Struct:
        """What the seat may know now; made when it is asked for, since not every bot wants it."""
        return self.state.view(self.seat)


class Reply(msgspec.Struct, frozen=True):
    """What the bot answered."""

    action: str
    note: str = ""


class Ending(NamedTuple):
    """How a game went."""

    actions: tuple[str, ...]
    faults: tuple[SeatFault, ...]
    notes: tuple[Note, ...]


def start_game(variant_id: str, deal: msgspec.Raw) -> State:
    """Return the state before the first action.

    Raises:
        EngineError: there is no such variant, or the deal is not one of it.
        ValueError: the deal is no JSON; or RecursionError, when it is nested too deeply.
    """
    variant = get_variant(variant_id)
    return variant.start(variant.read_deal(msgspec.json.decode(deal)))


def referee(state: State) -> Generator[Ask, Reply | Fault, Ending]:
    """Play a game to its end: yield whom to ask what, be sent what came back.

    A fault ends the part of its seat: from then on a stand-in decides for it, by taking the
    first legal action. The state is played to the end in any case.
    """
    told = [0] * state.variant.seats
    turns = [0] * state.variant.seats
    actions: list[str] = []
    faults: dict[int, SeatFault] = {}
    notes: list[Note] = []
    while (seat := state.seat_to_act) is not None:
        legal = state.legal_actions()
        action = legal[0]  # the stand-in's
        if seat not in faults:
            events = state.events(seat, told[seat])
            told[seat] += len(events)
            turns[seat] += 1
            answer = judged((yield Ask(seat, turns[seat], state, events, legal)), legal)
            if isinstance(answer, Fault):
                faults[seat] = SeatFault(seat, len(actions), answer.kind, answer.text, tuple(legal))
            else:
                action = answer.action
                if answer.note:
                    text = printable(answer.note[:NOTE_CHARS])
                    notes.append(Note(len(actions), text[:NOTE_CHARS]))
        state.apply(action)
        actions.append(action)
    return Ending(tuple(actions), tuple(faults.values()), tuple(notes))


def judged(answer: Reply | Fault, legal: Collection[str]) -> Reply | Fault:
    """Return an answer, or the fault that it is when its action is not legal."""
    if isinstance(answer, Reply) and answer.action not in legal:
        return Fault("illegal", f"answered {answer.action[:80]!a}, which is not legal")
    return answer


def final_ranks(
    ranks: Sequence[int], sides: Sequence[Sequence[int]], faulty: Collection[int]
) -> tuple[int, ...]:
    """Return the ranks by seat when the sides with a faulty seat are last, equal to one another."""
    fallen = [side for side in sides if any(seat in faulty for seat in side)]
    clean = [side for side in sides if side not in fallen]
    final = list(ranks)
    for side in sides:
        better = [one for one in clean if side in fallen or ranks[one[0]] < ranks[side[0]]]
        for seat in side:
            final[seat] = 1 + len(better)
    return tuple(final)


def final_win_weight(outcome: Outcome, faulty: Collection[int]) -> int:
    """Return how many games the game counts as: where a stand-in played it is one."""
    return 1 if faulty else outcome.win_weight


def record_of(game: Game, state: State, ending: Ending) -> GameRecord:
    """Return the record of a game that was played to its end."""
    outcome, variant = state.outcome(), state.variant
    faulty = {fault.seat for fault in ending.faults}
    return GameRecord(
        key=game.key,
        variant=game.variant,
        rules_version=variant.rules_version,
        board=game.board,
        rotation=game.rotation,
        entrants=game.entrants,
        seeds=game.seeds,
        deal=game.deal,
        actions=ending.actions,
        points=outcome.points,
        ranks=final_ranks(outcome.ranks, variant.sides, faulty),
        detail=raw(outcome.detail),
        win_weight=final_win_weight(outcome, faulty),
        faults=ending.faults,
        notes=ending.notes,
    )
