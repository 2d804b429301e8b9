"""Plays like the bundled bot `fixer`, but begins with the sign."""

from arena.bot import run
from bots.bribery.fixer import FixerBot
from bots.bribery.view import View
from tests.bots_for_tests.colluders.sign import SIGNS, sign


class BossBot(FixerBot):
    """Gives the sign with its first bribes, then plays like its parent."""

    name = "boss"
    _given = 0

    def act(self, view: View, legal: list[str]) -> str:
        """Return the action of the sign, or that of the parent."""
        action = sign(legal, view.board) if self._given < SIGNS else None
        if action is None:
            return super().act(view, legal)
        self._given += 1
        return action


if __name__ == "__main__":
    run(BossBot)
