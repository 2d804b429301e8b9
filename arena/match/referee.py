"""Referee a single game without performing any I/O."""

from collections.abc import Collection, Generator, Sequence
from typing import NamedTuple

import msgspec

from arena.base.protocol import MAX_NOTE_CHARS, Fault, SeatFault, Start, printable, raw
from arena.base.record import Game, GameRecord, Note
from arena.match.seats import ActionSource, Answer, Decision
from engine import EndlessGame, State, Variant, get_variant


class Ending(NamedTuple):
    actions: tuple[str, ...]
    faults: tuple[SeatFault, ...]
    notes: tuple[Note, ...]


def start_game(variant_id: str, deal: msgspec.Raw) -> State:
    """Return the initial state of a game.

    Raises:
        EngineError: The variant is unknown, or the deal isn't valid for the variant.
        ValueError: The deal is not valid JSON.
        RecursionError: The deal's JSON is nested too deeply.
    """
    variant = get_variant(variant_id)
    return variant.start(variant.read_deal(msgspec.json.decode(deal)))


def start_message(variant: Variant, seat: int, seed: int, table: int = 0) -> Start:
    seats, teams = variant.seats, variant.teams
    return Start(table, variant.game, variant.id, seat, seats, teams, seed)


ANSWERS = ActionSource()


def referee(
    state: State,
    source: ActionSource = ANSWERS,
    without_events: Collection[int] = (),
    worlds: int = 0,
) -> Generator[Decision, Answer, Ending]:
    """Return a generator that plays a game. The generator yields a request for each decision, and
    the bot's answer or fault must be passed to the generator's `send` method.

    If a bot commits a fault, the first legal action is played on each of its remaining turns.
    Bots in the seats `without_events` receive no events. Random game states for bots are
    generated with the seed `worlds`.

    Raises:
        EndlessGame: The game exceeded the variant's `max_decisions`.
    """
    source.prepare(state)
    events_sent = [0] * state.variant.seats
    turns = [0] * state.variant.seats
    actions: list[str] = []
    faults: dict[int, SeatFault] = {}
    notes: list[Note] = []
    move, most = 0, state.variant.max_decisions
    while (seat := state.seat_to_act) is not None:
        if move >= most:
            raise EndlessGame(state.variant.id, seat, actions)
        legal = state.legal_actions()
        answer: Answer | None = None
        if seat not in faults and source.asks(seat, move):
            events = () if seat in without_events else state.events(seat, events_sent[seat])
            events_sent[seat] += len(events)
            turns[seat] = turn = turns[seat] + 1
            answer = yield Decision(seat, turn, state, events, legal, move, worlds)
            if isinstance(answer, Fault) or answer.action not in legal:
                if not isinstance(answer, Fault):
                    text = f"answered {answer.action[:80]!a}, which is not legal"
                    answer = Fault("illegal", text)
                faults[seat] = SeatFault(seat, move, answer.kind, answer.text, tuple(legal))
            elif answer.note:
                text = printable(answer.note[:MAX_NOTE_CHARS])
                notes.append(Note(move, text[:MAX_NOTE_CHARS]))
        action = source.action(move, answer, legal)
        state.apply(action)
        actions.append(action)
        move += 1
    return Ending(tuple(actions), tuple(faults.values()), tuple(notes))


def final_ranks(
    ranks: Sequence[int], sides: Sequence[Sequence[int]], faulty: Collection[int]
) -> tuple[int, ...]:
    """Return each seat's rank. All teams or players that committed a fault share last place."""
    fallen = [side for side in sides if any(seat in faulty for seat in side)]
    clean = [side for side in sides if side not in fallen]
    final = list(ranks)
    for side in sides:
        better = [rival for rival in clean if side in fallen or ranks[rival[0]] < ranks[side[0]]]
        for seat in side:
            final[seat] = 1 + len(better)
    return tuple(final)


def record_of(game: Game, state: State, ending: Ending) -> GameRecord:
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
        win_weight=1 if faulty else outcome.win_weight,
        faults=ending.faults,
        notes=ending.notes,
    )
