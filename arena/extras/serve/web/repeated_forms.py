"""Return the first response again if a form is sent twice, for example by a double click.

Each rendered form that creates something contains a random value in a hidden field, which
identifies the form. Responses are kept in memory for some minutes, because they may contain
secrets that are shown only once.
"""

import hashlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

FIELD = "once"
KEPT_S = 600.0
MAX_KEPT = 100


def once_input() -> Markup:
    return Markup('<input type="hidden" name="{}" value="{}">').format(FIELD, secrets.token_hex(8))


@dataclass
class _Kept:
    until: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    answer: Response | None = None


class RepeatedForms:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[bytes, _Kept] = {}

    def answer(self, path: str, form: FormData, make: Callable[[], Response]) -> Response:
        """Return the stored response to this form, or call `make` to create the response."""
        if FIELD not in form:
            return make()
        kept = self._entry(_digest(path, form))
        with kept.lock:
            if kept.answer is None:
                answer = make()
                if answer.status_code >= 400:
                    return answer
                kept.answer = answer
            return kept.answer

    def _entry(self, key: bytes) -> _Kept:
        now = self._clock()
        with self._lock:
            self._kept = {one: kept for one, kept in self._kept.items() if kept.until > now}
            while len(self._kept) >= MAX_KEPT:
                del self._kept[next(iter(self._kept))]
            return self._kept.setdefault(key, _Kept(now + KEPT_S))


def _digest(path: str, form: FormData) -> bytes:
    digest = hashlib.sha256()
    for part in (path, *[part for name, value in form.multi_items() for part in (name, value)]):
        if isinstance(part, UploadFile):
            content = part.file.read()
            part.file.seek(0)
        else:
            content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8) + content)
    return digest.digest()
