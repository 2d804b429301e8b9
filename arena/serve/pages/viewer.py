"""What the pages of the ladder share: who looks, at which board, and how its bots are shown."""

from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.serve.web.guards import site_of
from arena.serve.ladder.ladder_files import BoardFile
from arena.serve.people.people import Person
from arena.serve.web.sessions import KEY
from arena.serve.board.bot_names import ShownBots
from arena.serve.web.site import Site


class Look(NamedTuple):
    """A look at the ladder."""

    site: Site
    person: Person | None
    sees_all: bool
    """Whether it is the teacher's, to whom no board is frozen and no name hidden."""

    @property
    def own(self) -> str:
        """The id of the person's bot, or an empty text."""
        return self.person.owner if self.person and not self.person.is_teacher else ""

    def board(self) -> BoardFile | None:
        """Return the board that is looked at; None before the first one."""
        return self.site.live.board(sees_all=self.sees_all)

    def require_board(self) -> BoardFile:
        """Return the board. Raises `HTTPException` 404 before the first one."""
        board = self.board()
        if board is None:
            raise HTTPException(404, "No game has been played yet.")
        return board

    def shown(self, board: BoardFile) -> ShownBots:
        """Return how the bots of a board are shown."""
        has_pseudonyms = self.site.contest.serve.pseudonyms and not self.sees_all
        secret = self.site.database.value(KEY) if has_pseudonyms else None
        return ShownBots(board, self.site.people.public_names(has_pseudonyms), secret)

    def version(self) -> str:
        """Return what changes whenever what is seen does."""
        return self.site.live.version(sees_all=self.sees_all)


def look(request: Request) -> Look:
    """Return the look of whoever sends a request, who need not be signed in."""
    site = site_of(request)
    person = site.sessions.visitor(request).person
    return Look(site, person, sees_all=bool(person and person.is_teacher))


def look_of_everybody(request: Request) -> Look:
    """Return the look of somebody who is not signed in, whoever sends the request."""
    return look(request)._replace(person=None, sees_all=False)
