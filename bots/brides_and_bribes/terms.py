"""Compute the cost of a marriage in Brides & Bribes."""
# compiled: see setup.py

from typing import Final, NamedTuple


class Budget(NamedTuple):
    coins: float
    influence: float


class Terms(NamedTuple):
    """The factors in the cost of a marriage."""

    lord_prestige: int = 0
    prestige: int = 0
    charm: int = 0
    bride_charm_change: int = 0

    def shifted(self, kind: str) -> "Terms":
        more = SHIFTS[kind]
        return Terms(
            self.lord_prestige + more.lord_prestige,
            self.prestige + more.prestige,
            self.charm + more.charm,
            self.bride_charm_change + more.bride_charm_change,
        )

    def forfeit(self) -> int:
        return max(0, self.lord_prestige - max(0, self.prestige))

    def bribe(self, bride_charm: int) -> int:
        return max(0, bride_charm + self.bride_charm_change - max(0, self.charm))

    def can_be_paid(self, bride_charm: int, budget: Budget) -> bool:
        return self.forfeit() <= budget.influence and self.bribe(bride_charm) <= budget.coins


# How each kind of tile changes the terms of a marriage.
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
EASING: Final = ("ring", "bard", "suit", "archivist")
