"""The board of Bribery as immutable data, and the boards that follow from it."""
# compiled: see setup.py

import functools
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from bots.bribery.cards import BRIBES, JOKERS, OFFICIALS, SUITS
from bots.bribery.view import View


class SideBribe(NamedTuple):
    """A bribe, with the side that it counts for."""

    card: str
    side: int


class Pile:
    """The bribes on an official.

    Equal piles are the same object, made by `pile_of`, so they are compared and hashed quickly.
    """

    __slots__ = ("bribes", "only_side", "places", "values")

    def __init__(self, bribes: tuple[SideBribe, ...], places: int) -> None:
        self.bribes = bribes
        self.values = [(side, BRIBES[card]) for card, side in bribes]
        """The side and the printed value of each bribe."""
        sides = [side for _, side in bribes]
        self.only_side = sides[0] if sides and sides.count(sides[0]) == len(sides) else None
        """The side of all bribes, if there are any and no other side has one."""
        self.places = places
        """The number of suits of bribes that may still be put there, ignoring Joker #4."""


Piles = tuple[Pile | None, ...]
"""The piles of the officials of a group, in order.

An official that is still to be played has an empty pile; an official that is out of play has None.
"""
Board = Mapping[str, Piles]
"""The piles by group. A group is the officials of a country, by suit, or the jokers.

Boards that follow from each other share the piles of most groups, so what was computed of a group
can be found again.
"""

JOKER: Final = "o"
"""The group of the jokers."""
GROUPS: Final = {JOKER: list(JOKERS), **OFFICIALS}
"""The officials of each group."""
PLACES: Final = {
    official: (group, place)
    for group, officials in GROUPS.items()
    for place, official in enumerate(officials)
}
"""By official: its group, and its place in the group."""
MEMBERS: Final = {group: itemgetter(*officials) for group, officials in GROUPS.items()}
"""Takes the officials of a group from what is by official."""
MAX_PILES = 1 << 14
"""The number of piles that are kept."""
MAX_NEXT_PILES = 1 << 12
"""The number of piles that are kept by what is put on another one."""


side_bribe = functools.cache(SideBribe)
shared_pile = functools.lru_cache(maxsize=MAX_PILES)(Pile)


@functools.lru_cache(maxsize=MAX_PILES)
def pile_of(group: str, bribes: tuple[SideBribe, ...]) -> Pile:
    """Return the pile of some bribes on an official of a group."""
    return shared_pile(bribes, len(open_suits(group, bribes)))


@functools.lru_cache(maxsize=MAX_NEXT_PILES)
def pile_with(group: str, pile: Pile | None, bribe: SideBribe) -> Pile:
    """Return the pile on an official of a group after `bribe` is put on it."""
    return pile_of(group, (bribe,) if pile is None else (*pile.bribes, bribe))


def open_suits(group: str, bribes: Iterable[SideBribe]) -> frozenset[str]:
    """Return the suits that may still be put on an official of a group, ignoring Joker #4."""
    return SUITS.difference(group, [bribe.card[-1] for bribe in bribes])


EMPTY: Final = {
    official: pile_of(group, ()) for group, officials in GROUPS.items() for official in officials
}
"""The pile of each official that has no bribes."""


def board_of(view: View) -> Board:
    """Return the board that a view shows."""
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
    """Return the bribes on `official`, or None if it is out of play."""
    group, place = PLACES[official]
    pile = board[group][place]
    return None if pile is None else pile.bribes


def with_bribes(board: Board, official: str, bribes: tuple[SideBribe, ...] | None) -> Board:
    """Return the board with other bribes on `official`; None takes it out of play."""
    group, place = PLACES[official]
    piles = board[group]
    pile = None if bribes is None else pile_of(group, bribes)
    return {**board, group: (*piles[:place], pile, *piles[place + 1 :])}


def put(board: Board, bribe: SideBribe, official: str) -> Board:
    """Return the board after `bribe` is put on `official`, which is in play."""
    group, place = PLACES[official]
    piles = board[group]
    pile = pile_with(group, piles[place], bribe)
    return {**board, group: (*piles[:place], pile, *piles[place + 1 :])}


def take(board: Board, card: str, official: str) -> tuple[Board, SideBribe]:
    """Return the board after the bribe `card` is taken from `official`, and that bribe."""
    bribes = bribes_on(board, official) or ()
    (taken,) = [bribe for bribe in bribes if bribe.card == card]
    left = tuple([bribe for bribe in bribes if bribe != taken])
    return with_bribes(board, official, left), taken


def move(board: Board, card: str, origin: str, destination: str) -> Board:
    """Return the board after the bribe `card` is moved to another official."""
    left, bribe = take(board, card, origin)
    return put(left, bribe, destination)


def count_places(board: Board) -> int:
    """Return the number of suits that may still be put on officials, summed over all of them."""
    return sum([pile.places for piles in board.values() for pile in piles if pile is not None])
