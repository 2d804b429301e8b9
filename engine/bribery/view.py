"""What a seat may know of a position, as data [10.1, 10.3]."""

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from engine.bribery.cards import (
    BIT,
    CARDS,
    COUNTRIES,
    JOKER_1,
    JOKER_2,
    JOKER_4,
    JOKER_POINTS,
    OFFICIALS,
    POINTS,
    SEATS,
    SLOTS,
    SUITS,
    VALUE_OF,
)
from engine.bribery.control import NOBODY, Evaluation, Grip, Pile, Sides, evaluate
from engine.bribery.deal import HAND
from engine.bribery.result import Result, describe

if TYPE_CHECKING:
    from engine.bribery.abilities import Ability
    from engine.bribery.state import BriberyState


REMEMBERED = 4096
"""Parts of views, of each kind: those of some dozen games under way."""
_COUNTRY_POINTS = dict(zip(SUITS, POINTS, strict=True)) | {
    OFFICIALS[joker]: points for joker, points in JOKER_POINTS.items()
}


class BribeView(msgspec.Struct, frozen=True):
    """A bribe on an official, and the seat that it belongs to."""

    card: str
    seat: int


class OfficialView(msgspec.Struct, frozen=True):
    """An official on the board, with its bribes in order of arrival."""

    card: str
    face_down: bool
    bribes: tuple[BribeView, ...]


class DiscardView(msgspec.Struct, frozen=True):
    """A bribe on the discard pile: `why` is `forced`, `spent` or `assassinated`."""

    card: str
    seat: int
    why: str


class PendingView(msgspec.Struct, frozen=True):
    """An ability that is paid and not yet settled."""

    seat: int
    kind: str
    source: str
    spent: str
    target: str
    to_ask: tuple[int, ...]


class OfficialControl(msgspec.Struct, frozen=True):
    """Who controls an official; `totals` are by side."""

    card: str
    totals: tuple[int, ...]
    controller: int | None
    dominated: bool
    votes: int


class CountryControl(msgspec.Struct, frozen=True):
    """Who controls a country; `votes` are by side, None for a joker."""

    country: str
    votes: tuple[int, ...] | None
    controller: int | None
    dominated: bool
    points: int


class BonusView(msgspec.Struct, frozen=True):
    """What a joker adds, and for which side."""

    side: int | None
    amount: int


class Effects(msgspec.Struct, frozen=True):
    """What Jokers #1, #2 and #4 do at present."""

    bribe_bonus: BonusView
    vote_bonus: BonusView
    free_placement: int | None


class Control(msgspec.Struct, frozen=True):
    """The board evaluated [6]; `points` are by side, as if the game ended now."""

    officials: tuple[OfficialControl, ...]
    countries: tuple[CountryControl, ...]
    effects: Effects
    points: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """All that one seat may know now; section 10.3 says what each field holds.

    A spectator's view has no seat, side, hand or legal actions.
    """

    game: str
    variant: str
    seat: int | None
    side: int | None
    sides: tuple[tuple[int, ...], ...]
    jokers: tuple[str, ...]
    start: int
    round: int
    rounds: int
    leader: int
    turn: int
    turn_seat: int | None
    to_act: int | None
    phase: str
    pending: PendingView | None
    legal: tuple[str, ...]
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]
    board: tuple[OfficialView, ...]
    discards: tuple[DiscardView, ...]
    control: Control
    result: Result | None


