"""A bot that pays much for much influence: the rank of its note is that of the official."""

from arena.bot import Bot, run


class FairPrice(Bot):
    games = ("hush-money",)

    def act(self, view, legal):
        """Bribe the first official with the lowest note, and the last with the highest."""
        sold = len(view["opened"])
        return legal[sold * len(legal) // 5]


if __name__ == "__main__":
    run(FairPrice)
