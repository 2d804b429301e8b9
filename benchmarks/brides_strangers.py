"""How `champion` plays Brides & Bribes against bots that it cannot know.

    python -m benchmarks.brides_strangers --iterations 30 --games 16

One side of `champion` plays sides of *strangers*: they weigh what they can gain as `doge` does, but
all weights of each are changed by chance. With one iteration `champion` does not search at all.
"""

import argparse
import random
from functools import partial

from arena.bot import Bot, Start
from arena.extras.bench.head_to_head import Score, share_ahead
from arena.rating.intervals import share_interval
from benchmarks.brides_weights import changed
from benchmarks.champion import play_one_side
from benchmarks.levels import timed
from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights
from bots.champion.champion import ChampionBot
from engine import get_variant, variants

CHANGE = 0.6
"""The standard deviation of a change, in those of `brides_weights`."""


def stranger(number: int, seed: int) -> type[Bot]:
    """Return the class of the strangers of a game, which differ by seat."""

    class Stranger(BridesBot):
        """Plays by weights that were changed by chance."""

        name = "stranger"

        def start(self, table: Start) -> None:
            """Change the weights."""
            rng = random.Random(f"stranger {number} {seed} {table.seat}")
            changes = [rng.gauss(0, CHANGE) for _ in Weights.__struct_fields__]
            self.weights = changed(Weights(), changes)  # type: ignore[misc]

    return Stranger


def play(number: int, variant_id: str, champion: type[Bot], seed: int) -> Score:
    """Return the score of one side of `champion` in the game of this number."""
    strangers = stranger(number, seed)
    return play_one_side(get_variant(variant_id), champion, strangers, number, seed)


def main() -> None:
    """Measure, and print the share of meetings in which `champion` is placed before a stranger."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    brides = [one.id for one in variants().values() if one.game == "brides-and-bribes"]
    parser.add_argument("--variant", choices=brides, default=brides[0])
    parser.add_argument("--iterations", type=int, default=30, help="default: %(default)s")
    parser.add_argument("--games", type=int, default=16, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=5, help="fixes all deals, dice and weights")
    options = parser.parse_args()
    if options.games < 2:
        parser.error(f"an interval needs at least 2 games, got {options.games}")
    champion = timed(type("ChampionBot", (ChampionBot,), {"iterations": options.iterations}))
    playing = partial(play, variant_id=options.variant, champion=champion, seed=options.seed)
    share = share_ahead([playing(number) for number in range(options.games)])
    low, high = share_interval(share, options.games) or (0.0, 1.0)
    move_ms = 1000 * champion.seconds / max(1, champion.moves)
    print(f"{share.mean:.0%} ({low:.0%} to {high:.0%}), {move_ms:.2g} ms a move")


if __name__ == "__main__":
    main()
