"""Views of Bribery: what a seat may know of a position [10.1, 10.3]."""

from functools import lru_cache

import msgspec

from engine.bribery.cards import (
    ABILITY_OF_SUIT,
    BIT,
    CARDS,
    COUNTRIES,
    COUNTRY,
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
from engine.bribery.control import NO_SIDE, Controller, Pile, SideTable
from engine.bribery.parameters import GAME, HAND_SIZE
from engine.bribery.position import Ability, Position
from engine.bribery.result import Result, describe
from engine.bribery.rules import legal_actions
from engine.bribery.scoring import Evaluation, evaluate

CACHE_SIZE = 4096
"""Cached parts of views, of each kind; enough for a few dozen games in progress."""
_COUNTRY_POINTS = dict(zip(SUITS, POINTS, strict=True)) | {
    OFFICIALS[joker]: points for joker, points in JOKER_POINTS.items()
}


class BribeView(msgspec.Struct, frozen=True):
    """A bribe on an official, and the seat that played it."""

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
    """An ability that is paid for and not yet settled."""

    seat: int
    kind: str
    source: str
    spent: str
    target: str
    to_ask: tuple[int, ...]


class OfficialControl(msgspec.Struct, frozen=True):
    """The control of an official; `totals` is by side."""

    card: str
    totals: tuple[int, ...]
    controller: int | None
    dominated: bool
    votes: int


class CountryControl(msgspec.Struct, frozen=True):
    """The control of a country; `votes` is by side, or None for a joker."""

    country: str
    votes: tuple[int, ...] | None
    controller: int | None
    dominated: bool
    points: int


class BonusView(msgspec.Struct, frozen=True):
    """The bonus that a joker gives to a side."""

    side: int | None
    amount: int


class Effects(msgspec.Struct, frozen=True):
    """The current effects of Jokers #1, #2 and #4."""

    bribe_bonus: BonusView
    vote_bonus: BonusView
    free_placement: int | None


class Control(msgspec.Struct, frozen=True):
    """The evaluated board [6]; `points` is by side, as if the game ended now."""

    officials: tuple[OfficialControl, ...]
    countries: tuple[CountryControl, ...]
    effects: Effects
    points: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """All that a seat may know now; section 10.3 defines the fields.

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


def build_view(position: Position, seat: int | None) -> View:
    """Return the view of a seat, or of a spectator (None)."""
    parameters = position.parameters
    to_act = position.seat_to_act
    round_number = position.round
    evaluation = evaluate(position.piles, parameters.side_table)
    slots = _slots(position.face_up | position.face_down)
    result = describe(evaluation.points, parameters.side_of_seat) if to_act is None else None
    return View(
        game=GAME,
        variant=parameters.variant_id,
        seat=seat,
        side=None if seat is None else parameters.side_of_seat[seat],
        sides=parameters.sides,
        jokers=position.jokers,
        start=position.start,
        round=round_number,
        rounds=parameters.rounds,
        leader=parameters.leader(position.start, round_number),
        turn=position.turn + 1,
        turn_seat=position.order[position.turn],
        to_act=to_act,
        phase=position.phase,
        pending=position.pending and _pending(position.pending, position.to_ask),
        legal=tuple(legal_actions(position)) if to_act is not None and seat == to_act else (),
        hand=() if seat is None else tuple([CARDS[card] for card in position.hand_of(seat)]),
        hand_sizes=tuple(map(len, position.hands)),
        deck_sizes=tuple([max(0, len(deck) - round_number * HAND_SIZE) for deck in position.decks]),
        board=tuple(
            [
                _official(official, not position.face_up & BIT[official], position.piles[official])
                for official in slots
            ]
        ),
        discards=tuple([_discard(bribe, why) for bribe, why in position.discards]),
        control=_control(position, slots, evaluation),
        result=result,
    )


@lru_cache(CACHE_SIZE)
def _slots(on_board: int) -> tuple[int, ...]:
    """Return the officials of a set in the order in which the board is shown."""
    return tuple([official for official in SLOTS if on_board & BIT[official]])


def _pending(ability: Ability, to_ask: tuple[int, ...]) -> PendingView:
    seat, source, spent, target = ability
    return PendingView(
        seat=seat,
        kind=ABILITY_OF_SUIT[COUNTRY[source]],
        source=OFFICIALS[source],
        spent=CARDS[spent // SEATS],
        target=OFFICIALS[target],
        to_ask=to_ask,
    )


def _control(position: Position, slots: tuple[int, ...], evaluation: Evaluation) -> Control:
    """Return the evaluated board, with the officials of `slots`."""
    controllers, votes = evaluation.officials, evaluation.votes
    sides = position.parameters.side_table
    bonus = controllers[JOKER_1]
    countries = [
        _country(SUITS[suit], tuple(evaluation.country_votes[suit]), evaluation.countries[suit])
        for suit in COUNTRIES
    ]
    countries += [
        _country(OFFICIALS[joker], None, controllers[joker])
        for joker in JOKER_POINTS
        if joker in slots
    ]
    return Control(
        officials=tuple(
            [_official_control(o, position.piles[o], sides, bonus, votes[o]) for o in slots]
        ),
        countries=tuple(countries),
        effects=_effects(bonus, controllers[JOKER_2], controllers[JOKER_4][0]),
        points=tuple(evaluation.points),
    )


# Little changes from one view to the next, so the parts of views are cached.


@lru_cache(CACHE_SIZE)
def _discard(bribe: int, why: str) -> DiscardView:
    return DiscardView(CARDS[bribe // SEATS], bribe % SEATS, why)


@lru_cache(CACHE_SIZE)
def _official(official: int, face_down: bool, pile: Pile) -> OfficialView:
    bribes = [BribeView(CARDS[bribe // SEATS], bribe % SEATS) for bribe in pile]
    return OfficialView(OFFICIALS[official], face_down, tuple(bribes))


@lru_cache(CACHE_SIZE)
def _official_control(
    official: int, pile: Pile, sides: SideTable, bonus: Controller, votes: int
) -> OfficialControl:
    values = VALUE_OF if official == JOKER_1 else sides.values[bonus]
    side, factor = sides.controller(pile, values)
    return OfficialControl(
        card=OFFICIALS[official],
        totals=tuple(sides.totals(pile, values)),
        controller=_side(side),
        dominated=factor == 2,
        votes=votes,
    )


@lru_cache(CACHE_SIZE)
def _country(country: str, votes: tuple[int, ...] | None, controller: Controller) -> CountryControl:
    side, factor = controller
    return CountryControl(
        country=country,
        votes=votes,
        controller=_side(side),
        dominated=factor == 2,
        points=_COUNTRY_POINTS[country] * factor,
    )


@lru_cache(CACHE_SIZE)
def _effects(bribes: Controller, votes: Controller, free_side: int) -> Effects:
    return Effects(_bonus(bribes), _bonus(votes), _side(free_side))


def _bonus(controller: Controller) -> BonusView:
    side, amount = controller
    return BonusView(_side(side), amount)


def _side(side: int) -> int | None:
    """Return a side as it is written in a view."""
    return None if side == NO_SIDE else side
