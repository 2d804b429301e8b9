"""The board of Bribery as immutable data, and the boards that follow from it."""

from collections.abc import Mapping
from typing import NamedTuple

from bots.bribery.cards import JOKERS, OFFICIALS, SUITS
from bots.bribery.view import View


class SideBribe(NamedTuple):
    """A bribe, with the side that it counts for."""

    card: str
    side: int


Pile = tuple[SideBribe, ...]
Piles = tuple[Pile | None, ...]
"""The bribes on each official of a group, in order. Officials that are still to be played have an
empty pile; officials that are out of play have None."""
Board = Mapping[str, Piles]
"""The piles by group. A group is the officials of a country, by suit, or the jokers.

Boards that follow from each other share the piles of most groups, so what was computed of a group
can be found again.
"""

JOKER = "o"
"""The group of the jokers."""
GROUPS = {JOKER: list(JOKERS), **OFFICIALS}
"""The officials of each group."""
PLACES = {
    official: (group, place)
    for group, officials in GROUPS.items()
    for place, official in enumerate(officials)
}
"""By official: its group, and its place in the group."""


def board_of(view: View) -> Board:
    """Return the board that a view shows."""
    sides = len(view.sides)
    board: dict[str, Pile | None] = dict.fromkeys(PLACES, ())
    for joker in JOKERS:
        if joker not in view.jokers:
            board[joker] = None
    for official in view.board:
        pile = [SideBribe(bribe.card, bribe.seat % sides) for bribe in official.bribes]
        board[official.card] = None if official.face_down else tuple(pile)
    return {group: tuple([board[one] for one in officials]) for group, officials in GROUPS.items()}


def pile_of(board: Board, official: str) -> Pile | None:
    """Return the bribes on `official`, or None if it is out of play."""
    group, place = PLACES[official]
    return board[group][place]


def with_pile(board: Board, official: str, pile: Pile | None) -> Board:
    """Return the board with another pile on `official`; None takes it out of play."""
    group, place = PLACES[official]
    piles = board[group]
    return {**board, group: (*piles[:place], pile, *piles[place + 1 :])}


def put(board: Board, bribe: SideBribe, official: str) -> Board:
    """Return the board after `bribe` is put on `official`, which is in play."""
    return with_pile(board, official, (*(pile_of(board, official) or ()), bribe))


def take(board: Board, card: str, official: str) -> tuple[Board, SideBribe]:
    """Return the board after the bribe `card` is taken from `official`, and that bribe."""
    pile = pile_of(board, official) or ()
    (taken,) = [bribe for bribe in pile if bribe.card == card]
    return with_pile(board, official, tuple([bribe for bribe in pile if bribe != taken])), taken


def move(board: Board, card: str, origin: str, destination: str) -> Board:
    """Return the board after the bribe `card` is moved to another official."""
    left, bribe = take(board, card, origin)
    return put(left, bribe, destination)


def open_suits(group: str, pile: Pile) -> frozenset[str]:
    """Return the suits that may still be put on an official of a group, ignoring Joker #4."""
    return SUITS.difference(group, [bribe.card[-1] for bribe in pile])


def count_open_places(board: Board) -> int:
    """Return the number of open suits of all officials in play."""
    places = [
        len(open_suits(group, pile))
        for group, piles in board.items()
        for pile in piles
        if pile is not None
    ]
    return sum(places)
