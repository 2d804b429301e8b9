"""How the bots of a board are shown to a person: their names, the ids in links, pseudonyms."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import NamedTuple

from arena.contest.run_roster import Names, RunStudent
from arena.serve.ladder.ladder_files import BoardFile
from arena.serve.people.people import PublicName
from arena.serve.people.pseudonyms import draw_pseudonym


class Viewer(NamedTuple):
    """Who looks at a board."""

    owner: str = ""
    """The id of the person's bot, or an empty text."""
    is_teacher: bool = False


class ShownBots:
    """The bots of a board with the names and ids by which they are shown. No two are the same."""

    def __init__(
        self,
        board: BoardFile,
        public: Mapping[str, PublicName],
        secret: bytes | None = None,
    ) -> None:
        """Show the bots of a board.

        Args:
            board: the board.
            public: by id, how the bots of the people on the roster are shown.
            secret: what pseudonyms of students who are not among these people follow from. None
                shows their names.
        """
        known = dict(public)
        for student, name in board.students.items():
            if student not in known:
                known[student] = _stranger(student, secret) if secret else PublicName(student, name)
        shown = {one: known.get(one, PublicName(one, one)) for one in board.bots}
        self.names = Names(shown, [RunStudent(one, name.name) for one, name in shown.items()])
        self._link_ids = {one: name.id for one, name in shown.items()}
        self._ids = {name.id: one for one, name in shown.items()}

    def id_of(self, link_id: str) -> str | None:
        """Return the id of the bot that has an id in links, or None."""
        return self._ids.get(link_id)

    def link(self, bot: str) -> str:
        """Return the path of the page of a bot by its id. Bots that have left have none."""
        return f"/bots/{self._link_ids[bot]}" if bot in self._link_ids else "/"

    def link_of_name(self, name: str) -> str:
        """Return the path of the page of a bot by the name with which it is shown."""
        return self.link(self.names.id_of(name))


def _stranger(student: str, secret: bytes) -> PublicName:
    """Return a pseudonym that is the same each time, and that tells nothing without the secret."""
    digest = hmac.digest(secret, f"pseudonym {student}".encode(), hashlib.sha256)
    numbers = iter(range(0, len(digest), 4))

    def draw(below: int) -> int:
        at = next(numbers)
        return int.from_bytes(digest[at : at + 4]) % below

    name = f"{draw_pseudonym(draw, ())} {digest[-2:].hex()}"
    return PublicName(name.replace(" ", "-"), name)
