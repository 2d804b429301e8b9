"""Dump the stack traces of a Python bot when its time limit is almost used up.

The dump is triggered by a timer in the bot's own process, so it works in every sandbox, even if
the bot is stuck in a C function.
"""

import faulthandler
import signal
from collections.abc import Callable

ALARM_SHARE = 0.9  # of the time limit, after which the stack traces are dumped
MARK_S = 1e6  # the repeat interval, which shows that a timer was set by this module


def no_alarm(clock_ms: int) -> None:
    """Ignore the time limit. Used for bots that can't use timers."""


def stop_alarm() -> None:
    """Stop the alarm timer, so that its signal can't kill the bot process during exit."""
    if signal.getitimer(signal.ITIMER_PROF)[1] == MARK_S:
        signal.setitimer(signal.ITIMER_PROF, 0)


def make_alarm() -> Callable[[int], object]:
    """Return a function that schedules a dump of the stacks of all threads to stderr.

    At the start of each turn, call the function with the processor time limit in milliseconds.
    At the end of the turn, call it with 0.
    """
    if signal.getsignal(signal.SIGPROF) != signal.SIG_DFL:
        return no_alarm
    faulthandler.register(signal.SIGPROF, file=2)

    def set_alarm(clock_ms: int) -> None:
        signal.setitimer(signal.ITIMER_PROF, clock_ms * (ALARM_SHARE / 1000), MARK_S)

    return set_alarm
