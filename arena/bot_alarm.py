"""An alarm that shows where a bot in Python is when the time for an action is nearly over.

It is a timer of the bot's own process, so it works in every sandbox and needs no signal from
outside. The stack is written without the interpreter, so also by a bot that hangs in a C function.
"""

import faulthandler
import signal
from collections.abc import Callable

ALARM_SHARE = 0.95
"""The part of the time after which the stack is written, while the process still lives."""


def no_alarm(clock_ms: int) -> None:
    """Do nothing."""


def make_alarm() -> Callable[[int], object]:
    """Return a function that has the stacks of all threads written to stderr when time runs out.

    It is called with the time for an action, and with 0 when the action is there. A bot that uses
    SIGALRM itself gets `no_alarm`.
    """
    if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        return no_alarm
    faulthandler.register(signal.SIGALRM, file=2)
    set_timer, timer = signal.setitimer, signal.ITIMER_REAL

    def set_alarm(clock_ms: int) -> None:
        set_timer(timer, clock_ms * (ALARM_SHARE / 1000))

    return set_alarm
