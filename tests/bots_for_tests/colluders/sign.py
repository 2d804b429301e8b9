"""The sign by which feeders recognise their boss: where it puts its first bribes.

Opponents are anonymous, so the boss can only be recognised by what it plays. It puts its first
bribes on the last official, in the order of the board, that takes them.
"""

from collections.abc import Sequence
from typing import Any

SIGNS = 2
"""The bribes that are the sign."""


def target_of(bribe: str, board: Sequence[Any]) -> str | None:
    """Return the official on which the boss would put `bribe`, given the `board` of a view."""
    for official in reversed(board):
        suits = [bribe.card[-1] for bribe in official.bribes]
        if bribe[-1] not in (official.card[1], *suits):
            return str(official.card)
    return None


def sign(legal: Sequence[str], board: Sequence[Any]) -> str | None:
    """Return the legal action that gives the sign with the lowest bribe, or None."""
    bribes = [action.split()[1] for action in legal if action.startswith("bribe ")]
    for bribe in sorted(set(bribes), key=lambda card: (int(card[:-1]), card)):
        action = f"bribe {bribe} {target_of(bribe, board)}"
        if action in legal:
            return action
    return None
