"""Position of Hush Money: the plain data of a game in progress."""

from hush_money.cards import OFFICIALS


class Position:
    """Where each note is."""

    def __init__(self, hands: list[list[int]]) -> None:
        self.hands = hands  # by seat, in ascending order
        self.sealed: list[int] = []  # notes in envelopes, of the seats from 0 on
        self.opened: list[tuple[int, ...]] = []  # by official, then by seat

    def copy(self) -> "Position":
        """Return an independent copy."""
        other = Position([hand.copy() for hand in self.hands])
        other.sealed, other.opened = self.sealed.copy(), self.opened.copy()
        return other

    def seat_to_act(self) -> int | None:
        """Return the seat whose decision is next; None when all officials are sold."""
        return len(self.sealed) if len(self.opened) < len(OFFICIALS) else None
