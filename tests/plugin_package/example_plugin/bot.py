"""Takes the last legal action."""

from arena.bot import Bot, run


class ShyBot(Bot):
    """Passes, mostly: actions are listed by ASCII code."""

    name = "shy"
    detail = "none"

    def act(self, view: None, legal: list[str]) -> str:
        """Return the last of the legal actions."""
        return legal[-1]


if __name__ == "__main__":
    run(ShyBot)
