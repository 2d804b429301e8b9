"""Sizes of the portions in which a schedule is played."""

import msgspec


class PortionSizes(msgspec.Struct, frozen=True):
    """Portions that double, from a first size to a largest one, in boards.

    A portion is played before later ones begin. The first one is small, so that results show soon.
    Each one is twice as large as the one before, so that workers seldom wait for its end.
    """

    initial: int = 25
    largest: int = 1_600

    def after(self, boards: int) -> int:
        """Return the size of the portion that follows the first `boards` boards of a schedule."""
        return min(self.initial + boards, self.largest)
