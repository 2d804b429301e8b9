"""Who looks at the ladder, which board they see, and how its bots are named to them."""

from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.extras.serve.board.bot_names import BotNames
from arena.extras.serve.ladder.ladder_files import BoardFile
from arena.extras.serve.people.person import Person
from arena.extras.serve.web.guards import site_of
from arena.extras.serve.web.sessions import KEY
from arena.extras.serve.web.site import Site


class Viewer(NamedTuple):
    """A person, or a visitor who is not signed in, on a page of the ladder."""

    site: Site
    person: Person | None
    sees_all: bool
    """Whether it is the teacher, for whom no board is frozen and no name hidden."""

    @property
    def own(self) -> str:
        """The id of the person's bot, or an empty text."""
        return self.person.owner if self.person and not self.person.is_teacher else ""

    def board(self) -> BoardFile | None:
        """Return the board that the viewer sees; None before the first one."""
        return self.site.live.board(sees_all=self.sees_all)

    def require_board(self) -> BoardFile:
        """Return the board. Raises `HTTPException` 404 before the first one."""
        board = self.board()
        if board is None:
            raise HTTPException(404, "No game has been played yet.")
        return board

    def names(self, board: BoardFile) -> BotNames:
        """Return the names and links with which the bots of a board are shown to the viewer."""
        has_pseudonyms = self.site.contest.serve.pseudonyms and not self.sees_all
        secret = self.site.database.value(KEY) if has_pseudonyms else None
        return BotNames(board, self.site.people.public_names(has_pseudonyms), secret)

    def version(self) -> str:
        """Return what changes whenever what the viewer sees does."""
        return self.site.live.version(sees_all=self.sees_all)


def viewer_of(request: Request) -> Viewer:
    """Return the viewer who sends a request, signed in or not."""
    site = site_of(request)
    person = site.sessions.visitor(request).person
    return Viewer(site, person, sees_all=bool(person and person.is_teacher))


def public_viewer(request: Request) -> Viewer:
    """Return a viewer who sees only what is public, also if the sender is signed in."""
    return viewer_of(request)._replace(person=None, sees_all=False)
