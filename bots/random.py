"""Plays any legal action, all equally likely; knows no game."""

from typing import Any, ClassVar

from arena.bot import Bot, Detail, run


class RandomBot(Bot):
    """The yardstick: whoever loses to it has a bug, or a bad idea."""

    name = "random"
    detail: ClassVar[Detail] = "none"

    def act(self, view: Any, legal: list[str]) -> str:
        """Return a random legal action."""
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(RandomBot)
