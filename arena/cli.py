"""What a person types: `arena run`, and what looks at its results."""

import os
import re
import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from tqdm import tqdm

from arena import __version__
from arena.entrants import QUICK, find_entrants, introduce
from arena.errors import ArenaError, SettingsError, StoreError
from arena.plugins import bots
from arena.protocol import Limits
from arena.record import Entrant, GameRecord, read_record
from arena.report import as_csv, as_json, print_leaderboard
from arena.store import DATABASE, Store
from arena.tournament import (
    Settings,
    check_settings,
    count_games,
    open_or_create,
    play,
    rank,
    rounds_by_variant,
    scheduled_games,
)
from arena.verify import Difference, verify, verify_schedule
from engine import EngineError, get_variant, variants

_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")
MOST_ROUNDS = 1_000_000
PLAIN_WIDTH = 100
"""Columns of what is printed when nobody says how wide the terminal is."""


class _Group(click.Group):
    """Turns our errors into one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise click.ClickException(str(error)) from error


results_option = click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    help="The folder of all runs.",
)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """A tournament framework for bots that play games about bribery."""


@main.command()
@click.option(
    "--rounds",
    type=click.IntRange(1, MOST_ROUNDS),
    default=60,
    show_default=True,
    help="Rounds of every variant: in each, every bot sits down once or has a bye.",
)
@click.option(
    "--variant",
    "variant_ids",
    multiple=True,
    metavar="ID",
    help="Play this variant; may be repeated. Default: all.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    help="Play all variants of this game; may be repeated.",
)
@click.option(
    "--bot",
    "bot_names",
    multiple=True,
    metavar="NAME|PATH",
    help="Enter a bot: a name of `arena bots`, a .py file or a folder with bot.toml; may be "
    "repeated. `quick`, the default, stands for all quick ones.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Fixes every deal and the bots' dice."
)
@click.option("--workers", type=click.IntRange(min=1), help="Default: one for each core.")
@click.option("--name", help="The run's folder under the results. Default: the date and time.")
@click.option(
    "--move-ms",
    type=click.IntRange(min=1),
    default=Limits().move_ms,
    show_default=True,
    help="How long a bot may take for an action.",
)
@click.option(
    "--start-ms",
    type=click.IntRange(min=1),
    default=Limits().start_ms,
    show_default=True,
    help="How long a bot may take to start.",
)
@results_option
def run(
    rounds: int,
    variant_ids: Sequence[str],
    games: Sequence[str],
    bot_names: Sequence[str],
    seed: int,
    workers: int | None,
    name: str | None,
    move_ms: int,
    start_ms: int,
    results: Path,
) -> None:
    """Play a tournament and print its leaderboard.

    To go on with a run that was stopped, type the same command with its --name.
    """
    chosen = _chosen_variants(variant_ids, games)
    folder = _run_folder(results, time.strftime("%Y-%m-%d-%H%M%S") if name is None else name)
    limits = Limits(start_ms=start_ms, move_ms=move_ms)
    entrants = introduce(find_entrants(bot_names or (QUICK,)), limits)
    settings = Settings(rounds, seed, chosen, tuple(_who_plays(entrants, chosen)), limits)
    check_settings(settings)
    with open_or_create(folder, settings) as store:
        _say_rounding(settings)
        done = len(store.keys())
        total = count_games(settings)
        before = f", {done} of them played before" if done else ""
        click.echo(f"{folder}: {total} games{before}", err=True)
        with tqdm(total=total, initial=done, unit=" games", disable=None) as progress:
            try:
                play(store, settings, workers or _cores(), progress.update)
            except ArenaError as error:
                again = shlex.join(_with_name(sys.argv[1:], folder.name))
                raise type(error)(
                    f"{error}; what was played is kept: go on with `arena {again}`"
                ) from None
        _write_leaderboard(store)


def _with_name(arguments: Sequence[str], name: str) -> list[str]:
    named = any(one == "--name" or one.startswith("--name=") for one in arguments)
    return [*arguments] if named else [*arguments, "--name", name]


def _chosen_variants(variant_ids: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    known = variants()
    for game in games:
        if all(variant.game != game for variant in known.values()):
            names = ", ".join(dict.fromkeys(variant.game for variant in known.values()))
            raise SettingsError(f"unknown game {game!r}; known are {names}")
    chosen = [get_variant(one).id for one in variant_ids]
    chosen += [one.id for one in known.values() if one.game in games]
    return tuple(dict.fromkeys(chosen or known))


def _who_plays(entrants: Sequence[Entrant], chosen: Sequence[str]) -> list[Entrant]:
    """Return the entrants that play any of the variants, and say who does not."""
    games = {get_variant(variant).game for variant in chosen}
    idle = [one.name for one in entrants if not any(map(one.plays, games))]
    if idle:
        click.echo(f"left out, since they play none of these games: {', '.join(idle)}", err=True)
    return [one for one in entrants if one.name not in idle]


def _say_rounding(settings: Settings) -> None:
    for variant, rounds in rounds_by_variant(settings).items():
        if rounds != settings.rounds:
            click.echo(
                f"{variant} plays {rounds} rounds, not {settings.rounds}: a board takes "
                f"{get_variant(variant).seats}",
                err=True,
            )


def _write_leaderboard(store: Store) -> None:
    board = rank(store)
    store.write("leaderboard.json", as_json(board))
    store.write("leaderboard.csv", as_csv(board))
    print_leaderboard(board, _console())
    if any(row.faults for row in board.overall):
        click.echo(f"`arena faults {store.folder.name}` shows what the bots did wrong", err=True)


@main.command()
@click.argument("run_name", metavar="RUN")
@results_option
def leaderboard(run_name: str, results: Path) -> None:
    """Print the leaderboard of a run, computed from its records."""
    with _open_run(results, run_name) as store:
        print_leaderboard(rank(store), _console())


@main.command()
@click.argument("run_name", metavar="RUN")
@results_option
def export(run_name: str, results: Path) -> None:
    """Print the game records of a run as JSON lines, in schedule order."""
    with _open_run(results, run_name) as store:
        for record in store.raw_records():
            click.echo(record)


@main.command("verify")
@click.argument("source", metavar="RUN|FILE")
@results_option
def verify_command(source: str, results: Path) -> None:
    """Replay every record of a run, or of a file of JSON lines, and report each difference."""
    path = Path(source)
    differences: list[Difference] = []
    if _is_file(path):
        games = _verify_each(_read_file(path), differences)
    else:
        with _open_run(results, source) as store:
            games = _verify_each(store.records(), differences)
            schedule = scheduled_games(store.settings(Settings))
            differences += verify_schedule(store.records(), schedule)
    for difference in differences:
        click.echo(str(difference))
    if differences:
        wrong = len({difference.game for difference in differences})
        raise ArenaError(f"{wrong} of {games} games are not as recorded")
    if not games:
        raise ArenaError(f"{source} has no games")
    click.echo(f"{games} games are as recorded")


def _verify_each(records: Iterable[GameRecord], differences: list[Difference]) -> int:
    """Add what is wrong with each record to `differences`; return the number of records."""
    keys: set[str] = set()
    games = 0
    for record in records:
        games += 1
        differences += verify(record)
        if record.key in keys:
            differences.append(Difference(record.title, None, "the game is there twice"))
        keys.add(record.key)
    return games


def _is_file(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()  # a pipe is as good as a file
    except (OSError, ValueError):  # no name that a file can have
        return False


def _read_file(path: Path) -> Iterator[GameRecord]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield read_record(line)
            except (ValueError, RecursionError) as error:
                raise StoreError(
                    f"{path}, line {number}: expected a game record as `arena export` prints "
                    f"them: {error}"
                ) from None


@main.command()
@click.argument("run_name", metavar="RUN")
@click.option("--bot", "bot_name", metavar="NAME", help="Only those of this bot.")
@results_option
def faults(run_name: str, bot_name: str | None, results: Path) -> None:
    """Print what bots did wrong in a run, game by game."""
    with _open_run(results, run_name) as store:
        for record in store.records():
            for fault in record.faults:
                bot = record.entrants[fault.seat]
                if bot_name in (None, bot):
                    click.echo(f"{bot}: {fault.kind} in {record.title}: {fault.text}")


@main.command()
def games() -> None:
    """List the games and their variants."""
    table = _list_table("variant", "seats", "teams")
    for variant in variants().values():
        teams = " ".join("+".join(map(str, team)) for team in variant.teams or ())
        table.add_row(variant.id, str(variant.seats), teams or "-")
    _console().print(table)


@main.command("bots")
def list_bots() -> None:
    """List the bots that can be entered by name."""
    table = _list_table("bot", "quick", "how it plays")
    for bot in bots().values():
        table.add_row(Text(bot.name), "yes" if bot.quick else "-", Text(bot.summary))
    _console().print(table)


def _list_table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table


def _run_folder(results: Path, name: str) -> Path:
    if not _RUN_NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:80]!r} can't be a run's name: expected 1 to 100 letters, digits and any of "
            "_ . + -, the first a letter or digit"
        )
    return results / name


def _open_run(results: Path, name: str) -> Store:
    """Open a run by its name, or by the path of its folder."""
    if os.sep in name:
        folder = Path(name)
        results = folder.parent
    else:
        folder = _run_folder(results, name)
    if not (folder / DATABASE).is_file():
        runs = sorted([one.parent.name for one in results.glob(f"*/{DATABASE}")])
        raise StoreError(
            f"no run {folder.name!r} in {results}: "
            + (f"there are {', '.join(runs)}" if runs else "play one with `arena run`")
        )
    return Store.open(folder)


def _console() -> Console:
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console()
    return Console(width=PLAIN_WIDTH)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
