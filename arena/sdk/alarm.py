"""An alarm that shows where a bot in Python is when the time for an action is nearly over.

It uses timers of the bot's own process, so it works in every sandbox and needs no signal from
outside. One counts processor time: it has the stack written without the interpreter, so also of a
bot that hangs in a C function. The other counts wall time, and has the stack of a bot written that
did little but wait.
"""

import faulthandler
import signal
import time
from collections.abc import Callable

ALARM_SHARE = 0.9
"""The part of the time after which the stack is written, while the process still lives."""
MARK_S = 1e6
"""The interval of our timers, far beyond the life of a bot, by which they are recognized."""
SOON_S = 0.001
"""The time to an alarm that is due already."""
TIMERS = (
    (signal.ITIMER_PROF, signal.SIGPROF),
    (signal.ITIMER_REAL, signal.SIGALRM),
)
"""The timers of processor time and of wall time, with their signals."""


_OURS: list[object] = []  # handlers of `make_alarm`


def no_alarm(clock_ms: int) -> None:
    """Do nothing."""


def stop_alarm() -> None:
    """Stop our timers: when the interpreter ends, a signal of them would kill the process.

    Timers of the bot's own go on.
    """
    for timer, _ in TIMERS:
        if signal.getitimer(timer)[1] == MARK_S:
            signal.setitimer(timer, 0)


def make_alarm(late_s: float, idle_ms: int = 0) -> Callable[[int], object]:
    """Return a function that has the stacks of all threads written to stderr when time runs out.

    It is called with the processor time for an action, and with 0 when the action is there. A bot
    that uses one of the signals itself gets `no_alarm`.

    Args:
        late_s: the processor time that the first action has used already, to import modules.
        idle_ms: the time for which the bot may wait; 0 stands for the same as for an action.
    """
    if any(signal.getsignal(number) not in (signal.SIG_DFL, *_OURS) for _, number in TIMERS):
        return no_alarm
    faulthandler.register(signal.SIGPROF, file=2)
    (of_cpu, _), (of_wall, _) = TIMERS
    set_timer, clock = signal.setitimer, time.process_time
    began_s = wait_s = 0.0

    def write_if_idle(*_: object) -> None:
        if clock() - began_s < wait_s / 2:
            faulthandler.dump_traceback(file=2)

    _OURS.append(write_if_idle)
    signal.signal(signal.SIGALRM, write_if_idle)

    def set_alarm(clock_ms: int) -> None:
        nonlocal late_s, began_s, wait_s
        after_s = clock_ms * (ALARM_SHARE / 1000)
        if clock_ms:
            began_s = clock()
            wait_s = (idle_ms or clock_ms) * (ALARM_SHARE / 1000)
            if late_s:
                after_s = max(SOON_S, after_s - late_s)
                late_s = 0.0
        set_timer(of_cpu, after_s, MARK_S)
        set_timer(of_wall, wait_s if clock_ms else 0, MARK_S)

    return set_alarm
