"""Build a seat's or a spectator's view of a Pot de Vin game [9, 10.1]."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec

from engine.pot_de_vin.cards import CHARACTERS, GUILD_OF, GUILDS, in_order
from engine.pot_de_vin.parameters import GAME
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import Result, SideScore, describe, tally
from engine.pot_de_vin.rules import legal_actions
from engine.pot_de_vin.scoring import Tally, score_side


class Turn(msgspec.Struct, frozen=True):
    seat: int
    action: str


class RoundView(msgspec.Struct, frozen=True):
    round: int
    leader: int
    trump: str
    trick: tuple[Turn, ...]
    winner: int
    cards: tuple[str, ...]
    gems: int


class View(msgspec.Struct, frozen=True):
    """A seat's or spectator's view of the game [10.1]. Cards are in canonical order."""

    game: str
    variant: str
    seat: int | None
    n: int
    teams: tuple[tuple[int, ...], ...]
    phase: str
    round: int
    rounds: int
    start: int
    leader: int | None
    to_act: int | None
    active: tuple[int, ...]
    trump: str | None
    trump_pile: int
    led: str | None
    trick: tuple[Turn, ...]
    hand: tuple[str, ...] | None
    discarded: str | None
    hand_sizes: tuple[int, ...]
    gems: tuple[int, ...]
    treasure: tuple[int, ...]
    gems_removed: tuple[int, ...]
    columns: tuple[dict[str, tuple[str, ...]], ...]
    neutral: tuple[tuple[str, ...], ...]
    history: tuple[RoundView, ...]
    score_now: tuple[SideScore, ...]
    legal: tuple[str, ...]
    result: Result | None


class PastView(NamedTuple):
    treasure: tuple[int, ...]
    columns: tuple[dict[str, tuple[str, ...]], ...]
    neutral: tuple[tuple[str, ...], ...]
    history: tuple[RoundView, ...]
    tallies: tuple[Tally, ...]
    score_now: tuple[SideScore, ...]


def update_past_view(position: Position, past: PastView | None) -> PastView:
    finished = len(position.past_rounds)
    if past is None:
        past = _empty_past_view(position)
    if len(past.history) == finished:
        return past
    sides = position.parameters.sides
    treasure, tallies, score_now = [*past.treasure], [*past.tallies], [*past.score_now]
    columns, neutral = [*past.columns], [*past.neutral]
    new = [_view_round(position, n) for n in range(len(past.history) + 1, finished + 1)]
    for each in new:
        seat = each.winner
        treasure[seat] += each.gems
        tallies[seat] += tally(each.cards, each.gems)
        columns[seat], neutral[seat] = _add_to_area(each.cards, columns[seat], neutral[seat])
        side = seat % len(sides)
        score_now[side] = SideScore(*score_side([tallies[mate] for mate in sides[side]]))
    return PastView(
        tuple(treasure),
        tuple(columns),
        tuple(neutral),
        (*past.history, *new),
        tuple(tallies),
        tuple(score_now),
    )


def build_view(position: Position, seat: int | None) -> View:
    past = position.past_view = update_past_view(position, position.past_view)
    parameters, number = position.parameters, position.round
    to_act, trick, trumps = position.seat_to_act, position.trick, position.trumps
    over = to_act is None
    playing = number > 0 and not over
    return View(
        game=GAME,
        variant=parameters.variant_id,
        seat=seat,
        n=parameters.seats,
        teams=parameters.sides,
        phase="over" if over else "play" if playing else "discard",
        round=number,
        rounds=parameters.rounds,
        start=position.starting_seat,
        leader=position.active[0] if playing else None,
        to_act=to_act,
        active=position.active,
        trump=trumps[number - 1] if playing else None,
        trump_pile=parameters.face_down_trumps(number) if number else len(trumps),
        led=CHARACTERS[position.led] if trick else None,
        trick=tuple(map(_turn, position.active, trick)),
        hand=None if seat is None else position.hand_of(seat),
        discarded=None if seat is None else position.discards[seat],
        hand_sizes=position.hand_sizes(),
        gems=tuple(position.gems),
        treasure=past.treasure,
        gems_removed=position.gems_removed,
        columns=past.columns,
        neutral=past.neutral,
        history=past.history,
        score_now=past.score_now,
        legal=() if seat is None or seat != to_act else tuple(legal_actions(position)),
        result=describe(parameters.sides, *position.winnings()) if over else None,
    )


def _empty_past_view(position: Position) -> PastView:
    seats, sides = position.parameters.seats, position.parameters.sides
    columns: dict[str, tuple[str, ...]] = dict.fromkeys(GUILDS, ())
    return PastView(
        treasure=(0,) * seats,
        columns=(columns,) * seats,
        neutral=((),) * seats,
        history=(),
        tallies=(0,) * seats,
        score_now=(SideScore(points=0, cards=0, gems=0),) * len(sides),
    )


def _add_to_area(
    cards: Iterable[str], columns: dict[str, tuple[str, ...]], neutral: tuple[str, ...]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    columns = columns.copy()
    for card in cards:
        guild = GUILD_OF.get(card)
        if guild is None:
            neutral = tuple(in_order([*neutral, card]))
        else:
            columns[guild] = tuple(in_order([*columns[guild], card]))
    return columns, neutral


def _view_round(position: Position, number: int) -> RoundView:
    active, trick, winner = position.past_rounds[number - 1]
    cards, gems = position.winnings_of_round(number)
    return RoundView(
        round=number,
        leader=active[0],
        trump=position.trumps[number - 1],
        trick=tuple(map(_turn, active, trick)),
        winner=winner,
        cards=tuple(in_order(cards)),
        gems=gems,
    )


@cache
def _turn(seat: int, action: str) -> Turn:
    return Turn(seat, action)
