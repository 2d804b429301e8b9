"""A bot for Hush Money that saves its highest notes for the most influential officials."""

from arena.bot import Bot, run


class FairPrice(Bot):
    games = ("hush-money",)

    def act(self, view, legal):
        """Bribe the first official with our lowest note, and the last one with our highest."""
        sold = len(view["opened"])
        return legal[sold * len(legal) // 5]


if __name__ == "__main__":
    run(FairPrice)
