"""The server's pages as an attacker sees them, and a contest's data, which must not change."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from starlette.routing import Route

from arena.extras.serve.app import PAGES
from arena.extras.serve.server_database import DATABASE
from arena.extras.serve.web.contest_site import ContestSite

SAFE_METHODS = {"GET", "HEAD"}
API = "/api/"
"""Prefix of paths for programs, which use a token instead of a cookie."""
TEACHERS = "/teacher"
"""Prefix of paths for the teacher only."""


class Door(NamedTuple):
    """A method and a path of the server, with parameters in braces."""

    method: str
    path: str

    @property
    def is_change(self) -> bool:
        return self.method not in SAFE_METHODS

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"\{\w+(?::\w+)?\}", self.path)

    def with_all(self, value: str, number: str = "1") -> str:
        path = self.path
        for parameter in self.parameters:
            path = path.replace(parameter, number if parameter.endswith(":int}") else value)
        return path

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def doors() -> Iterator[Door]:
    """Yield the methods and paths of all pages, except HEAD."""
    for page in PAGES:
        for route in page.routes:
            assert isinstance(route, Route), f"{page.__name__} has a route of another kind"
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield Door(method, route.path)


DOORS = sorted(doors())
CHANGES = [one for one in DOORS if one.is_change and not one.path.startswith(API)]
API_DOORS = [one for one in DOORS if one.path.startswith(API)]
TEACHERS_DOORS = [one for one in DOORS if one.path.startswith(TEACHERS)]
READ = [one for one in DOORS if not one.is_change]


def kept(site: ContestSite) -> dict[str, object]:
    """Return a contest's data: the rows of its database and the contents of its files."""
    found: dict[str, object] = {DATABASE: "\n".join(site.database.connect().iterdump())}
    for path in sorted(site.folder.rglob("*")):
        if path.is_file() and not path.name.startswith(DATABASE):
            found[str(path.relative_to(site.folder))] = path.read_bytes()
    return found
