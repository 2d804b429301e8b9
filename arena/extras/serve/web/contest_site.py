"""Objects that all request handlers share, such as the contest's settings and templates."""

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jinja2 import Environment
from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from markupsafe import Markup, escape
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from arena.base.protocol import printable
from arena.contest.settings import Contest
from arena.extras.serve.background import Background
from arena.extras.serve.current_contest import CurrentContest
from arena.extras.serve.ladder.live_standings import LiveStandings
from arena.extras.serve.people import ContestPerson, People
from arena.extras.serve.play.game_store import GameStore
from arena.extras.serve.play.live_tables import LiveTables
from arena.extras.serve.play.opponents import Opponents
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.extras.serve.web.repeated_forms import RepeatedForms, once_field
from arena.extras.serve.web.sessions import NO_HEADER, Sessions, TrustedHeader
from arena.publish.render import Link, page_environment

TEMPLATES = Path(__file__).parents[1] / "templates"
STATIC = Path(__file__).parents[1] / "static"
PERSON_RATE = RateLimitItemPerSecond(200, 20, "person")
ADDRESS_RATE = RateLimitItemPerSecond(4000, 20, "address")  # a whole class may share an address
"""Rate limit per IP address for requests without a session."""
PSEUDONYM_KEY = "pseudonym-key"


@dataclass(frozen=True)
class ContestSite:
    """The state of the web application, available as `request.app.state.site`."""

    current: CurrentContest
    database: ServerDatabase
    people: People
    sessions: Sessions
    opponents: Opponents
    games: GameStore
    tables: LiveTables
    clock: Callable[[], float] = time.time
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    checker: Background = field(default_factory=Background)
    ladder: Background = field(default_factory=Background)
    boards: Background = field(default_factory=Background)
    reviews: Background = field(default_factory=Background)
    forms: RepeatedForms = field(default_factory=RepeatedForms)
    limiter: FixedWindowRateLimiter = field(
        default_factory=lambda: FixedWindowRateLimiter(MemoryStorage())
    )
    person_rate: RateLimitItem = PERSON_RATE
    address_rate: RateLimitItem = ADDRESS_RATE
    templates: Environment = field(default_factory=lambda: templates())

    @property
    def contest_file(self) -> Path:
        return self.current.file

    @property
    def contest(self) -> Contest:
        return self.current()

    @property
    def folder(self) -> Path:
        return self.contest_file.parent

    @property
    def name(self) -> str:
        return self.contest.name or self.folder.resolve().name

    @cached_property
    def live(self) -> LiveStandings:
        return LiveStandings(self.folder)

    def render(
        self, request: HTTPConnection, template: str, status: int = 200, **context: object
    ) -> HTMLResponse:
        root = root_of(request)
        page = self.templates.get_template(template).render(
            {
                "site": self,
                "person": self.sessions.visitor(request),
                "root": root,
                "path": request.url.path.removeprefix(root),
                "problem": "",
                "typed": {},
                **context,
            }
        )
        return HTMLResponse(page, status)


def open_site(
    contest_file: Path,
    *,
    clock: Callable[[], float] = time.time,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    trusted: TrustedHeader = NO_HEADER,
) -> ContestSite:
    current = CurrentContest(contest_file)
    database = ServerDatabase(contest_file.parent / DATABASE)
    if database.value(PSEUDONYM_KEY) is None:
        database.keep_value(PSEUDONYM_KEY, random_bytes(32))
    people = People(database, clock, random_bytes)
    sessions = Sessions(database, people, clock, random_bytes, trusted)
    opponents = Opponents(current)
    games = GameStore(database, clock, random_bytes)
    return ContestSite(
        current,
        database,
        people,
        sessions,
        opponents,
        games,
        LiveTables(games, opponents.agent),
        clock,
        random_bytes,
    )


def root_of(request: HTTPConnection) -> str:
    return f"{request.scope.get('root_path', '')}/"


def navigation(person: ContestPerson | None) -> list[Link]:
    links = [Link("Ladder", "")]
    if person:
        own = [] if person.is_teacher else [Link("My bot", "me")]
        links += [*own, Link("Play", "play"), Link("Account", "account")]
    if person and person.is_teacher:
        links += [Link("Class", "teacher"), Link("Roster", "teacher/roster")]
    return links


def templates() -> Environment:
    environment = page_environment(TEMPLATES)
    environment.globals.update(navigation=navigation, once_field=once_field, records="")
    environment.filters["prose"] = prose
    return environment


def prose(text: str) -> Markup:
    """Return a message as HTML, with text in backticks formatted as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(text)))))
