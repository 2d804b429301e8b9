"""Stalls of the host, measured by how late the referee itself is woken up."""
# compiled: see setup.py

MIN_STALL_S = 0.03
"""Shorter delays are usual on a busy machine."""
BEAT_S = 0.05
"""The longest time that the referee sleeps while an answer is pending, so that it sees stalls."""


class HostStalls:
    """The time for which the host has stalled so far, in seconds of any clock."""

    def __init__(self) -> None:
        self.total_s = 0.0

    def woke(self, wait_s: float, waited_s: float) -> None:
        """Note a wait that was to last at most `wait_s` and lasted `waited_s`."""
        late_s = waited_s - max(0.0, wait_s)
        if late_s > MIN_STALL_S:
            self.total_s += late_s
