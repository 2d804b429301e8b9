"""A bot that plays a random legal action. Change `act` to make it your own."""

from typing import Any

from arena.bot import Bot, run


class MyBot(Bot):
    """Plays one game. The arena creates a new object of this class for each game."""

    games = ()  # the games that the bot plays, such as ("pot-de-vin",); empty for all games

    def act(self, view: Any, legal: list[str]) -> str:
        """Return one of the legal actions.

        `view` contains what your seat knows. The fields of a view are described in the rules of
        the game, and `print(view)` writes the view to your log.

        `self.table` contains your seat and the number of seats. `self.rng` is a random generator
        with a fixed seed, so that games can be replayed.
        """
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(MyBot)
