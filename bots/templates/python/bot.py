"""A bot that plays any legal action. Change `act`, and it is yours."""

from typing import Any

from arena.bot import Bot, run


class MyBot(Bot):
    """The arena makes one of these for every game at whose table the bot sits."""

    games = ()  # the games that it plays, as ("pot-de-vin",); none stands for all

    def act(self, view: Any, legal: list[str]) -> str:
        """Return one of the legal actions.

        `view` is what your seat may know: the rules of the game say what is in it, and so does
        `print(view)`, which goes to your log. `self.table` has your seat and the number of seats,
        `self.rng` dice that fall the same way whenever the same game is played again.
        """
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(MyBot)
