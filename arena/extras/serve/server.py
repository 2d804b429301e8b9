"""The server process of a contest."""

import asyncio
import contextlib
import dataclasses
import signal
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.base.errors import ServeError, StoreError
from arena.base.lock import Lock, owner_of
from arena.check.sandbox_probe import INEXACT, has_exact_clock
from arena.contest.admission import private_paths, sandbox_of
from arena.contest.contest_file import read_contest
from arena.contest.secret_file import keep_private
from arena.extras.serve.app import application
from arena.extras.serve.background import Child
from arena.extras.serve.checker import with_server_sandbox
from arena.extras.serve.enrolment import adopt_roster_file, place_bots
from arena.extras.serve.server_database import keep_address, sign_in_link
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.extras.serve.web.middleware import RealPeer
from arena.extras.serve.web.sessions import TrustedHeader

LOCK = "server.lock"
TEACHER_KEY = "teacher"
CLOSE_S = 5
MAX_CONNECTIONS = 2000


class ServerSettings(NamedTuple):
    host: str = "127.0.0.1"
    port: int = 8000
    url: str = ""
    trusted: TrustedHeader = TrustedHeader()
    workers: int = 1
    accepts_risk: bool = False


def serve(
    contest_file: Path, settings: ServerSettings, announce: Callable[[str, str], object]
) -> None:
    """Serve a contest until SIGTERM or Ctrl-C.

    Raise `SandboxError` if the sandbox does not work on this machine, `ServeError` if the folder
    or the address is in use or bots could send the trusted header, and `SettingsError` if the
    contest file can't be read or names a weak sandbox.
    """
    with contextlib.ExitStack() as stack:
        lock = _lock(contest_file.parent)
        stack.callback(lock.release)
        site = open_site(contest_file, trusted=settings.trusted)
        stack.callback(site.database.close)
        _prepare(site, settings)
        listening = stack.enter_context(_listen(settings.host, settings.port))
        address = settings.url.rstrip("/") or _url_of(listening)
        keep_address(site.database, address)
        adopt_roster_file(site.people, site.contest_file)
        link = sign_in_link(address, _teacher_link(site))
        site = with_children(site, settings.workers, _log)
        _run(site, settings, listening, lambda: announce(address, link))


def _prepare(site: ContestSite, settings: ServerSettings) -> None:
    if settings.trusted.name and site.contest.serve.accepted_risk:
        raise ServeError(
            "got --trust-header in a contest that accepts the risk of a weaker sandbox: a bot "
            "could send the header from this machine and sign in as the teacher; remove one of them"
        )
    table = site.contest.serve
    plays_final = table.final and site.contest.deadline.due
    if plays_final and not (settings.accepts_risk or has_exact_clock()):
        raise ServeError(
            f"cannot play the final of {site.contest_file}: {INEXACT}, use --accept-risk, or write "
            "`final = false` under [serve]"
        )
    keep_private(private_paths(read_contest(site.contest_file)))
    prepare(site, _log)


def _log(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _lock(folder: Path) -> Lock:
    path = folder / LOCK
    try:
        return Lock(path)
    except StoreError:
        raise ServeError(
            f"another server is using the contest in {folder.resolve()} (process "
            f"{owner_of(path)}): stop it first"
        ) from None
    except OSError as error:
        raise ServeError(f"cannot write {path}: {error.strerror}") from None


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address, family=family, backlog=1024)
    except OSError as error:
        raise ServeError(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another one with "
            "--port, or 0 for any free port"
        ) from None


def _url_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = _own_address(listening.family)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address(family: int) -> str:
    elsewhere = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # documentation only
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unsent:
            unsent.connect((elsewhere, 9))  # sends nothing
            return str(unsent.getsockname()[0])
    except OSError:
        return socket.gethostname()


def _teacher_link(site: ContestSite) -> str:
    known = site.database.value(TEACHER_KEY)
    teacher = site.people.get(known.decode()) if known else None
    if teacher is None:
        teacher = site.people.add_teacher()
        site.database.keep_value(TEACHER_KEY, teacher.id.encode())
    return site.people.make_key(teacher.id, "link")


def _run(
    site: ContestSite,
    settings: ServerSettings,
    listening: socket.socket,
    announce: Callable[[], object],
) -> None:
    app: Any = application(site)  # uvicorn has other types for the same
    proxied: Any = ProxyHeadersMiddleware(app, list(settings.trusted.proxies))
    config = uvicorn.Config(
        RealPeer(proxied),
        ws="none",
        limit_concurrency=MAX_CONNECTIONS,
        access_log=False,  # addresses of pages may have sign-in links
        log_level="warning",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_S,
        root_path=urlsplit(settings.url).path.rstrip("/"),
    )
    server = uvicorn.Server(config)
    # uvicorn handles signals while it runs and raises them again at its end: that must not kill us
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, server.handle_exit)
    announce()
    asyncio.run(server.serve(sockets=[listening]))
    if not server.started:
        raise ServeError("the server did not start; see the error above")


# -- the child processes of the server: checker, ladder with its boards, and reviews ----------


CHECKER = "arena.extras.serve.checker"
LADDER = "arena.extras.serve.ladder.ladder_player"
BOARDS = "arena.extras.serve.ladder.ladder_standings"
REVIEWS = "arena.extras.serve.game_reviews"


def with_children(site: ContestSite, workers: int, say: Callable[[str], object]) -> ContestSite:
    file = site.contest_file
    return dataclasses.replace(
        site,
        checker=Child("checker", _program(CHECKER, file), say),
        ladder=Child("ladder", [*_program(LADDER, file), str(workers)], say),
        boards=Child("board", _program(BOARDS, file), say),
        reviews=Child("review of games", _program(REVIEWS, file), say),
    )


def prepare(site: ContestSite, say: Callable[[str], object]) -> None:
    """Check that a contest can be served.

    Raise `SettingsError` if the contest turns off isolation without the setting `accepted_risk`.
    Raise `SandboxError` if the sandbox does not work on this machine.
    """
    contest = site.contest
    place_bots(site.people, contest)
    if contest.entrants.inbox is not None:
        sandbox_of(with_server_sandbox(contest), say)


def _program(module: str, contest_file: Path) -> list[str]:
    return [sys.executable, "-P", "-m", module, str(contest_file.absolute())]
