"""Rates at which a person or an address may send requests. The counts outlast a restart."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable

import msgspec
from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from arena.extras.serve.server_database import ServerDatabase

PERSON_RATE = RateLimitItemPerSecond(200, 20, "person")
"""Requests of one signed-in person."""
ADDRESS_RATE = RateLimitItemPerSecond(4000, 20, "address")
"""Requests of one address without a session: a whole class may share one."""
SIGN_IN_RATE = RateLimitItemPerSecond(1000, 200, "sign-in")
"""Requests to sign in from one address: 200 students behind one address need 400 at once."""
KEY = "request-counts"
"""The name of the counts in the database."""
KEEP_S = 10.0
"""Seconds after which counts are stored again; a server that is killed forgets those since then."""


class RequestCounts(Storage):
    """Counts requests in memory, and keeps the counts in the database."""

    STORAGE_SCHEME = None  # no address names it
    base_exceptions = ()

    def __init__(self, database: ServerDatabase, clock: Callable[[], float]) -> None:
        """Go on with the counts that were kept. `clock` gives seconds since 1970."""
        super().__init__()
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        kept = database.value(KEY)
        self._counts: dict[str, tuple[int, float]] = {}
        """By key, the requests, and when their count ends."""
        if kept:
            self._counts = msgspec.json.decode(kept, type=dict[str, tuple[int, float]])

    def wait_s(self, rate: RateLimitItem, key: str) -> float:
        """Count a request of `key` and return 0, or return the seconds until it may be repeated."""
        limiter = FixedWindowRateLimiter(self)
        if limiter.hit(rate, key):
            return 0.0
        return limiter.get_window_stats(rate, key).reset_time - self._clock()

    def keep(self) -> None:
        """Store the counts, unless the database cannot be written now."""
        with self._lock:
            now = self._clock()
            self._counts = {key: count for key, count in self._counts.items() if count[1] > now}
            counts = msgspec.json.encode(self._counts)
        with contextlib.suppress(sqlite3.Error):
            self._database.keep_value(KEY, counts)

    # -- as a storage of `limits` ----------------------------------------------------------------

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with self._lock:
            now = self._clock()
            count, ends = self._counts.get(key, (0, 0.0))
            if ends <= now:
                count, ends = 0, now + expiry
            self._counts[key] = (count + amount, ends)
        return count + amount

    def get(self, key: str) -> int:
        return self._counts.get(key, (0, 0.0))[0]

    def get_expiry(self, key: str) -> float:
        return self._counts.get(key, (0, self._clock()))[1]

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        number = len(self._counts)
        self._counts.clear()
        return number

    def clear(self, key: str) -> None:
        self._counts.pop(key, None)
