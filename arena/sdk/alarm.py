"""Dump the stacks of a Python bot when the processor time for an action is almost used up.

The dump is triggered by a timer in the bot's own process, so it works in every sandbox, and even
while the bot is stuck in a C function.
"""

import faulthandler
import signal
from collections.abc import Callable

ALARM_SHARE = 0.9
"""Share of the time limit that must be used before the stacks are dumped."""
MARK_S = 1e6
"""Repeat interval of the arena's timer in seconds, unusual enough to identify the timer."""


def no_alarm(clock_ms: int) -> None:
    """Do nothing, in place of the alarm of a bot that can't use timers."""


def stop_alarm() -> None:
    """Stop the arena's timer, so that its signal can't kill the bot process during exit."""
    if signal.getitimer(signal.ITIMER_PROF)[1] == MARK_S:
        signal.setitimer(signal.ITIMER_PROF, 0)


def make_alarm() -> Callable[[int], object]:
    """Return a function that schedules a dump of the stacks of all threads to stderr.

    The argument of the returned function is the processor time limit of an action in
    milliseconds, or 0 when the bot has chosen an action.
    """
    if signal.getsignal(signal.SIGPROF) != signal.SIG_DFL:
        return no_alarm
    faulthandler.register(signal.SIGPROF, file=2)

    def set_alarm(clock_ms: int) -> None:
        signal.setitimer(signal.ITIMER_PROF, clock_ms * (ALARM_SHARE / 1000), MARK_S)

    return set_alarm
