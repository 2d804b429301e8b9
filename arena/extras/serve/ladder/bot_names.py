"""Names and links of the bots of a board, as one person sees them: pseudonyms where needed."""

import hashlib
import hmac
from collections.abc import Mapping

from arena.contest.run_roster import Names, RunStudent
from arena.extras.serve.ladder.ladder_files import StandingsFile
from arena.extras.serve.people.person import PublicName, draw_pseudonym


class BotNames:
    """The names and link ids of the bots of a board. No two bots share a name or an id."""

    def __init__(
        self,
        board: StandingsFile,
        public: Mapping[str, PublicName],
        secret: bytes | None = None,
    ) -> None:
        """Name the bots of a board.

        Args:
            board: the board.
            public: by id, how the bots of the people on the roster are shown.
            secret: the source of pseudonyms for students who are not on the roster. None shows
                their names.
        """
        known = dict(public)
        for student, name in board.students.items():
            if student not in known:
                known[student] = _unlisted(student, secret) if secret else PublicName(student, name)
        shown = {one: known.get(one, PublicName(one, one)) for one in board.bots}
        self.in_run = Names(shown, [RunStudent(one, name.name) for one, name in shown.items()])
        self._link_ids = {one: name.id for one, name in shown.items()}
        self._ids = {name.id: one for one, name in shown.items()}

    def name(self, bot: str) -> str:
        """Return the name of a bot by its id."""
        return self.in_run.shown(bot)

    def id_of(self, link_id: str) -> str | None:
        """Return the id of the bot whose link has the id `link_id`, or None."""
        return self._ids.get(link_id)

    def link(self, bot: str) -> str:
        """Return the path of the page of a bot by its id. Bots that have left have none."""
        return f"/bots/{self._link_ids[bot]}" if bot in self._link_ids else "/"

    def link_of_name(self, name: str) -> str:
        """Return the path of the page of a bot by its name."""
        return self.link(self.in_run.id_of(name))


def _unlisted(student: str, secret: bytes) -> PublicName:
    """Return the pseudonym of a student who is not on the roster.

    It is the same each time, and does not tell the student's id without the secret.
    """
    digest = hmac.digest(secret, f"pseudonym {student}".encode(), hashlib.sha256)
    numbers = iter(range(0, len(digest), 4))

    def draw(below: int) -> int:
        at = next(numbers)
        return int.from_bytes(digest[at : at + 4]) % below

    name = f"{draw_pseudonym(draw, ())} {digest[-2:].hex()}"
    return PublicName(name.replace(" ", "-"), name)
