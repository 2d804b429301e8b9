"""The board of Bribery as immutable data, and the boards that follow from it."""

from collections.abc import Mapping
from typing import NamedTuple

from bots.bribery.cards import OFFICIALS, SUITS
from bots.bribery.view import View


class SideBribe(NamedTuple):
    """A bribe, with the side that it counts for."""

    card: str
    side: int


Pile = tuple[SideBribe, ...]
Board = Mapping[str, Pile]
"""The bribes on each official. Officials that are still to be played have an empty pile; officials
that are out of play are missing."""


def board_of(view: View) -> Board:
    """Return the board that a view shows."""
    sides = len(view.sides)
    suited = [official for officials in OFFICIALS.values() for official in officials]
    board: dict[str, Pile] = dict.fromkeys([*suited, *view.jokers], ())
    for official in view.board:
        board[official.card] = tuple(
            [SideBribe(bribe.card, bribe.seat % sides) for bribe in official.bribes]
        )
        if official.face_down:
            del board[official.card]
    return board


def put(board: Board, bribe: SideBribe, official: str) -> Board:
    """Return the board after `bribe` is put on `official`."""
    return {**board, official: (*board[official], bribe)}


def take(board: Board, card: str, official: str) -> tuple[Board, SideBribe]:
    """Return the board after the bribe `card` is taken from `official`, and that bribe."""
    pile = board[official]
    (taken,) = [bribe for bribe in pile if bribe.card == card]
    return {**board, official: tuple([bribe for bribe in pile if bribe != taken])}, taken


def move(board: Board, card: str, origin: str, destination: str) -> Board:
    """Return the board after the bribe `card` is moved to another official."""
    left, bribe = take(board, card, origin)
    return put(left, bribe, destination)


def open_suits(official: str, pile: Pile) -> frozenset[str]:
    """Return the suits of bribes that may still be put on `official`, ignoring Joker #4."""
    return SUITS.difference(official[1], [bribe.card[-1] for bribe in pile])
