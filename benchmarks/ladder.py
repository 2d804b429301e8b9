"""Strength of the bundled bots: the certainty of each step of their ladders, and their ratings.

    python -m benchmarks.ladder [--game GAME] [--seed 0] [--workers 2] [--write]
    python -m benchmarks.ladder --levels [--game GAME] [--level BOT] [--boards 24] [--write]

plays each bot of a ladder (`bots/ladders.toml`) against the one below it on boards whose sides they
share, until one is certainly better or 800 boards are played. Then it plays a tournament of the
quick bots for their ratings. `--levels` measures all steps with those of bots that search instead,
in one table with the time of a move (`levels.py`).

It prints the tables of `docs/bots.md`, or writes them there, and ends with exit code 1 when a step
is not certain. The bots play in the workers themselves, without a clock, so the same seed and bots
give the same tables on every machine.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import dropwhile, pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

import msgspec
from tqdm import tqdm

import bots
from arena import plugins
from arena.bot import Bot
from arena.contest.entrants import find_entrants
from arena.extras.bench.head_to_head import PATIENT, Score, play_board, share_ahead
from arena.match.in_process import class_of, play_in_process
from arena.rating.intervals import Estimate
from arena.rating.leaderboard import Row, leaderboard
from arena.rating.trueskill import INTERVAL_SIGMAS
from arena.record import Game, GameRecord
from arena.tournament.games import scheduled_games
from arena.tournament.settings import Settings
from engine import get_variant, variants

PAGE = Path(__file__).parents[1] / "docs" / "bots.md"
LADDERS = msgspec.toml.decode(
    (Path(bots.__file__).parent / "ladders.toml").read_bytes(), type=dict[str, list[str]]
)
"""The names of the bots of each game, weakest first."""

BOARDS = (25, 50, 100, 200, 400, 800)
"""Numbers of boards after which a step is tested. It fails if it is not certain after the last."""
CERTAINTY = 0.99
"""Probability that the verdict on a step is right."""
CONFIDENCE = 1 - (1 - CERTAINTY) / len(BOARDS)
"""Confidence of the interval in each test, so that all tests together have `CERTAINTY`."""
ROUNDS = 240
"""Rounds of the tournament in each variant."""


class Step(NamedTuple):
    """A bot of a ladder and the one below it, in a variant."""

    variant: str
    better: str
    worse: str


class Measured(NamedTuple):
    """How often the better bot of a step was placed before the worse one."""

    step: Step
    boards: int
    share: Estimate
    confidence: float = CONFIDENCE
    """The confidence of the interval."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        low, high = self.share.interval(self.confidence)
        return (high - low) / 2

    @property
    def is_certain(self) -> bool:
        """Whether the better bot is."""
        return self.share.mean - self.half_width > 0.5

    @property
    def is_over(self) -> bool:
        """Whether it is certain which bot is better."""
        return abs(self.share.mean - 0.5) > self.half_width

    def __str__(self) -> str:
        verdict = "certain" if self.is_certain else "NOT CERTAIN"
        variant, better, worse = self.step
        interval = f"{self.share.mean:6.1%} +- {self.half_width:5.1%}"
        return f"{variant:26} {better:>9} > {worse:9} {interval} {self.boards:4} boards  {verdict}"


def variants_of(game: str) -> list[str]:
    """Return the ids of a game's variants."""
    return [variant.id for variant in variants().values() if variant.game == game]


def steps_of(game: str) -> list[Step]:
    """Return the steps of a game's ladder, from the top, in each variant."""
    pairs = list(pairwise(reversed(LADDERS[game])))
    return [Step(variant, *pair) for variant in variants_of(game) for pair in pairs]


def measure(step: Step, seed: int, looks: Sequence[int] = BOARDS) -> Measured:
    """Play boards until it is certain which bot is better, or all are played."""
    return compare(step, (class_of(step.better), class_of(step.worse)), seed, looks)


def compare(
    step: Step,
    bot_classes: tuple[type[Bot], type[Bot]],
    seed: int,
    looks: Sequence[int] = BOARDS,
    confidence: float = CONFIDENCE,
) -> Measured:
    """Measure a step with these classes for its bots, the better one first."""
    variant = get_variant(step.variant)
    better, worse = bot_classes
    scores: list[Score] = []
    for boards in looks:
        numbers = range(len(scores), boards)
        scores += [play_board(variant, better, worse, number, seed) for number in numbers]
        measured = Measured(step, boards, share_ahead(scores), confidence)
        if measured.is_over:
            break
    return measured


# -- ratings --------------------------------------------------------------------------------------


def rate(
    game: str, rounds: int, seed: int, carry: Callable[[Iterable[Game]], Iterable[GameRecord]]
) -> Mapping[str, Sequence[Row]]:
    """Return the tables, by variant, of a tournament of the quick bots that play a game."""
    names = [one.name for one in plugins.bots().values() if one.quick and plays(one.name, game)]
    played = variants_of(game)
    # Their dice shall not change with their code, nor the ratings of those that play as before.
    entrants = [msgspec.structs.replace(one, fingerprint="") for one in find_entrants(names)]
    settings = Settings(rounds, seed, tuple(played), tuple(entrants), PATIENT)
    records = carry(scheduled_games(settings))
    return leaderboard(records, {one: get_variant(one) for one in played}, names).variants


def plays(name: str, game: str) -> bool:
    """Return whether a bundled bot plays a game."""
    games = class_of(name).games
    return not games or game in games


def play(game: Game) -> GameRecord:
    """Play a game of the tournament with the bots that it names."""
    return play_in_process(game, [class_of(name) for name in game.entrants], PATIENT)


# -- the page -------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join([f"| {' | '.join(line)} |" for line in lines])


