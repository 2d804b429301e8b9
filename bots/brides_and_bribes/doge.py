"""A bot that balances marriages, workshops and harm by what each gains."""

from arena.bot import run
from bots.brides_and_bribes.bot import BridesBot


class DogeBot(BridesBot):
    """Gives everything the weight of its estimated true value."""

    name = "doge"


if __name__ == "__main__":
    run(DogeBot)
