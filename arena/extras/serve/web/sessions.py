"""Identify the sender of a request by a signed cookie or a trusted proxy's header."""

import hashlib
import hmac
import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from arena.extras.serve.people import ContestPerson, People, hash_of
from arena.extras.serve.server_database import ServerDatabase

COOKIE = "arena_session"
SESSION_S = 30 * 24 * 3600
"""Seconds for which a browser stays signed in. After 30 days, people need their sign-in link again.
"""
SESSION_BYTES = 24
KEY = "cookie-key"
PEER = "arena.peer"
LOOPBACK = ("127.0.0.0/8", "::1/128")
MAX_WARNINGS = 20


class TrustedHeader(NamedTuple):
    """A request header in which a reverse proxy sends the name of the authenticated user."""

    name: str = ""
    proxies: Sequence[str] = LOOPBACK
    """Addresses and networks of the trusted proxies. The header is ignored in all other
    requests."""

    def is_from_proxy(self, peer: object) -> bool:
        try:
            address = ip_address(peer[0]) if isinstance(peer, tuple) else None
        except ValueError:
            return False
        return address is not None and any(address in ip_network(one) for one in self.proxies)


NO_HEADER = TrustedHeader()


class Visitor(NamedTuple):
    person: ContestPerson | None
    csrf: str
    session: str


class Sessions:
    def __init__(
        self,
        database: ServerDatabase,
        people: People,
        clock: Callable[[], float],
        random_bytes: Callable[[int], bytes],
        trusted: TrustedHeader = NO_HEADER,
    ) -> None:
        self._database = database
        self._people = people
        self._clock = clock
        self._random_bytes = random_bytes
        self._trusted = trusted
        self._warned: set[object] = set()
        key = database.value(KEY)
        if key is None:
            key = random_bytes(32)
            database.keep_value(KEY, key)
        self._key = key
        self._signer = Signer(key, salt="arena-session", digest_method=hashlib.sha256)

    def visitor(self, request: HTTPConnection) -> Visitor:
        found: Visitor | None = request.scope.get("arena.visitor")
        if found is None:
            found = self._named_by_proxy(request) or self._of_cookie(request)
            request.scope["arena.visitor"] = found
        return found

    def sign_in(self, request: HTTPConnection, response: Response, person: ContestPerson) -> None:
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
        self._forget(request)
        response.delete_cookie(COOKIE, path=_path(request), httponly=True, samesite="lax")

    def keep_anonymous(self, request: HTTPConnection, response: Response) -> None:
        """Create an anonymous session for a browser without a session, so that the browser can send
        forms.
        """
        visitor = self.visitor(request)
        if visitor.session and not self._cookie_of(request):
            self._give(request, response, visitor.session)

    def _named_by_proxy(self, request: HTTPConnection) -> Visitor | None:
        accounts = request.headers.getlist(self._trusted.name) if self._trusted.name else []
        if not accounts:
            return None
        peer = request.scope.get(PEER)
        if not self._trusted.is_from_proxy(peer):
            self._warn(str(peer[0]) if peer else "?")
            return None
        if len(accounts) != 1 or not accounts[0]:  # with two, one may come from the browser
            return None
        account = accounts[0]
        return Visitor(self._people.find_account(account), self._csrf(f"proxy {account}"), "")

    def _warn(self, address: str) -> None:
        if address in self._warned or len(self._warned) >= MAX_WARNINGS:
            return
        self._warned.add(address)
        print(
            f"ignored the header {self._trusted.name} from {address}, which is not a trusted "
            f"proxy; if it is yours, start the server with --trusted-proxy {address}",
            file=sys.stderr,
            flush=True,
        )

    def _of_cookie(self, request: HTTPConnection) -> Visitor:
        session = self._cookie_of(request)
        person = self._person_of(session) if session else None
        session = session or self._new_id()
        return Visitor(person, self._csrf(f"session {session}"), session)

    def _cookie_of(self, request: HTTPConnection) -> str:
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
    return request.scope.get("root_path") or "/"
