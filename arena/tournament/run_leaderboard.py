"""The leaderboard of a run, with its sandbox and the hash of its secret."""

import msgspec

from arena.contracts import SandboxSettings
from arena.rating.certificate import Order
from arena.rating.leaderboard import Leaderboard


class RunLeaderboard(Leaderboard, frozen=True):
    """A leaderboard with facts about its run, as stored in `leaderboard.json`."""

    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    secret_hash: str | None = None
    """The SHA-256 of the secret from which the deals follow. None if bots may predict them."""
    order: Order | msgspec.UnsetType = msgspec.UNSET
    """What the tables are ordered by; the rating if it is not set."""

    @property
    def orders_by_score(self) -> bool:
        """Whether the tables are ordered by the score."""
        return self.order == "score"
