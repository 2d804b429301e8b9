"""Plays any legal action, all equally likely; knows no game."""

from typing import Any

from arena.bot import Bot, run


class RandomBot(Bot):
    """The yardstick: whoever loses to it has a bug, or a bad idea."""

    name = "random"

    def act(self, view: Any, legal: list[str]) -> str:
        """Return a random legal action."""
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(RandomBot)
