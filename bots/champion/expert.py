"""A bot that thinks as `champion` does, but for five milliseconds only."""

from typing import ClassVar

from arena.bot import run
from bots.champion.champion import ChampionBot, prepare


class ExpertBot(ChampionBot):
    """Searches just long enough to correct errors of the bots that do not search."""

    name = "expert"
    milliseconds: ClassVar[int] = 5


if __name__ == "__main__":
    prepare()
    run(ExpertBot)
