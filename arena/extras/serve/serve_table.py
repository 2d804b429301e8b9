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


class OpenIdTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[serve.openid]`: the identity provider of the university."""

    issuer: str
    client: str
    """The id that the provider has given the server."""
    secret: str
    """The file of the secret that belongs to it, in the folder of the contest."""


class LtiTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[serve.lti]`: the learning platform, with LTI 1.3."""

    issuer: str
    client: str
    deployment: str
    login_url: str
    token_url: str
    keys_url: str
    course: str = ""
    """The id of the course (`context.id`) that the contest belongs to. Empty: that of the first
    launch by one of `teachers`."""
    teachers: tuple[str, ...] = ()
    """The e-mails of the teachers whose first launch binds the contest to their course."""


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
    openid: OpenIdTable | None = None
    """None means that nobody signs in by an identity provider."""
    lti: LtiTable | None = None
    """None means that nobody signs in by a learning platform."""
    archived: bool = False
    """Whether the contest is over: its pages stay, and it takes and plays nothing."""
    accepted_risk: str = ""
    """The sentence `RISK`, if submissions may run in a weaker sandbox."""


def serve_of(contest: Contest) -> ServeTable:
    """Return the table of a contest."""
    table: ServeTable = getattr(contest, "serve", ServeTable())
    return table
