"""Build the public part of a view, which is the same for all seats."""
# compiled: see setup.py

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engine.bribery.cards import (
    BIT,
    BRIBES,
    COUNTRIES,
    JOKER_1,
    JOKER_2,
    JOKER_4,
    JOKER_POINTS,
    OFFICIALS,
    OFFICIALS_OF,
    POINTS,
    SEATS,
    SLOTS,
    SUITS,
    VALUE_OF,
)
from engine.bribery.control import (
    NO_SIDE,
    UNCONTROLLED,
    Controller,
    Pile,
    SideTable,
    find_controller,
)
from engine.bribery.position import Position
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import votes_of
from engine.bribery.view.structs import (
    BonusView,
    BribeView,
    Control,
    CountryControl,
    Effects,
    OfficialControl,
    OfficialView,
)

CACHE_SIZE: Final = 4096
_BRIBES: Final = tuple([BribeView(card, seat) for card in BRIBES for seat in range(SEATS)])
_COUNTRIES: Final = (
    *[(SUITS[suit], OFFICIALS_OF[suit]) for suit in COUNTRIES],
    *[(OFFICIALS[joker], (joker,)) for joker in JOKER_POINTS],
)
_COUNTRY_POINTS: Final = (*[POINTS[suit] for suit in COUNTRIES], *JOKER_POINTS.values())
_PLACE: Final = {o: place for place, (_, officials) in enumerate(_COUNTRIES) for o in officials}

Bonuses = tuple[Controller, Controller]  # of Joker #1 and Joker #2
_NO_BONUSES: Final = UNCONTROLLED, UNCONTROLLED


class BoardView(NamedTuple):
    """The public part of a view. Do not modify the lists, because several views share them."""

    on_board: int
    face_down: int
    piles: list[Pile]
    bonuses: Bonuses
    shown: list[OfficialView]
    controls: list[OfficialControl]
    countries: list[CountryControl]
    officials: tuple[OfficialView, ...]
    control: Control


def update_board(position: Position, before: BoardView | None) -> BoardView:
    piles, face_down, sides = position.piles, position.face_down, position.parameters.side_table
    on_board = position.face_up | face_down
    if before is None:
        before = _empty_board(sides)
    _, was_down, was, _, shown, controls, countries, _, _ = before
    if on_board == before.on_board and face_down == was_down and piles == was:
        return before
    table = controllers(position, (JOKER_2,))
    bonuses = table[JOKER_1], table[JOKER_2]
    other_bonuses = bonuses != before.bonuses
    changed = [o for o, pile in enumerate(piles) if pile is not was[o] or (pile and other_bonuses)]
    if face_down != was_down:
        changed = list(range(len(piles)))
    if changed:
        controllers(position, changed)
        shown, controls, countries = shown.copy(), controls.copy(), countries.copy()
        for official in changed:
            pile = piles[official]
            shown[official] = _official(official, bool(face_down & BIT[official]), pile)
            controls[official] = _control(official, pile, sides, table)
        for country in {_PLACE[official] for official in changed}:
            countries[country] = _country(country, controls, sides)
    slots, places = _on_board(on_board)
    shown_countries = tuple([countries[place] for place in places])
    control = Control(
        tuple([controls[official] for official in slots]),
        shown_countries,
        _effects(bonuses, controls[JOKER_4].controller),
        _points(shown_countries, sides),
    )
    return BoardView(
        on_board,
        face_down,
        piles.copy(),
        bonuses,
        shown,
        controls,
        countries,
        tuple([shown[official] for official in slots]),
        control,
    )


@cache
def _empty_board(sides: SideTable) -> BoardView:
    shown = [_official(official, False, ()) for official in range(len(OFFICIALS))]
    table = [UNCONTROLLED] * len(OFFICIALS)
    controls = [_control(official, (), sides, table) for official in range(len(OFFICIALS))]
    countries = [_country(place, controls, sides) for place in range(len(_COUNTRIES))]
    control = Control((), (), _effects(_NO_BONUSES, None), ())
    piles: list[Pile] = [()] * len(OFFICIALS)
    return BoardView(0, 0, piles, _NO_BONUSES, shown, controls, countries, (), control)


@lru_cache(CACHE_SIZE)
def _on_board(officials: int) -> tuple[list[int], list[int]]:
    slots = [official for official in SLOTS if officials & BIT[official]]
    places = [p for p, (_, of) in enumerate(_COUNTRIES) if len(of) > 1 or of[0] in slots]
    return slots, places


def _official(official: int, face_down: bool, pile: Pile) -> OfficialView:
    return OfficialView(OFFICIALS[official], face_down, tuple([_BRIBES[bribe] for bribe in pile]))


def _control(
    official: int, pile: Pile, sides: SideTable, table: list[Controller]
) -> OfficialControl:
    values = VALUE_OF if official == JOKER_1 else sides.values[table[JOKER_1]]
    side, factor = controller = table[official]
    votes = votes_of(official, controller, table[JOKER_2])
    totals = tuple(sides.totals(pile, values))
    return OfficialControl(OFFICIALS[official], totals, _side(side), factor == 2, votes)


def _country(place: int, controls: list[OfficialControl], sides: SideTable) -> CountryControl:
    name, officials = _COUNTRIES[place]
    if len(officials) == 1:
        own = controls[officials[0]]
        factor = 0 if own.controller is None else 1 + own.dominated
        points = _COUNTRY_POINTS[place] * factor
        return CountryControl(name, None, own.controller, own.dominated, points)
    votes = [0] * sides.count
    for official in officials:
        control = controls[official]
        if control.controller is not None:
            votes[control.controller] += control.votes
    side, factor = find_controller(votes)
    points = _COUNTRY_POINTS[place] * factor
    return CountryControl(name, tuple(votes), _side(side), factor == 2, points)


@lru_cache(CACHE_SIZE)
def _effects(bonuses: Bonuses, free_side: int | None) -> Effects:
    bribe_bonus, vote_bonus = bonuses
    return Effects(_bonus(bribe_bonus), _bonus(vote_bonus), free_side)


def _bonus(controller: Controller) -> BonusView:
    side, amount = controller
    return BonusView(_side(side), amount)


def _side(side: int) -> int | None:
    return None if side == NO_SIDE else side


def _points(countries: Iterable[CountryControl], sides: SideTable) -> tuple[int, ...]:
    points = [0] * sides.count
    for country in countries:
        side = country.controller
        if side is not None:
            points[side] += country.points
    return tuple(points)
