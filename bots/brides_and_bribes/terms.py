"""The cost of a marriage in Brides & Bribes, and the tiles that change it."""
# compiled: see setup.py

from typing import Final, NamedTuple


class Budget(NamedTuple):
    """Coins and influence that can be spent on a marriage."""

    coins: float
    influence: float


class Terms(NamedTuple):
    """The numbers that determine what a marriage costs a guide, or a tile's changes to them."""

    lord_prestige: int = 0
    prestige: int = 0
    charm: int = 0
    bride_charm_change: int = 0

    def shifted(self, kind: str) -> "Terms":
        """Return the terms after a tile of this kind takes effect."""
        more = SHIFTS[kind]
        return Terms(
            self.lord_prestige + more.lord_prestige,
            self.prestige + more.prestige,
            self.charm + more.charm,
            self.bride_charm_change + more.bride_charm_change,
        )

    def forfeit(self) -> int:
        """Return the influence that a marriage costs."""
        return max(0, self.lord_prestige - max(0, self.prestige))

    def bribe(self, bride_charm: int) -> int:
        """Return how many coins a bride with this charm costs."""
        return max(0, bride_charm + self.bride_charm_change - max(0, self.charm))

    def can_be_paid(self, bride_charm: int, budget: Budget) -> bool:
        """Return whether `budget` is enough for a bride with this charm."""
        return self.forfeit() <= budget.influence and self.bribe(bride_charm) <= budget.coins


SHIFTS: Final = {
    "ring": Terms(charm=4),
    "bard": Terms(charm=3),
    "suit": Terms(prestige=4),
    "archivist": Terms(prestige=3),
    "plague-spreader": Terms(charm=-3),
    "damsel": Terms(bride_charm_change=3),
    "crook": Terms(lord_prestige=3),
    "magistrate": Terms(prestige=-1),
    "defamer": Terms(prestige=-2),
}
"""How each kind changes the terms. The first four change our own, the others a rival's."""
EASING: Final = ("ring", "bard", "suit", "archivist")
"""Kinds that improve our own terms."""
