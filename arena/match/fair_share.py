"""Whether a bot that is too late had a fair share of the processor, and how much time it gets."""

from typing import Literal, NamedTuple

EXCUSED_SHARE = 0.25
"""A time-out is usually excused if the machine took this share of the bot's time from it."""
BURNED_SHARE = 0.05
"""A time-out is excused if this share was lost while another bot computed that was not asked.

It is smaller, since a bot pays for it.
"""

MAX_GRANTED = 10
"""The most time that a bot gets for what it has lost, in units of its limit."""

ShareRuling = Literal["fair", "stalled", "burned"]
"""Whether a bot had a fair share, or else who took it: the machine, or a bot that was not asked."""


class TimeShare(NamedTuple):
    """What is known of the time of a bot that is too late, in milliseconds."""

    limit_ms: float
    """The time that it had."""
    cpu_ms: float
    """Processor time of its processes."""
    wait_ms: float
    """Time in which a thread of it could have run, and waited for a core that others used.

    Waiting for threads of its own does not count.
    """
    stalled_ms: float
    """How late the referee was woken up meanwhile."""
    has_burner: bool
    """Whether another bot computed meanwhile that was not asked."""


def time_to_grant_ms(
    share: TimeShare, granted_ms: float, excused_share: float = EXCUSED_SHARE
) -> float:
    """Return by how many milliseconds the deadline moves of a bot whose time is over.

    These are the milliseconds for which it waited for others, if they are enough to be excused. So
    a busy machine does not make it late. It never gets more than its limit at once, nor more than
    `MAX_GRANTED` times its limit; `granted_ms` is what it got before.
    """
    if judge_share(share._replace(stalled_ms=0.0), excused_share) == "fair":
        return 0.0
    left_ms = MAX_GRANTED * share.limit_ms - granted_ms
    return max(0.0, min(share.wait_ms, share.limit_ms, left_ms))


def judge_share(share: TimeShare, excused_share: float = EXCUSED_SHARE) -> ShareRuling:
    """Return whether a bot that is too late had a fair share of the processor.

    It has lost the time for which it waited for others. It has also lost the time for which the
    referee was late, except for its own processor time: its own processes may have made the referee
    late. The first row that fits decides, here with an `excused_share` of 25 %:

    | another bot burned | lost of its time | ruling  |
    |--------------------|------------------|---------|
    | yes                | 5 % or more      | burned  |
    | any                | 25 % or more     | stalled |
    | any                | less             | fair    |

    Examples, with a limit of 1,000 ms:

    | the bot ...                             | cpu | wait | stalled | burner | ruling  |
    |-----------------------------------------|-----|------|---------|--------|---------|
    | computes all the time                   | 990 |    5 |       0 | no     | fair    |
    | sleeps                                  |   0 |    0 |       0 | no     | fair    |
    | sleeps while another one burns          |   0 |    0 |       0 | yes    | fair    |
    | gets little beside spinners of a rival  |  70 |  900 |     400 | yes    | burned  |
    | gets little beside other programs       | 240 |  750 |       0 | no     | stalled |
    | is suspended with the machine           |   0 |    0 |     900 | no     | stalled |
    | makes the referee late by spinners      | 950 |   20 |     400 | no     | fair    |
    | does so, while another one burns too    | 500 |  480 |     400 | yes    | burned  |
    """
    lost_ms = max(share.wait_ms, share.stalled_ms - share.cpu_ms)
    if share.has_burner and lost_ms >= BURNED_SHARE * share.limit_ms:
        return "burned"
    return "stalled" if lost_ms >= excused_share * share.limit_ms else "fair"
