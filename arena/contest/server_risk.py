"""The sandbox of submissions to a contest server, and the sentence that allows a weaker one."""

from arena.contest.settings import Contest, override
from arena.contracts import AUTO
from arena.errors import SettingsError

ISOLATED = "isolated"
RISK = (
    "submissions may read, change and delete everything that the account of the server can, "
    "and use the network"
)
"""The sentence that a teacher writes to let submissions run in a weaker sandbox."""


def check_risk(text: str) -> None:
    """Refuse a sentence that does not name the risk. Raises `SettingsError`."""
    if text not in ("", RISK):
        raise SettingsError(f"got {text[:200]!r}, expected exactly {RISK!r}, or leave it out")


def with_server_sandbox(contest: Contest) -> Contest:
    """Return a contest whose submissions run isolated, or as it says if it accepts the risk.

    Raises:
        SettingsError: it names a weaker sandbox, and does not accept the risk.
    """
    if contest.serve.accepted_risk:
        check_risk(contest.serve.accepted_risk)
        return contest
    if contest.sandbox.level not in (AUTO, ISOLATED):
        raise SettingsError(
            f"got the sandbox level {contest.sandbox.level!r}, expected {ISOLATED!r}, since the "
            f"server runs programs of strangers: change it, or accept the risk under [serve] with "
            f'`accepted_risk = "{RISK}"`'
        )
    return override(contest, {"sandbox.level": ISOLATED})
