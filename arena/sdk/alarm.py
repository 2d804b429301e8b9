"""Dump the stacks of a Python bot when the time limit for an action is almost reached.

The dump is triggered by timers in the bot's own process, so it works in every sandbox. One timer
measures processor time and works even while the bot is stuck in a C function. The other timer
measures wall time and triggers a dump only if the bot was idle most of the time.
"""

import faulthandler
import signal
import time
from collections.abc import Callable

ALARM_SHARE = 0.9
"""Share of the time limit that must be used before the stacks are dumped."""
MARK_S = 1e6
"""A timer interval, in seconds, that identifies the arena's own timers. No bot runs that long."""
SOON_S = 0.001
TIMERS = (
    (signal.ITIMER_PROF, signal.SIGPROF),
    (signal.ITIMER_REAL, signal.SIGALRM),
)


_OURS: list[object] = []  # handlers of `make_alarm`


def no_alarm(clock_ms: int) -> None:
    """Do nothing, as a placeholder for the alarm of a bot that can't use timers."""


def stop_alarm() -> None:
    """Stop the arena's timers, so that their signals can't kill the process during exit."""
    for timer, _ in TIMERS:
        if signal.getitimer(timer)[1] == MARK_S:
            signal.setitimer(timer, 0)


def make_alarm(late_s: float, idle_ms: int = 0) -> Callable[[int], object]:
    """Return a function that schedules a dump of the stacks of all threads to stderr.

    Call the returned function with the processor time limit of an action in milliseconds. Call
    the function again with 0 when the bot has chosen an action. If the bot already handles one
    of the timer signals, the returned function does nothing.

    For the first action, `late_s` seconds of processor time were already spent on imports. If the
    idle time limit `idle_ms` is 0, the processor time limit is also the idle time limit.
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