def table_of_steps(game: str, measured: Sequence[Measured]) -> str:
    """Return the table of a game's steps: the better bot's share and half its interval."""
    found = {one.step: one for one in measured}
    steps = steps_of(game)
    pairs = list(dict.fromkeys([(step.better, step.worse) for step in steps]))
    rows = [
        [f"`{variant}`", *[_share(found[Step(variant, *pair)]) for pair in pairs]]
        for variant in variants_of(game)
    ]
    return table(["variant", *[f"{better} > {worse}" for better, worse in pairs]], rows)


def _share(measured: Measured) -> str:
    cell = f"{measured.share.mean:.1%} ± {100 * measured.half_width:.1f}"
    return cell if measured.is_certain else f"{cell} (not certain)"


def table_of_ratings(rated: Mapping[str, Sequence[Row]]) -> str:
    """Return the table of a game's ratings: mu and half its interval, the best bot first."""
    mus = {
        variant: {row.bot: f"{row.mu:.1f} ± {INTERVAL_SIGMAS * row.sigma:.1f}" for row in rows}
        for variant, rows in rated.items()
    }
    totals: dict[str, float] = {}
    for rows in rated.values():
        for row in rows:
            totals[row.bot] = totals.get(row.bot, 0.0) + row.mu
    names = sorted(totals, key=lambda name: -totals[name])
    lines = [[f"`{variant}`", *[own[name] for name in names]] for variant, own in mus.items()]
    return table(["variant", *names], lines)


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """Return the page with these tables, each behind its mark `<!-- NAME -->`."""
    for name, text in tables.items():
        mark = f"<!-- {name} -->\n"
        before, found, after = page.partition(mark)
        if not found:
            raise ValueError(f"{PAGE.name} has no line {mark.strip()!r}: add it before the table")
        rest = after.splitlines(keepends=True)
        page = before + mark + text + "\n"
        page += "".join(dropwhile(lambda line: line.startswith("|"), rest))
    return page


def rows_of(page: str, name: str) -> list[tuple[str, ...]]:
    """Return the rows of the table of a page behind the mark `<!-- NAME -->`."""
    _, _, after = page.partition(f"<!-- {name} -->\n")
    lines = takewhile(lambda line: line.startswith("|"), after.splitlines())
    return [tuple(line.strip("| ").split(" | ")) for line in [*lines][2:]]


def main() -> int:
    """Measure, and print or write the tables; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=LADDERS, action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=0, help="fixes all deals and dice")
    parser.add_argument("--workers", type=int, default=2, help="number of processes that play")
    parser.add_argument("--write", action="store_true", help="write the tables to docs/bots.md")
    parser.add_argument("--levels", action="store_true", help="the table of all levels instead")
    parser.add_argument("--level", action="append", help="measure the steps of this bot only")
    parser.add_argument("--boards", type=int, default=24, help="boards of a bot that searches")
    options = parser.parse_args()
    if options.workers < 1:
        parser.error(f"expected at least one worker, got {options.workers}")
    if options.boards < 2:
        parser.error(f"an interval needs at least 2 boards, got {options.boards}")
    tables: dict[str, str] = {}
    certain = True
    games = options.game or list(LADDERS)
    with ProcessPoolExecutor(options.workers) as pool:
        for game in games if options.levels else ():
            certain &= measure_levels(game, options, pool)
        for game in games if not options.levels else ():
            measured = measure_all(game, options.seed, pool)
            certain &= all(one.is_certain for one in measured)
            rated = rate(game, ROUNDS, options.seed, partial(play_all, pool))
            tables[f"steps {game}"] = table_of_steps(game, measured)
            tables[f"ratings {game}"] = table_of_ratings(rated)
    if options.write:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), tables), "utf-8")
    elif tables:
        print("\n\n".join([f"{name}\n\n{text}" for name, text in tables.items()]))
    return 0 if certain else 1


def measure_levels(game: str, options: argparse.Namespace, pool: Executor) -> bool:
    """Measure levels of a game, print or write their table, and return whether they are certain.

    With `--write`, each step is written when it is measured; rows of other steps stay.
    """
    from benchmarks import levels  # it needs this module

    name = f"levels {game}"
    asked = [step for step in levels.steps(game) if step.better in (options.level or [step.better])]
    measuring = partial(levels.measure, boards=options.boards, seed=options.seed)
    rows: list[tuple[str, ...]] = []
    certain = True
    for one in tqdm(pool.map(measuring, asked), game, len(asked)):
        tqdm.write(" ".join(one.row()), file=sys.stderr)
        certain &= one.measured.is_certain
        rows.append(one.row())
        if options.write:
            page = PAGE.read_text("utf-8")
            merged = levels.with_others(game, rows, rows_of(page, name))
            PAGE.write_text(with_tables(page, {name: table(levels.HEADS, merged)}), "utf-8")
    if not options.write:
        print(f"{name}\n\n{table(levels.HEADS, rows)}\n")
    return certain


def measure_all(game: str, seed: int, pool: Executor) -> list[Measured]:
    """Measure all steps of a game, and tell of each as it is done."""
    measured = []
    steps = steps_of(game)
    for one in tqdm(pool.map(partial(measure, seed=seed), steps), game, len(steps)):
        tqdm.write(str(one), file=sys.stderr)
        measured.append(one)
    return measured


def play_all(pool: Executor, games: Iterable[Game]) -> Iterable[GameRecord]:
    """Play games in the workers, and return the records in the order of the games."""
    waiting = list(games)
    return tqdm(pool.map(play, waiting, chunksize=20), "tournament", len(waiting))


if __name__ == "__main__":
    sys.exit(main())
