"""Process a form only once, even if a double-click in the browser sends it twice.

Every form on the site has a random token in a hidden field. If a browser sends a form with the
same token again, the server repeats its first response. Responses are stored only in memory,
because they may contain sign-in links.
"""

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from markupsafe import Markup
from starlette.responses import Response

ONCE = "once"
KEPT_S = 600.0
MAX_KEPT = 1000


def once_field() -> Markup:
    return Markup('<input type="hidden" name="{}" value="{}">').format(ONCE, secrets.token_hex(8))


@dataclass
class _StoredResponse:
    until: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    response: Response | None = None


class RepeatedForms:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stored: dict[bytes, _StoredResponse] = {}

    def respond(self, form: Iterable[object], now: float, make: Callable[[], Response]) -> Response:
        """Return the stored response if the form was sent before, otherwise create and store one.

        `form` is the sender, the path, and all fields. If creating the response fails with an
        exception, nothing is stored.
        """
        key = hashlib.sha256(repr(tuple(form)).encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            self._stored = {
                digest: stored for digest, stored in self._stored.items() if stored.until > now
            }
            while len(self._stored) >= MAX_KEPT:
                del self._stored[next(iter(self._stored))]
            stored = self._stored.setdefault(key, _StoredResponse(now + KEPT_S))
        with stored.lock:  # a second click waits for the first
            if stored.response is None:
                stored.response = make()
            return stored.response
