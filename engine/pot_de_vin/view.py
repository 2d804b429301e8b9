"""What a seat may know of a position, as data [9, 10.1]."""

from typing import TYPE_CHECKING

import msgspec

from engine.pot_de_vin.cards import CHARACTERS, GUILD_OF, GUILDS, in_order
from engine.pot_de_vin.scoring import Result, Standing, describe, standing

if TYPE_CHECKING:
    from engine.pot_de_vin.state import PotDeVinState


class Turn(msgspec.Struct, frozen=True):
    """What one seat did in a round."""

    seat: int
    action: str


class RoundView(msgspec.Struct, frozen=True):
    """A finished round: who did what, and what its winner took."""

    round: int
    leader: int
    trump: str
    trick: tuple[Turn, ...]
    winner: int
    cards: tuple[str, ...]
    gems: int


class View(msgspec.Struct, frozen=True):
    """All that one seat may know now; section 10.1 says what each field holds.

    A spectator's view has no seat, hand, own discard or legal actions. Lists "per seat" are
    indexed by seat, lists of cards are in canonical order.
    """

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
    score_now: tuple[Standing, ...]
    legal: tuple[str, ...]
    result: Result | None


class Table(msgspec.Struct, frozen=True):
    """The part of a view that changes only when a round ends; built once for all viewers."""

    treasure: tuple[int, ...]
    columns: tuple[dict[str, tuple[str, ...]], ...]
    neutral: tuple[tuple[str, ...], ...]
    history: tuple[RoundView, ...]
    score_now: tuple[Standing, ...]
    result: Result | None


def view_for(state: "PotDeVinState", seat: int | None) -> View:
    """Return the view of a seat, or of a spectator (None)."""
    variant = state.variant
    table = state.table
    if table is None or len(table.history) < len(state.past):
        table = state.table = _lay_table(state)
    over = state.seat_to_act is None
    playing = state.round > 0 and not over
    return View(
        game=variant.game,
        variant=variant.id,
        seat=seat,
        n=variant.seats,
        teams=variant.sides,
        phase="over" if over else "play" if playing else "discard",
        round=state.round,
        rounds=variant.rounds,
        start=state.start,
        leader=state.active[0] if playing else None,
        to_act=state.seat_to_act,
        active=state.active,
        trump=state.trumps[state.round - 1] if playing else None,
        trump_pile=variant.face_down_trumps(state.round) if state.round else len(state.trumps),
        led=None if state.led is None else CHARACTERS[state.led],
        trick=tuple(map(Turn, state.active, state.trick)),
        hand=None if seat is None else state.hand_of(seat),
        discarded=None if seat is None else state.discards[seat],
        hand_sizes=tuple(map(state.hand_size, range(variant.seats))),
        gems=tuple(state.gems),
        treasure=table.treasure,
        gems_removed=tuple(state.removed),
        columns=table.columns,
        neutral=table.neutral,
        history=table.history,
        score_now=table.score_now,
        legal=() if seat is None or seat != state.seat_to_act else tuple(state.legal_actions()),
        result=table.result,
    )


def _lay_table(state: "PotDeVinState") -> Table:
    sides = state.variant.sides
    taken, treasure = state.taken()
    known = state.table.history if state.table else ()  # finished rounds never change
    new = range(len(known) + 1, len(state.past) + 1)
    areas = [in_order(area) for area in taken]
    return Table(
        treasure=tuple(treasure),
        columns=tuple([_columns(area) for area in areas]),
        neutral=tuple([tuple([c for c in area if c not in GUILD_OF]) for area in areas]),
        history=(*known, *(_show_round(state, number) for number in new)),
        score_now=tuple([standing(seats, taken, treasure) for seats in sides]),
        result=describe(sides, taken, treasure) if state.seat_to_act is None else None,
    )


def _show_round(state: "PotDeVinState", number: int) -> RoundView:
    active, trick, winner = state.past[number - 1]
    cards, gems = state.loot(number)
    return RoundView(
        round=number,
        leader=active[0],
        trump=state.trumps[number - 1],
        trick=tuple(map(Turn, active, trick)),
        winner=winner,
        cards=tuple(in_order(cards)),
        gems=gems,
    )


def _columns(area: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the guild cards of an ordered area by guild; jokers are never among them."""
    columns: dict[str, list[str]] = {guild: [] for guild in GUILDS}
    for card in area:
        if card in GUILD_OF:
            columns[GUILD_OF[card]].append(card)
    return {guild: tuple(cards) for guild, cards in columns.items()}
