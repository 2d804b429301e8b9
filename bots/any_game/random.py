"""A bot that plays a random legal action in any game."""

from typing import Any, ClassVar

from arena.bot import Bot, Detail, run


class RandomBot(Bot):
    """Plays each legal action with equal probability: the baseline for other bots."""

    name = "random"
    detail: ClassVar[Detail] = "none"

    def act(self, view: Any, legal: list[str]) -> str:
        """Return a random legal action."""
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(RandomBot)
