"""Data for the game page, without information that is hidden from the signed-in person."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from arena.base.protocol import printable
from arena.extras.serve.play.browser_game import PERSON, BrowserGame
from arena.match.referee import final_ranks, start_game
from arena.narration.moves import Failures, story
from arena.narration.points import explain_ranks
from arena.narration.telling import telling_of
from arena.narration.words import YOU, Words, menu
from arena.publish.replays import shown_fields
from engine import State


class DrawnTable(msgspec.Struct, frozen=True):
    game: str
    variant: str
    names: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    seat: int
    next: int | None
    view: dict[str, Any]


class FinalPlace(NamedTuple):
    seat: int
    rank: int
    points: int
    why: str


class GameContent:
    def __init__(self, game: BrowserGame, name: str = PERSON) -> None:
        state, since, why = _position_of(game)
        seat, variant = game.seat, state.variant
        telling = telling_of(variant.game)
        self.names = tuple([YOU if at == seat else printable(n) for at, n in enumerate(game.names)])
        drawn = [f"{printable(name)} (you)" if shown == YOU else shown for shown in self.names]
        words, view = Words(variant.game, self.names, seat), state.view(seat)
        self.is_to_move = state.seat_to_act == seat
        legal = state.legal_actions() if self.is_to_move else []
        self.table = DrawnTable(
            game=variant.game,
            variant=variant.id,
            names=tuple(drawn),
            sides=variant.sides,
            seat=seat,
            next=seat if self.is_to_move else None,
            view=shown_fields(view),
        )
        self.move = len(game.actions)
        self.story = story(state.events(seat), since, words, why)
        self.choices = menu(view, legal, words)
        points = telling.points_now(view)
        self.points = list(zip(variant.sides, points or (), strict=False))
        self.places = _places(game, state, words)
        self.is_over = bool(self.places)
        self.faults = [
            f"{self.names[fault.seat]} failed ({fault.kind}), so a stand-in takes its turns from "
            "now on"
            for fault in game.faults
        ]


class _Position(NamedTuple):
    state: State
    since: int
    why: Sequence[str]


def _position_of(game: BrowserGame) -> _Position:
    state = start_game(game.variant, game.deal)
    failures = Failures(state)
    failures.reasons_so_far()
    count = since = 0
    for action in game.actions:
        if state.seat_to_act == game.seat:
            count += len(state.events(game.seat, count))
            since = count
        state.apply(action)
        failures.reasons_so_far()
    return _Position(state, since, failures.reasons_so_far())


def _places(game: BrowserGame, state: State, words: Words) -> list[FinalPlace]:
    if state.seat_to_act is not None:
        return []
    outcome = state.outcome()
    faulty = {fault.seat for fault in game.faults}
    ranks = final_ranks(outcome.ranks, state.variant.sides, faulty)
    why = explain_ranks(state, ranks, faulty, words)
    places = [
        FinalPlace(seat, ranks[seat], outcome.points[seat], why[seat]) for seat in range(len(ranks))
    ]
    return sorted(places, key=lambda place: place.rank)
