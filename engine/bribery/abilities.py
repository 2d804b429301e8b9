"""Abilities as data: which officials have one, and one that is under way or over [8]."""

from typing import Final, NamedTuple

from engine.bribery.cards import BIT, CLUBS, COUNTRY, DIAMONDS, OTHERS, SPADES

KIND: Final = {CLUBS: "assassinate", DIAMONDS: "swindle", SPADES: "bless"}
"""By suit of the source; hearts only protect."""
SOURCES: Final = tuple([official for official, suit in enumerate(COUNTRY) if suit in KIND])
OTHERS_OF_RANK: Final = tuple([sum([BIT[other] for other in others]) for others in OTHERS])
"""By official: the set of those that it can reach [R28]."""


class Ability(NamedTuple):
    """An ability that has been paid for."""

    seat: int
    source: int
    spent: int
    """The bribe that was paid."""
    target: int
    to_ask: tuple[int, ...] = ()
    """The seats that may still protect, the one to act first."""

    @property
    def kind(self) -> str:
        """What the ability does."""
        return KIND[COUNTRY[self.source]]


class Settled(NamedTuple):
    """An ability that took effect or was cancelled."""

    actions: int
    """How many were in the log by then."""
    ability: Ability
    by: int | None
    """The seat that protected."""
    discarded: tuple[int, ...]
    """The bribes that the target lost to an assassination."""
