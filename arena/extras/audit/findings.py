"""Findings of an audit, as data."""

from typing import Literal

import msgspec

Cause = Literal["gift", "own play", "unknown"]


class Gain(msgspec.Struct, frozen=True):
    """A bot whose points gain more from another bot than those of other bots do."""

    variant: str
    bot: str
    other: str
    relation: Literal["opponent", "partner"]
    boards: int
    """The boards on which both sat."""
    gain: float
    """In points a game, beyond what others gain from `other`, and `bot` from others."""
    error: float
    """The standard error of `gain`."""
    p_value: float
    """Of no such gain, corrected for the number of pairs of the run."""
    cause: Cause = "unknown"
    """`gift`: the actions of `other` help `bot` more than others. `own play`: they do not, so it is
    the play of `bot`. `unknown`: it cannot be found for partners, two sides and very long games."""
    gift: float | None = None
    """The points a game that the actions of `other` gave to `bot` more than to others, compared
    with those of third bots; None if it was not measured.
    """
    gift_error: float | None = None
    gift_p_value: float | None = None
    """Of a gift that is a matter of style, corrected for the number of pairs that were tested."""
    games: tuple[str, ...] = ()
    """The titles of the games in which `bot` had the most points with `other` at its table."""


class OpeningDependence(msgspec.Struct, frozen=True):
    """A bot whose first actions depend on who else sits at the table, before anybody has played."""

    variant: str
    bot: str
    other: str
    openings: int
    p_value: float
    """Corrected for the number of pairs of the run."""


class Likeness(msgspec.Struct, frozen=True):
    """Two bots that decide alike."""

    bots: tuple[str, str]
    alike: int
    situations: int
    """Situations that both were in, where not all bots decided alike."""
    later: int
    """Situations of both after the first decision of a game."""
    usual: float
    """The share of situations in which other pairs decided alike."""
    p_value: float
    """Of a pair that is as alike as usual, corrected for the number of pairs."""
    is_near_copy: bool
    """Whether they also decide alike after their first decisions. If there were too few, the two
    may only share an idea for the first one."""


class ProgramLikeness(msgspec.Struct, frozen=True):
    """Two bots with like programs in one language."""

    bots: tuple[str, str]
    shared: float
    """The share of passages of the shorter program that the other one has, too."""
    passages: int
    """Passages of the shorter program. Those that are public, or that most bots have, are left out.
    """


class LeftOut(msgspec.Struct, frozen=True, array_like=True):
    """A bot whose program cannot be compared."""

    bot: str
    reason: str


class ProgramCoverage(msgspec.Struct, frozen=True):
    """Which programs were compared. Installed bots are neither compared nor left out."""

    compared: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class VariantCoverage(msgspec.Struct, frozen=True):
    """The pairs that were tested in a variant."""

    variant: str
    boards: int
    """Complete ones."""
    bots: int
    pairs: int
    """Ordered pairs of opponents whose gains were tested; 0 if the boards do not suffice."""
    partners: int
    openings: int
    """Ordered pairs whose openings were tested."""
    detectable: float | None
    """The least gain in points a game that is found in half of the cases; None without pairs."""


class Audit(msgspec.Struct, frozen=True):
    """The findings in a run."""

    variants: tuple[VariantCoverage, ...]
    gains: tuple[Gain, ...]
    openings: tuple[OpeningDependence, ...]
    likenesses: tuple[Likeness, ...]
    same_files: tuple[tuple[str, ...], ...]
    """Groups of bots with the same command and files."""
    programs: tuple[ProgramLikeness, ...] = ()
    """Pairs of bots with like programs, also those with the same files."""
    program_coverage: ProgramCoverage | None = None
    """None if the programs were not at hand, as in an exported file."""

    @property
    def gifts(self) -> tuple[Gain, ...]:
        """The gains that are gifts: those that name a boss (`bot`) and a feeder (`other`)."""
        return tuple([gain for gain in self.gains if gain.cause == "gift"])
