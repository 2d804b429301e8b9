"""Identify the sender of a request by a session cookie or a trusted proxy's header."""

import sys
from collections.abc import Callable, Sequence
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from arena.extras.serve.people import ContestPerson, People, hash_of
from arena.extras.serve.server_database import ServerDatabase

COOKIE = "arena_session"
SESSION_S = 30 * 24 * 3600
SESSION_BYTES = 24
PEER = "arena.peer"
LOOPBACK = ("127.0.0.0/8", "::1/128")
MAX_WARNINGS = 20


class TrustedHeader(NamedTuple):
    """A request header with the name of the signed-in user, set by a reverse proxy."""

    name: str = ""
    proxies: Sequence[str] = LOOPBACK
    """Addresses and networks of the trusted proxies."""

    def is_from_proxy(self, peer: object) -> bool:
        try:
            address = ip_address(peer[0]) if isinstance(peer, tuple) else None
        except ValueError:
            return False
        return address is not None and any(
            address in ip_network(network) for network in self.proxies
        )


NO_HEADER = TrustedHeader()


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

    def visitor(self, request: HTTPConnection) -> ContestPerson | None:
        if "arena.visitor" not in request.scope:
            request.scope["arena.visitor"] = self._find(request)
        found: ContestPerson | None = request.scope["arena.visitor"]
        return found

    def sign_in(self, request: HTTPConnection, response: Response, person: ContestPerson) -> None:
        self._forget(request)
        session, now = self._random_bytes(SESSION_BYTES).hex(), self._clock()
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM sessions WHERE made < ?", [now - SESSION_S])
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)", [hash_of(session), person.id, now]
            )
        response.set_cookie(
            COOKIE,
            session,
            max_age=SESSION_S,
            path=_path(request),
            httponly=True,
            samesite="lax",  # with "strict", browsers omit it after a link on another site
            secure=request.url.scheme == "https",
        )

    def sign_out(self, request: HTTPConnection, response: Response) -> None:
        self._forget(request)
        response.delete_cookie(COOKIE, path=_path(request), httponly=True, samesite="lax")

    def _find(self, request: HTTPConnection) -> ContestPerson | None:
        accounts = request.headers.getlist(self._trusted.name) if self._trusted.name else []
        peer = request.scope.get(PEER)
        if accounts and not self._trusted.is_from_proxy(peer):
            self._warn(str(peer[0]) if peer else "?")
        elif len(accounts) == 1 and accounts[0]:  # with two, one may come from the browser
            return self._people.find_account(accounts[0])
        query = "SELECT person FROM sessions WHERE hash = ? AND made >= ?"
        session = hash_of(request.cookies.get(COOKIE, ""))
        row = self._database.row(query, session, self._clock() - SESSION_S)
        return self._people.get(row["person"]) if row else None

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

    def _forget(self, request: HTTPConnection) -> None:
        if session := request.cookies.get(COOKIE):
            self._database.write("DELETE FROM sessions WHERE hash = ?", hash_of(session))


def _path(request: HTTPConnection) -> str:
    return request.scope.get("root_path") or "/"
