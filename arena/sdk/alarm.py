"""Show where a Python bot is when its time for an action has almost run out.

Timers of the bot's own process are used, so this works in every sandbox. One timer counts
processor time. It dumps the stacks without the interpreter's help, so it works even while the
bot hangs in a C function. The other timer counts wall time, and dumps the stacks only if the bot
has mostly been waiting.
"""

import faulthandler
import signal
import time
from collections.abc import Callable

ALARM_SHARE = 0.9
"""Share of the time limit after which the stacks are dumped."""
MARK_S = 1e6
"""Interval that marks a timer as the arena's, in seconds. It is longer than any bot runs."""
SOON_S = 0.001
"""Seconds until an alarm that is overdue."""
TIMERS = (
    (signal.ITIMER_PROF, signal.SIGPROF),
    (signal.ITIMER_REAL, signal.SIGALRM),
)
"""Timers for processor time and wall time, with their signals."""


_OURS: list[object] = []  # handlers of `make_alarm`


def no_alarm(clock_ms: int) -> None:
    """Do nothing. This replaces an alarm."""


def stop_alarm() -> None:
    """Stop the arena's timers, so that their signals can't kill the process while it exits."""
    for timer, _ in TIMERS:
        if signal.getitimer(timer)[1] == MARK_S:
            signal.setitimer(timer, 0)


def make_alarm(late_s: float, idle_ms: int = 0) -> Callable[[int], object]:
    """Return a function that schedules a dump of all threads' stacks to stderr.

    Call it with the processor time for an action, in ms, and with 0 once the action is chosen. If
    the bot handles one of the signals itself, `no_alarm` is returned instead.

    Args:
        late_s: Processor time already used from the first action's budget, to import modules.
        idle_ms: How long the bot may wait; 0 means as long as the time for an action.
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
