"""Sessions: the sender of a request, by a signed cookie or the header of a trusted proxy."""

import hashlib
import hmac
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, NamedTuple

from itsdangerous import BadSignature, Signer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from arena.extras.serve.people import ContestPerson, People, hash_of
from arena.extras.serve.server_database import ServerDatabase

COOKIE = "arena_session"
SESSION_S = 30 * 24 * 3600
"""Seconds that a browser stays signed in: 30 days, so a student needs the link rarely."""
SIGN_IN_S = 600
"""Seconds that a sign-in elsewhere may take."""
SESSION_BYTES = 24
KEY = "cookie-key"
"""The name of the key of cookies in the database."""
PEER = "arena.peer"
"""The key of the address from which a request really came, in its scope."""


class Visitor(NamedTuple):
    """The sender of a request."""

    person: ContestPerson | None
    csrf: str
    """The token that changes from this browser must have."""
    session: str
    """The id of the session, or "" if the proxy names the person."""


class Sessions:
    """Finds the sender of a request, and signs people in and out."""

    def __init__(
        self,
        database: ServerDatabase,
        people: People,
        clock: Callable[[], float],
        random_bytes: Callable[[int], bytes],
        trust_header: str = "",
    ) -> None:
        """Trust the header `trust_header`, if any, of requests that come from this machine."""
        self._database = database
        self._people = people
        self._clock = clock
        self._random_bytes = random_bytes
        self._trust_header = trust_header
        key = database.value(KEY)
        if key is None:
            key = random_bytes(32)
            database.keep_value(KEY, key)
        self._key = key
        self._sealer = URLSafeTimedSerializer(key, salt="arena-sign-in")
        self._signer = Signer(key, salt="arena-session", digest_method=hashlib.sha256)

    def visitor(self, request: HTTPConnection) -> Visitor:
        """Return the sender of a request, who is looked up once."""
        found: Visitor | None = request.scope.get("arena.visitor")
        if found is None:
            found = self._named_by_proxy(request) or self._of_cookie(request)
            request.scope["arena.visitor"] = found
        return found

    def sign_in(self, request: HTTPConnection, response: Response, person: ContestPerson) -> None:
        """Begin a session of a person, with a new id."""
        self._forget(request)
        session = self._new_id()
        now = self._clock()
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE made < ?", [now - SESSION_S])
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)", [hash_of(session), person.id, now]
            )
        self._give(request, response, session)

    def sign_out(self, request: HTTPConnection, response: Response) -> None:
        """End the session of a browser."""
        self._forget(request)
        response.delete_cookie(COOKIE, path=_path(request), httponly=True, samesite="lax")

    def keep_anonymous(self, request: HTTPConnection, response: Response) -> None:
        """Give a browser without a session one, so that it can send the form that it is shown."""
        visitor = self.visitor(request)
        if visitor.session and not self._cookie_of(request):
            self._give(request, response, visitor.session)

    def seal(
        self, request: HTTPConnection, response: Response, name: str, value: dict[str, Any]
    ) -> None:
        """Let a browser keep a value during a sign-in elsewhere, which it cannot change.

        With TLS, it is sent with forms of other sites too, as learning platforms send them.
        """
        is_secure = request.url.scheme == "https"
        response.set_cookie(
            name,
            self._sealer.dumps(value),
            max_age=SIGN_IN_S,
            path=_path(request),
            httponly=True,
            secure=is_secure,
            samesite="none" if is_secure else "lax",
        )

    def unseal(self, request: HTTPConnection, name: str) -> dict[str, Any]:
        """Return the value that a browser keeps, or an empty one if it is missing or too old."""
        try:
            value: dict[str, Any] = self._sealer.loads(
                request.cookies.get(name, ""), max_age=SIGN_IN_S
            )
        except BadSignature:
            return {}
        return value

    def _named_by_proxy(self, request: HTTPConnection) -> Visitor | None:
        """Return the visitor that a trusted proxy names; None without such a proxy."""
        if not self._trust_header or not is_loopback(request.scope.get(PEER)):
            return None
        accounts = request.headers.getlist(self._trust_header)
        if len(accounts) != 1 or not accounts[0]:  # with two, one may come from the browser
            return None
        account = accounts[0]
        return Visitor(self._people.find_account(account), self._csrf(f"proxy {account}"), "")

    def _of_cookie(self, request: HTTPConnection) -> Visitor:
        session = self._cookie_of(request)
        person = self._person_of(session) if session else None
        session = session or self._new_id()
        return Visitor(person, self._csrf(f"session {session}"), session)

    def _cookie_of(self, request: HTTPConnection) -> str:
        """Return the id of the session that a browser has, or ""."""
        try:
            return self._signer.unsign(request.cookies.get(COOKIE, "")).decode()
        except BadSignature:
            return ""

    def _person_of(self, session: str) -> ContestPerson | None:
        query = "SELECT person FROM sessions WHERE hash = ? AND made >= ?"
        row = self._database.row(query, hash_of(session), self._clock() - SESSION_S)
        return self._people.get(row["person"]) if row else None

    def _forget(self, request: HTTPConnection) -> None:
        if session := self._cookie_of(request):
            self._database.write("DELETE FROM sessions WHERE hash = ?", hash_of(session))

    def _give(self, request: HTTPConnection, response: Response, session: str) -> None:
        response.set_cookie(
            COOKIE,
            self._signer.sign(session).decode(),
            max_age=SESSION_S,
            path=_path(request),
            httponly=True,
            samesite="lax",  # with "strict", browsers omit it after a link on another site
            secure=request.url.scheme in ("https", "wss"),
        )

    def _new_id(self) -> str:
        return self._random_bytes(SESSION_BYTES).hex()

    def _csrf(self, of: str) -> str:
        return hmac.new(self._key, f"csrf {of}".encode(), hashlib.sha256).hexdigest()


def _path(request: HTTPConnection) -> str:
    """Return the path of cookies: several contests of a server have sessions of their own."""
    return request.scope.get("root_path") or "/"


def is_loopback(peer: object) -> bool:
    """Return whether a request came from this machine; `peer` is the address and the port."""
    try:
        return isinstance(peer, tuple) and ip_address(peer[0]).is_loopback
    except ValueError:
        return False
