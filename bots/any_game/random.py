"""A bot that plays random legal actions in any game."""

from typing import Any, ClassVar

from arena.bot import Bot, Detail, run


class RandomBot(Bot):
    name = "random"
    detail: ClassVar[Detail] = "none"

    def act(self, view: Any, legal: list[str]) -> str:
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(RandomBot)
