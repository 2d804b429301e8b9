"""`arena run`: a tournament, from its settings to its leaderboard."""

import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click
from tqdm import tqdm

from arena.commands.common import (
    chosen_variants,
    notice,
    results_option,
    run_folder,
    sandbox_option,
    terminal,
)
from arena.cores import usable
from arena.entrants import QUICK, find_entrants, introduce
from arena.errors import ArenaError
from arena.guests import find_guests
from arena.protocol import DEFAULT_LIMITS, LINE_BYTES, Limits
from arena.publish.layout import INDEX
from arena.publish.refresh import refreshing
from arena.record import Entrant
from arena.report import as_csv, as_json, print_leaderboard
from arena.sandbox.contract import Bounds
from arena.sandbox.probe import choose
from arena.store import Store
from arena.tournament import (
    Settings,
    check_hidden,
    check_settings,
    count_games,
    open_or_create,
    play,
    rank,
    rounds_by_variant,
)
from arena.workers import Workers
from engine import get_variant

MOST_ROUNDS = 1_000_000
MOST_TABLES = 1_000


@click.command()
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
    "--schedule",
    metavar="NAME",
    default="round-robin",
    show_default=True,
    help="Who plays whom: round-robin, everybody meets everybody; gauntlet, the challengers meet "
    "the others; or one of an installed plugin.",
)
@click.option(
    "--challenger",
    "challenger_names",
    multiple=True,
    metavar="NAME|PATH",
    help="Enter a bot, as --bot does, as a challenger of the gauntlet; may be repeated.",
)
@click.option(
    "--fill",
    is_flag=True,
    help="Where there are fewer bots than seats, let bundled quick ones fill up as guests.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Fixes every deal and the bots' dice."
)
@click.option("--workers", type=click.IntRange(min=1), help="Default: one for each core.")
@click.option(
    "--tables",
    type=click.IntRange(1, MOST_TABLES),
    help="Games under way at a time in each worker. Default: many while all bots answer at once, "
    "one when somebody thinks.",
)
@click.option("--no-pin", is_flag=True, help="Do not keep each worker and its bots to one core.")
@click.option(
    "--no-withdrawal", is_flag=True, help="Let bots play on, however many faults they have."
)
@click.option("--name", help="The run's folder under the results. Default: the date and time.")
@click.option(
    "--move-ms",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMITS.move_ms,
    show_default=True,
    help="How long a bot may take for an action.",
)
@click.option(
    "--start-ms",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMITS.start_ms,
    show_default=True,
    help="How long a bot may take to start.",
)
@click.option(
    "--bank-ms",
    type=click.IntRange(min=0),
    default=DEFAULT_LIMITS.bank_ms,
    help="How long a bot may take for all its actions of a game together. Default: no such limit.",
)
@click.option(
    "--increment-ms",
    type=click.IntRange(min=0),
    default=DEFAULT_LIMITS.increment_ms,
    show_default=True,
    help="What each action adds to the bank.",
)
@click.option(
    "--line-bytes",
    type=click.IntRange(256, LINE_BYTES),
    default=DEFAULT_LIMITS.line_bytes,
    show_default=True,
    help="How long a line of a bot may be.",
)
@click.option(
    "--output-kib",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMITS.output_kib,
    show_default=True,
    help="How much a bot may send in one game.",
)
@click.option(
    "--nesting",
    type=click.IntRange(1, 500),
    default=DEFAULT_LIMITS.nesting,
    show_default=True,
    help="How deep lists and objects of a bot may lie in one another.",
)
@click.option(
    "--stderr-bytes",
    type=click.IntRange(0, 1 << 20),
    default=DEFAULT_LIMITS.stderr_bytes,
    show_default=True,
    help="How much is kept of the end of what a bot logs, when it has a fault.",
)
@sandbox_option
@click.option(
    "--readable",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="A file or folder that bots may read in the sandbox `isolated`, beside what they need to "
    "start; may be repeated.",
)
@click.option(
    "--memory-mib",
    type=click.IntRange(min=16),
    default=Bounds().memory_mib,
    show_default=True,
    help="How much memory a bot may take, with all its processes.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=Bounds().processes,
    show_default=True,
    help="How many processes and threads a bot may have.",
)
@click.option(
    "--file-mib",
    type=click.IntRange(min=1),
    default=Bounds().file_mib,
    show_default=True,
    help="How large a file of a bot may be.",
)
@click.option(
    "--publish",
    "site",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the run as a web site, now and then while it is under way and at its end: see "
    "`arena publish`.",
)
@results_option
def run(
    rounds: int,
    variant_ids: Sequence[str],
    games: Sequence[str],
    bot_names: Sequence[str],
    schedule: str,
    challenger_names: Sequence[str],
    fill: bool,
    seed: int,
    workers: int | None,
    tables: int | None,
    no_pin: bool,
    no_withdrawal: bool,
    name: str | None,
    move_ms: int,
    start_ms: int,
    bank_ms: int,
    increment_ms: int,
    line_bytes: int,
    output_kib: int,
    nesting: int,
    stderr_bytes: int,
    sandbox: str,
    readable: Sequence[Path],
    memory_mib: int,
    processes: int,
    file_mib: int,
    site: Path | None,
    results: Path,
) -> None:
    """Play a tournament and print its leaderboard.

    To go on with a run that was stopped, type the same command with its --name. With more rounds,
    variants or bots, or with bots that have changed, it plays what is new.
    """
    chosen = chosen_variants(variant_ids, games)
    folder = run_folder(results, time.strftime("%Y-%m-%d-%H%M%S") if name is None else name)
    limits = Limits(
        start_ms=start_ms,
        move_ms=move_ms,
        bank_ms=bank_ms,
        increment_ms=increment_ms,
        line_bytes=line_bytes,
        output_kib=output_kib,
        nesting=nesting,
        stderr_bytes=stderr_bytes,
    )
    named = find_entrants([*(bot_names or (QUICK,)), *challenger_names])
    walls = choose(sandbox, Bounds(memory_mib, processes, file_mib), readable, notice)
    entrants = _who_plays(introduce(named, limits, walls), chosen)
    guests = find_guests(entrants, chosen, limits, walls) if fill else []
    challengers = [one.name for one in find_entrants(challenger_names)]
    settings = Settings(
        rounds=rounds,
        seed=seed,
        variants=chosen,
        entrants=(*entrants, *guests),
        limits=limits,
        schedule=schedule,
        challengers=tuple(challengers),
        withdrawal=not no_withdrawal,
        walls=walls,
    )
    check_settings(settings)
    check_hidden(settings, results, site)
    _say_guests(settings)
    with open_or_create(folder, settings, notice) as store:
        _say_rounding(settings)
        done = store.count()
        total = count_games(settings)
        before = f", {done} of them played before" if done else ""
        click.echo(f"{folder}: {total} games{before}", err=True)
        with (
            refreshing(folder, site, notice) as refresh,
            tqdm(total=total, initial=done, unit=" games", disable=None) as progress,
        ):

            def advance(games: int) -> None:
                progress.update(games)
                refresh()

            try:
                crew = Workers(workers or len(usable()), notice, tables=tables, pin=not no_pin)
                play(store, settings, crew, advance)
            except ArenaError as error:
                again = shlex.join(_with_name(sys.argv[1:], folder.name))
                raise type(error)(
                    f"{error}; what was played is kept: go on with `arena {again}`"
                ) from None
        _write_leaderboard(store)
    if site:
        click.echo(f"the site of the run is {site / INDEX}", err=True)


def _with_name(arguments: Sequence[str], name: str) -> list[str]:
    named = any(one == "--name" or one.startswith("--name=") for one in arguments)
    return [*arguments] if named else [*arguments, "--name", name]


def _who_plays(entrants: Sequence[Entrant], chosen: Sequence[str]) -> list[Entrant]:
    """Return the entrants that play any of the variants, and say who does not."""
    games = {get_variant(variant).game for variant in chosen}
    idle = [one.name for one in entrants if not any(map(one.plays, games))]
    if idle:
        click.echo(f"left out, since they play none of these games: {', '.join(idle)}", err=True)
    return [one for one in entrants if one.name not in idle]


def _say_guests(settings: Settings) -> None:
    guests = {one.name for one in settings.entrants if one.guest}
    for variant in settings.variants if guests else ():
        seated = [name for name in settings.who_plays(get_variant(variant)) if name in guests]
        if seated:
            click.echo(f"{variant} is filled up by {', '.join(seated)}", err=True)


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
    print_leaderboard(board, terminal())
    if any(row.faults for row in board.overall):
        click.echo(f"`arena faults {store.folder.name}` shows what the bots did wrong", err=True)
