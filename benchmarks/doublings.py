"""What `champion` gains when it may think twice as long, as a table and a picture.

    python -m benchmarks.doublings bribery/2 --games 60 --write

One side of `champion` plays sides of the best quick bot, as in `levels.py`, with numbers of
simulated games that take about 25 ms to 1.6 s a decision on a free core. All numbers play the same
deals. `--write` puts the table into `docs/bots.md` and the picture beside it.
"""

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from tqdm import tqdm

from arena.bench.head_to_head import Score, share_ahead
from arena.match.in_process import class_of
from arena.rating.intervals import Estimate, share_interval
from benchmarks.champion import usual_iterations
from benchmarks.ladder import LADDERS, PAGE, table, with_tables
from benchmarks.levels import play_one_side, timed
from bots.champion.champion import ChampionBot
from engine import get_variant, variants

MARK = "doublings"
VARIANTS = ("pot-de-vin/3", "bribery/2", "brides-and-bribes/3")
MILLISECONDS = (25, 50, 100, 200, 400, 800, 1600)
PICTURE = PAGE.with_name("doublings.svg")
HEADS = ("variant", "against", "about", "simulated games", "ms a move", "placed before it", "games")


class Point(NamedTuple):
    """A variant and a time for a decision."""

    variant: str
    milliseconds: int

    @property
    def iterations(self) -> int:
        """The number of simulated games that take this time on a free core."""
        return max(1, usual_iterations(get_variant(self.variant)) * self.milliseconds // 100)

    @property
    def against(self) -> str:
        """The best quick bot of the game."""
        return LADDERS[get_variant(self.variant).game][-1]


class Gain(NamedTuple):
    """How well `champion` plays with a time for a decision."""

    point: Point
    games: int
    share: Estimate
    move_ms: float

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval of the share."""
        return share_interval(self.share, self.games) or (0.0, 1.0)

    def row(self) -> tuple[str, ...]:
        """Return a row of the table."""
        low, high = self.interval()
        point = self.point
        cells = (f"`{point.variant}`", f"`{point.against}`", f"{point.milliseconds} ms")
        share = f"{self.share.mean:.0%} ({low:.0%} to {high:.0%})"
        return *cells, str(point.iterations), f"{self.move_ms:.0f}", share, str(self.games)


def measure(point: Point, games: int, seed: int) -> Gain:
    """Play games of one side of `champion` with the time of `point`."""
    variant, other = get_variant(point.variant), class_of(point.against)
    thinking = type("ChampionBot", (ChampionBot,), {"iterations": point.iterations})
    champion = timed(thinking)
    scores: list[Score] = [
        play_one_side(variant, champion, other, number, seed) for number in range(games)
    ]
    move_ms = 1000 * champion.seconds / max(1, champion.moves)
    return Gain(point, games, share_ahead(scores), move_ms)


def draw(gains: Iterable[Gain], path: str) -> None:
    """Write the picture: shares with their intervals by time, a line for each variant."""
    from matplotlib.figure import Figure  # it takes long to import

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    by_variant: dict[str, list[Gain]] = {}
    for gain in gains:
        by_variant.setdefault(gain.point.variant, []).append(gain)
    for variant, line in by_variant.items():
        bounds = [gain.interval() for gain in line]
        shares = [gain.share.mean for gain in line]
        below = [share - low for share, (low, _) in zip(shares, bounds, strict=True)]
        above = [high - share for share, (_, high) in zip(shares, bounds, strict=True)]
        times = [gain.point.milliseconds for gain in line]
        label = f"{variant} against {line[0].point.against}"
        axes.errorbar(times, shares, yerr=(below, above), marker="o", capsize=3, label=label)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(MILLISECONDS, [str(one) for one in MILLISECONDS])
    axes.set(xlabel="milliseconds a decision", ylabel="placed before another side", ylim=(0, 1))
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def points(chosen: Sequence[str], longest: int) -> list[Point]:
    """Return the times of each variant, up to the longest."""
    times = [one for one in MILLISECONDS if one <= longest]
    return [Point(variant, one) for variant in chosen for one in times]


def main() -> None:
    """Measure, and print or write the table and the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="default: one of each game")
    parser.add_argument("--games", type=int, default=40, help="games for each time")
    parser.add_argument("--longest", type=int, default=MILLISECONDS[-1], help="in milliseconds")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--picture", help="file for the picture")
    parser.add_argument("--write", action="store_true", help="write to docs/bots.md")
    options = parser.parse_args()
    unknown = [one for one in options.variants if one not in variants()]
    if unknown:
        parser.error(f"unknown variant {unknown[0]!r}; known are {', '.join(variants())}")
    if options.games < 2:
        parser.error(f"an interval needs at least 2 games, got {options.games}")
    asked = points(options.variants or VARIANTS, options.longest)
    measuring = partial(measure, games=options.games, seed=options.seed)
    gains = []
    with ProcessPoolExecutor(options.workers) as pool:
        for gain in tqdm(pool.map(measuring, asked), total=len(asked)):
            tqdm.write(" ".join(gain.row()))
            gains.append(gain)
    text = table(HEADS, [gain.row() for gain in gains])
    if options.write:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), {MARK: text}), "utf-8")
    if options.picture or options.write:
        draw(gains, options.picture or str(PICTURE))


if __name__ == "__main__":
    main()