def view_for(state: "BriberyState", seat: int | None) -> View:
    """Return the view of a seat, or of a spectator (None)."""
    variant = state.variant
    to_act = state.seat_to_act
    round_number = state.round
    evaluation = evaluate(state.piles, variant.side_table)
    slots = _slots(state.on_board)
    result = describe(evaluation.points, variant.side_of_seat) if to_act is None else None
    return View(
        game=variant.game,
        variant=variant.id,
        seat=seat,
        side=None if seat is None else variant.side_of_seat[seat],
        sides=variant.sides,
        jokers=state.jokers,
        start=state.start,
        round=round_number,
        rounds=variant.rounds,
        leader=variant.leader(state.start, round_number),
        turn=state.turn + 1,
        turn_seat=state.order[state.turn],
        to_act=to_act,
        phase=state.phase,
        pending=state.pending and _pending(state.pending),
        legal=tuple(state.legal_actions()) if to_act is not None and seat == to_act else (),
        hand=() if seat is None else tuple([CARDS[card] for card in state.hand_of(seat)]),
        hand_sizes=tuple(map(len, state.hands)),
        deck_sizes=tuple([max(0, len(deck) - round_number * HAND) for deck in state.decks]),
        board=tuple(
            [
                _official(official, not state.face_up & BIT[official], state.piles[official])
                for official in slots
            ]
        ),
        discards=tuple(
            [DiscardView(CARDS[b // SEATS], b % SEATS, why) for b, why in state.discards]
        ),
        control=_control(state, slots, evaluation),
        result=result,
    )


@lru_cache(REMEMBERED)
def _slots(on_board: int) -> tuple[int, ...]:
    """Return the officials on the board in the order in which it is shown."""
    return tuple([official for official in SLOTS if on_board & BIT[official]])


def _pending(ability: "Ability") -> PendingView:
    return PendingView(
        seat=ability.seat,
        kind=ability.kind,
        source=OFFICIALS[ability.source],
        spent=CARDS[ability.spent // SEATS],
        target=OFFICIALS[ability.target],
        to_ask=ability.to_ask,
    )


def _control(state: "BriberyState", slots: tuple[int, ...], evaluation: Evaluation) -> Control:
    grips, votes, sides = evaluation.grips, evaluation.votes, state.variant.side_table
    bonus = grips[JOKER_1]
    countries = [
        _country(SUITS[suit], tuple(evaluation.country_votes[suit]), evaluation.countries[suit])
        for suit in COUNTRIES
    ]
    countries += [
        _country(OFFICIALS[joker], None, grips[joker]) for joker in JOKER_POINTS if joker in slots
    ]
    return Control(
        officials=tuple(
            [_official_control(o, state.piles[o], sides, bonus, votes[o]) for o in slots]
        ),
        countries=tuple(countries),
        effects=_effects(bonus, grips[JOKER_2], grips[JOKER_4].side),
        points=tuple(evaluation.points),
    )


# From one view to the next little changes, so what a view is put together from is remembered.


@lru_cache(REMEMBERED)
def _official(official: int, face_down: bool, pile: Pile) -> OfficialView:
    bribes = [BribeView(CARDS[bribe // SEATS], bribe % SEATS) for bribe in pile]
    return OfficialView(OFFICIALS[official], face_down, tuple(bribes))


@lru_cache(REMEMBERED)
def _official_control(
    official: int, pile: Pile, sides: Sides, bonus: Grip, votes: int
) -> OfficialControl:
    worth = VALUE_OF if official == JOKER_1 else sides.worths[bonus]
    side, factor = sides.grip(pile, worth)
    return OfficialControl(
        card=OFFICIALS[official],
        totals=tuple(sides.totals(pile, worth)),
        controller=_side(side),
        dominated=factor == 2,
        votes=votes,
    )


@lru_cache(REMEMBERED)
def _country(country: str, votes: tuple[int, ...] | None, grip: Grip) -> CountryControl:
    return CountryControl(
        country=country,
        votes=votes,
        controller=_side(grip.side),
        dominated=grip.factor == 2,
        points=_COUNTRY_POINTS[country] * grip.factor,
    )


@lru_cache(REMEMBERED)
def _effects(bribes: Grip, votes: Grip, free_side: int) -> Effects:
    return Effects(_bonus(bribes), _bonus(votes), _side(free_side))


def _bonus(grip: Grip) -> BonusView:
    return BonusView(_side(grip.side), grip.factor)


def _side(side: int) -> int | None:
    """Return a side as a view writes it."""
    return None if side == NOBODY else side
