"""The board of Bribery as immutable data."""
# compiled: see setup.py

import functools
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from bots.bribery.cards import BRIBES, JOKERS, OFFICIALS, SUITS
from bots.bribery.view import View


class SideBribe(NamedTuple):
    card: str
    side: int


class Pile:
    """The bribes on an official."""

    __slots__ = ("bribes", "only_side", "places", "values")

    def __init__(self, bribes: tuple[SideBribe, ...], places: int) -> None:
        self.bribes = bribes
        self.values = [(side, BRIBES[card]) for card, side in bribes]
        sides = [side for _, side in bribes]
        self.only_side = sides[0] if sides and sides.count(sides[0]) == len(sides) else None
        # The number of suits that the official still accepts, ignoring Joker #4.
        self.places = places


Piles = tuple[Pile | None, ...]
"""The piles of a group's officials. None stands for an official out of play."""
Board = Mapping[str, Piles]
"""The piles of all officials, by suit. The jokers count as a suit."""

JOKER: Final = "o"
GROUPS: Final = {JOKER: list(JOKERS), **OFFICIALS}
PLACES: Final = {
    official: (group, place)
    for group, officials in GROUPS.items()
    for place, official in enumerate(officials)
}
MEMBERS: Final = {group: itemgetter(*officials) for group, officials in GROUPS.items()}
MAX_PILES = 1 << 14


side_bribe = functools.cache(SideBribe)
shared_pile = functools.lru_cache(maxsize=MAX_PILES)(Pile)


@functools.lru_cache(maxsize=MAX_PILES)
def pile_of(group: str, bribes: tuple[SideBribe, ...]) -> Pile:
    return shared_pile(bribes, len(open_suits(group, bribes)))


def open_suits(group: str, bribes: Iterable[SideBribe]) -> frozenset[str]:
    return SUITS.difference(group, [bribe.card[-1] for bribe in bribes])


EMPTY: Final = {
    official: pile_of(group, ()) for group, officials in GROUPS.items() for official in officials
}


def board_of(view: View) -> Board:
    sides = len(view.sides)
    piles: dict[str, Pile | None] = {**EMPTY}
    for joker in JOKERS:
        if joker not in view.jokers:
            piles[joker] = None
    for official in view.board:
        if official.face_down:
            piles[official.card] = None
        elif official.bribes:
            bribes = [side_bribe(bribe.card, bribe.seat % sides) for bribe in official.bribes]
            group, _ = PLACES[official.card]
            piles[official.card] = pile_of(group, tuple(bribes))
    return {group: members(piles) for group, members in MEMBERS.items()}


def bribes_on(board: Board, official: str) -> tuple[SideBribe, ...] | None:
    group, place = PLACES[official]
    pile = board[group][place]
    return None if pile is None else pile.bribes


def with_bribes(board: Board, official: str, bribes: tuple[SideBribe, ...] | None) -> Board:
    """Return a copy of the board in which an official has the given bribes.

    If `bribes` is None, the official is removed from play.
    """
    group, place = PLACES[official]
    piles = board[group]
    pile = None if bribes is None else pile_of(group, bribes)
    return {**board, group: (*piles[:place], pile, *piles[place + 1 :])}


def put(board: Board, bribe: SideBribe, official: str) -> Board:
    group, place = PLACES[official]
    piles = board[group]
    before = piles[place]
    pile = pile_of(group, (bribe,) if before is None else (*before.bribes, bribe))
    return {**board, group: (*piles[:place], pile, *piles[place + 1 :])}


def take(board: Board, card: str, official: str) -> tuple[Board, SideBribe]:
    bribes = bribes_on(board, official) or ()
    (taken,) = [bribe for bribe in bribes if bribe.card == card]
    left = tuple([bribe for bribe in bribes if bribe != taken])
    return with_bribes(board, official, left), taken


def move(board: Board, card: str, origin: str, destination: str) -> Board:
    left, bribe = take(board, card, origin)
    return put(left, bribe, destination)


def count_places(board: Board) -> int:
    return sum([pile.places for piles in board.values() for pile in piles if pile is not None])
