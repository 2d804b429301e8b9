"""Rate limits by token buckets. Pure: the caller gives the time."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

MAX_BUCKETS = 10_000
"""When there are more buckets, the one used longest ago is dropped."""


class Rate(NamedTuple):
    """What a bucket allows: `burst` at once, and `per_s` a second from then on."""

    per_s: float
    burst: int


class RateLimits:
    """A token bucket for each key."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        """By key, the tokens that were left, and when; buckets used last are at the end."""

    def wait_s(self, key: Hashable, now: float) -> float:
        """Take a token of `key` and return 0, or the seconds until there is one.

        `now` is in seconds. A time before the last one counts as that one.
        """
        tokens, then = self._buckets.pop(key, (float(self._rate.burst), now))
        now = max(then, now)
        tokens = min(self._rate.burst, tokens + (now - then) * self._rate.per_s)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._rate.per_s
        self._buckets[key] = (tokens - 1 if tokens >= 1 else tokens, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        return wait
