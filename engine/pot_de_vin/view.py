"""What a seat may know of a position, as data [9, 10.1]."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from engine.pot_de_vin.cards import CHARACTERS, GUILD_OF, GUILDS, in_order
from engine.pot_de_vin.scoring import Result, Standing, describe
from engine.pot_de_vin.tally import Tally, score, tally

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

    treasure: list[int]
    columns: list[dict[str, tuple[str, ...]]]
    neutral: list[tuple[str, ...]]
    history: tuple[RoundView, ...]
    tallies: list[Tally]
    score_now: list[Standing]


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
        led=CHARACTERS[state.led] if state.trick else None,
        trick=tuple(map(Turn, state.active, state.trick)),
        hand=None if seat is None else state.hand_of(seat),
        discarded=None if seat is None else state.discards[seat],
        hand_sizes=tuple(map(state.hand_size, range(variant.seats))),
        gems=tuple(state.gems),
        treasure=tuple(table.treasure),
        gems_removed=tuple(state.removed),
        columns=tuple(table.columns),
        neutral=tuple(table.neutral),
        history=table.history,
        score_now=tuple(table.score_now),
        legal=() if seat is None or seat != state.seat_to_act else tuple(state.legal_actions()),
        result=describe(variant.sides, *state.taken()) if over else None,
    )


def _lay_table(state: "PotDeVinState") -> Table:
    """Add what the winners of the rounds since took to the table as it was."""
    sides = state.variant.sides
    before = state.table or _lay_empty_table(sides, state.variant.seats)
    treasure, tallies = before.treasure.copy(), before.tallies.copy()
    columns, neutral = before.columns.copy(), before.neutral.copy()
    score_now = before.score_now.copy()
    new = [_show_round(state, n) for n in range(len(before.history) + 1, len(state.past) + 1)]
    for past in new:
        seat = past.winner
        treasure[seat] += past.gems
        taken = tally(past.cards, past.gems)
        tallies[seat] = [old + more for old, more in zip(tallies[seat], taken, strict=True)]
        columns[seat], neutral[seat] = _sort_in(past.cards, columns[seat], neutral[seat])
        side = seat % len(sides)
        score_now[side] = Standing(*score([tallies[mate] for mate in sides[side]]))
    return Table(treasure, columns, neutral, (*before.history, *new), tallies, score_now)


def _lay_empty_table(sides: tuple[tuple[int, ...], ...], seats: int) -> Table:
    return Table(
        treasure=[0] * seats,
        columns=[dict.fromkeys(GUILDS, ())] * seats,
        neutral=[()] * seats,
        history=(),
        tallies=[tally(())] * seats,
        score_now=[Standing(points=0, cards=0, gems=0)] * len(sides),
    )


def _sort_in(
    cards: Iterable[str], columns: dict[str, tuple[str, ...]], neutral: tuple[str, ...]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return the guild columns and the neutral cards of an area with these cards added.

    Jokers are among the neutral cards: where they go is seen at the end [7.2].
    """
    columns = columns.copy()
    for card in cards:
        guild = GUILD_OF.get(card)
        if guild is None:
            neutral = tuple(in_order([*neutral, card]))
        else:
            columns[guild] = tuple(in_order([*columns[guild], card]))
    return columns, neutral


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
