"""The table `[serve]` of `contest.toml`."""

from typing import Annotated

import msgspec
from msgspec import Meta

from arena.base.errors import SettingsError
from arena.contest.settings import Contest

RISK = (
    "submissions may read, change and delete everything that the account of the server can, "
    "and use the network"
)
"""The sentence that a teacher writes to let submissions run in a weaker sandbox."""


def check_risk(text: str) -> None:
    """Refuse a sentence that does not name the risk. Raises `SettingsError`."""
    if text not in ("", RISK):
        raise SettingsError(f"got {text[:200]!r}, expected exactly {RISK!r}, or leave it out")


class ServeTable(msgspec.Struct, frozen=True):
    """The table `[serve]`: what the contest server shows and allows. No run depends on it."""

    pseudonyms: bool = False
    """Whether the public board shows pseudonyms instead of names."""
    freeze_minutes: Annotated[int, Meta(ge=0, le=525_600)] = 0
    """Minutes for which the public board is frozen before the deadline, and until the final is
    over.
    """
    final: bool = True
    """Whether a final on fresh deals is played after the deadline."""
    review_seconds: Annotated[int, Meta(ge=0, le=3600)] = 120
    """Seconds for the review of a game that a student asks for. 0 offers none."""
    archived: bool = False
    """Whether the contest is over: its pages stay, and it takes and plays nothing."""
    accepted_risk: str = ""
    """The sentence `RISK`, if submissions may run in a weaker sandbox."""


def serve_of(contest: Contest) -> ServeTable:
    """Return the table of a contest."""
    table: ServeTable = getattr(contest, "serve", ServeTable())
    return table
