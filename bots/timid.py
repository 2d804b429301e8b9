"""Ducks: stays out of every trick that it can, and so gets little of anything."""

from arena.bot import run
from bots.pot_de_vin import VALUE, PotDeVinBot


class TimidBot(PotDeVinBot):
    """Fears the tables' negative numbers so much that it shuns all the others."""

    name = "timid"

    def taking(self, card: str) -> float:
        """Take only when there is no way out, and then so weakly that others may overtake."""
        return -self.trick.strength_of(card)

    def passing(self) -> float:
        """Rather pay than take."""
        return 1

    def ducking(self, card: str) -> float:
        """Use every chance to get rid of a high card."""
        return 1 + VALUE[card]

    def discarding(self, card: str) -> float:
        """High cards are what brings tricks."""
        return VALUE[card]


if __name__ == "__main__":
    run(TimidBot)
