"""The leaderboard of a run, with the sandbox that its bots ran in."""

import msgspec

from arena.contracts import SandboxSettings
from arena.rating.leaderboard import Leaderboard


class RunLeaderboard(Leaderboard, frozen=True):
    """A leaderboard and the sandbox settings of its run, as stored in `leaderboard.json`."""

    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
