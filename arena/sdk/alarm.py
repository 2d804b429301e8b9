"""An alarm that shows where a bot in Python is when the time for an action is nearly over.

It is a timer of the bot's own process, so it works in every sandbox and needs no signal from
outside. The stack is written without the interpreter, so also by a bot that hangs in a C function.
"""

import faulthandler
import signal
from collections.abc import Callable

ALARM_SHARE = 0.9
"""The part of the time after which the stack is written, while the process still lives."""
MARK_S = 1e6
"""The interval of our timers, far beyond the life of a bot, by which they are recognized."""
SOON_S = 0.001
"""The time to an alarm that is due already."""


def no_alarm(clock_ms: int) -> None:
    """Do nothing."""


def stop_alarm() -> None:
    """Stop our timer: when the interpreter ends, its signal would kill the process.

    A timer of the bot's own goes on.
    """
    if signal.getitimer(signal.ITIMER_REAL)[1] == MARK_S:
        signal.setitimer(signal.ITIMER_REAL, 0)


def make_alarm(late_s: float) -> Callable[[int], object]:
    """Return a function that has the stacks of all threads written to stderr when time runs out.

    It is called with the time for an action, and with 0 when the action is there. A bot that uses
    SIGALRM itself gets `no_alarm`. For the first action the time may have run for `late_s` before,
    in which the bot imported modules.
    """
    if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        return no_alarm
    faulthandler.register(signal.SIGALRM, file=2)
    set_timer, timer = signal.setitimer, signal.ITIMER_REAL

    def set_alarm(clock_ms: int) -> None:
        nonlocal late_s
        after_s = clock_ms * (ALARM_SHARE / 1000)
        if late_s and clock_ms:
            after_s = max(SOON_S, after_s - late_s)
            late_s = 0.0
        set_timer(timer, after_s, MARK_S)

    return set_alarm
