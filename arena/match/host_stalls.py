"""Stalls of the host, seen by how late the referee is woken up."""

STEP_S = 0.03
"""A delay of less than this is how a busy machine is."""
BEAT_S = 0.05
"""The referee looks at least so often, while a bot is on its clock, whether it is still awake."""
SHARE = 0.25
"""A bot's time-out is the host's where the host stalled for this share of the bot's time."""


class Stalls:
    """How long the host has stalled so far, in seconds of any clock."""

    def __init__(self) -> None:
        self.total_s = 0.0

    def woke(self, wait_s: float, waited_s: float) -> None:
        """Note that who meant to wait for at most `wait_s` has waited for `waited_s`."""
        late_s = waited_s - max(0.0, wait_s)
        if late_s > STEP_S:
            self.total_s += late_s

    def excuses(self, before_s: float, limit_s: float) -> bool:
        """Return whether the host stalled so long, since `total_s` was `before_s`, that a time-out
        after `limit_s` says nothing of the bot.
        """
        return self.total_s - before_s >= SHARE * limit_s
