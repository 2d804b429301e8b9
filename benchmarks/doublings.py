"""What `champion` gains when it may think twice as long, as a table and a picture.

    python -m benchmarks.doublings bribery/2 --games 60 --write

One side of `champion` plays sides of the best quick bot, as in `levels.py`, with numbers of
simulated games that take about 25 ms to 1.6 s a decision on a free core. All numbers play the same
deals. `--write` puts each point into the table of `docs/bots.md` when it is measured, and then the
picture beside it; rows of other points stay. `--redraw` measures nothing, and draws the table of
the page again.
"""

import argparse
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from tqdm import tqdm

from arena.extras.bench.head_to_head import Score, share_ahead
from arena.match.in_process import class_of
from arena.rating.intervals import Estimate, share_interval
from benchmarks.champion import play_one_side, usual_iterations
from benchmarks.ladder import LADDERS, PAGE, rows_of, table, with_tables
from benchmarks.levels import timed
from bots.champion.champion import ChampionBot
from engine import get_variant, variants

MARK = "doublings"
VARIANTS = ("pot-de-vin/3", "bribery/2", "brides-and-bribes/3")
MILLISECONDS = (25, 50, 100, 200, 400, 800, 1600)
PICTURE = PAGE.with_name("doublings.svg")
SHARE = re.compile(r"(\d+)% \((\d+)% to (\d+)%\)")
"""The cell of a share with its interval."""
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


def draw(rows: Iterable[Sequence[str]], path: str) -> None:
    """Write the picture of a table: shares with their intervals by time, a line for each variant.

    Raises:
        ValueError: a row is none of this table.
    """
    from matplotlib import rc_context  # it takes long to import
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    lines: dict[str, list[tuple[int, ...]]] = {}
    for row in rows:
        variant, against, about = [cell.strip("`") for cell in row[:3]]
        found = SHARE.fullmatch(row[5])
        if found is None:
            raise ValueError(f"expected a share such as '80% (64% to 89%)', got {row[5]!r}")
        numbers = [int(number) for number in (about.removesuffix(" ms"), *found.groups())]
        lines.setdefault(f"{variant} against {against}", []).append(tuple(numbers))
    for number, (label, line) in enumerate(lines.items()):
        times = [time * 1.04**number for time, *_ in line]  # side by side, not on each other
        shares = [share / 100 for _, share, _, _ in line]
        below = [(share - low) / 100 for _, share, low, _ in line]
        above = [(high - share) / 100 for _, share, _, high in line]
        axes.errorbar(times, shares, yerr=(below, above), marker="o", capsize=3, label=label)
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_xticks(MILLISECONDS, [str(one) for one in MILLISECONDS])
    axes.set(xlabel="milliseconds a decision", ylabel="placed before another side", ylim=(0, 1.03))
    axes.legend(loc="lower right")
    with rc_context({"svg.hashsalt": MARK}):  # the same table gives the same file
        figure.savefig(path, metadata={"Date": None})


def points(chosen: Sequence[str], shortest: int, longest: int) -> list[Point]:
    """Return the times of each variant, from the shortest up to the longest."""
    times = [one for one in MILLISECONDS if shortest <= one <= longest]
    return [Point(variant, one) for variant in chosen for one in times]


def with_others(
    rows: Sequence[tuple[str, ...]], before: Iterable[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Return the rows, and those of a table from before that are of other points, in order."""
    every = {(row[0], row[2]): row for row in [*before, *rows]}
    order = [
        (f"`{variant}`", f"{time_ms} ms") for variant in variants() for time_ms in MILLISECONDS
    ]
    return [every[cells] for cells in order if cells in every]


def main() -> None:
    """Measure, and print or write the table and the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="default: one of each game")
    parser.add_argument("--games", type=int, default=40, help="games for each time")
    parser.add_argument("--shortest", type=int, default=MILLISECONDS[0], help="in milliseconds")
    parser.add_argument("--longest", type=int, default=MILLISECONDS[-1], help="in milliseconds")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--picture", help="file for the picture")
    parser.add_argument("--redraw", action="store_true", help="draw the table of docs/bots.md")
    parser.add_argument("--write", action="store_true", help="write to docs/bots.md")
    options = parser.parse_args()
    unknown = [one for one in options.variants if one not in variants()]
    if unknown:
        parser.error(f"unknown variant {unknown[0]!r}; known are {', '.join(variants())}")
    if options.games < 2:
        parser.error(f"an interval needs at least 2 games, got {options.games}")
    if options.redraw:
        draw(rows_of(PAGE.read_text("utf-8"), MARK), options.picture or str(PICTURE))
        return
    asked = points(options.variants or VARIANTS, options.shortest, options.longest)
    measuring = partial(measure, games=options.games, seed=options.seed)
    rows = []
    with ProcessPoolExecutor(options.workers) as pool:
        for gain in tqdm(pool.map(measuring, asked), total=len(asked)):
            tqdm.write(" ".join(gain.row()))
            rows.append(gain.row())
            if options.write:
                page = PAGE.read_text("utf-8")
                merged = with_others(rows, rows_of(page, MARK))
                PAGE.write_text(with_tables(page, {MARK: table(HEADS, merged)}), "utf-8")
    if options.write:
        draw(rows_of(PAGE.read_text("utf-8"), MARK), options.picture or str(PICTURE))
    elif options.picture:
        draw(rows, options.picture)


if __name__ == "__main__":
    main()
