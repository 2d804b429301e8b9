"""Command-line options and arguments that are shared by several commands."""

import os
import shlex
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from arena.base.errors import SettingsError
from arena.base.protocol import indented
from arena.commands.completion import (
    complete_bot_lists,
    complete_bots,
    complete_games,
    complete_sources,
    complete_variants,
)
from arena.commands.setting_options import Decorator
from arena.contest.contest_file import CONTEST_FILE, contest_at, find_contest, results_of
from arena.contest.settings import Contest
from arena.terminal.console import notice, say_data
from arena.tournament import runs
from arena.tournament.database import Database
from arena.tournament.runs import is_file, is_run
from arena.tournament.store import Store

DEFAULT_RESULTS = Path(Contest().results)
DEFAULT_VARIANT = "pot-de-vin/3"

# -- options ---------------------------------------------------------------------------------------

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, unrounded.")
full_option = click.option("-v", "--all", "full", is_flag=True, help="Print all details.")
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed for the deals and the bots."
)
bot_named_argument = click.argument("bot", metavar="NAME|PATH", shell_complete=complete_bots)


def against_option(default: str, text: str) -> Decorator[Any]:
    return click.option(
        "--against",
        default=default,
        metavar="BOT,...",
        shell_complete=complete_bot_lists,
        help=f"Opponents, by name or path, separated by commas. {text}",
    )


def bots_in(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def variant_option(default: str, text: str = "The variant.") -> Decorator[Any]:
    return click.option(
        "--variant", "variant_id", metavar="ID", shell_complete=complete_variants,
        default=default, show_default=bool(default), help=text,
    )  # fmt: skip


def variants_option(text: str) -> Decorator[Any]:
    return click.option(
        "--variant", "variant_ids", metavar="ID", shell_complete=complete_variants,
        multiple=True, help=text,
    )  # fmt: skip


def games_option(text: str) -> Decorator[Any]:
    return click.option(
        "--game", "games", metavar="ID", shell_complete=complete_games, multiple=True, help=text
    )


def sandbox_notice(*, full: bool) -> Callable[[str], None]:
    """Return a function that prints sandbox messages to stderr.

    Unless `full` is true, the message about successful isolation is not printed.
    """

    def print_notice(text: str) -> None:
        if full or not text.startswith("sandbox isolated:"):
            notice(text)

    return print_notice


def refuse_given(context: click.Context, names: Collection[str], reason: str) -> None:
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[0]} {reason}")


def ask(question: str, otherwise: str) -> None:
    """Ask the user for confirmation.

    Raise `click.Abort` if the user answers no, and `SettingsError` if stdin is not a terminal.
    """
    if not sys.stdin.isatty():
        raise SettingsError(f"{question} Cannot ask without a terminal: {otherwise}")
    click.confirm(question, abort=True, err=True)


# -- arguments -----------------------------------------------------------------------------------


def _results(_: click.Context, __: click.Parameter, given: Path | None) -> Path:
    return runs.find_results() if given is None else given


results_option = click.option(
    "--results",
    type=click.Path(path_type=Path),
    is_eager=True,  # the other parameters are looked up in it
    callback=_results,
    help="Folder of all runs. Default: the results folder of the contest that contains the current "
    f"folder, or else the nearest folder `{DEFAULT_RESULTS}`.",
)


def default_run(context: click.Context, *, decides: bool = False) -> str:
    """Print and return the name of the run to use by default."""
    results = context.params["results"]
    if decides:
        contest = find_contest()
        name = runs.deciding_run(results, contest)
        what = "the run of the contest" if contest else "the only run"
    else:
        name, what = runs.latest_run(results), "the latest run"
    if not context.resilient_parsing:  # as in shell completion
        notice(f"{results / name}: {what}")
    return name


def run_argument(metavar: str, *, decides: bool = False) -> Decorator[Any]:
    """Declare the `source` argument of a command: the name of a run or the path of an exported
    file.
    """

    def read(context: click.Context, _: click.Parameter, given: str | None) -> str:
        if given is None:
            return default_run(context, decides=decides)
        contest, results = Path(given, CONTEST_FILE), context.params["results"]
        if decides and os.path.isfile(contest) and not is_run(results, given):
            results = results_of(contest)
            return str(results / runs.deciding_run(results, contest))
        return given

    return click.argument(
        "source",
        metavar=metavar,
        required=False,
        callback=read,
        shell_complete=complete_sources,
    )


source_argument = run_argument("[RUN|FILE]")

contest_argument = click.argument(
    "place",
    metavar="[CONTEST]",
    required=False,
    type=click.Path(exists=True, path_type=Path),
)


class GameOfRun(NamedTuple):
    source: str
    game: str
    """The game's title or the start of its key. Empty if no game was named."""

    def named(self) -> str:
        """Return the name of the game. Raise `click.UsageError` if it wasn't given."""
        if not self.game:
            raise click.UsageError(
                f"missing GAME: expected the title of a game in {self.source}, such as "
                "`pot-de-vin/3 board 12 rotation 0`, or the start of its key; `arena replay "
                f"{self.source} --bot NAME` lists games"
            )
        return self.game


def _game_of_run(context: click.Context, _: click.Parameter, words: Sequence[str]) -> GameOfRun:
    if not words:
        return GameOfRun(default_run(context), "")
    return GameOfRun(words[0], " ".join(words[1:]))


def game_argument(metavar: str) -> Decorator[Any]:
    """Add a `game` argument to a command, optionally preceded by the name of a run."""
    return click.argument(
        "game",
        metavar=f"{metavar} [GAME]",
        nargs=-1,
        callback=_game_of_run,
        shell_complete=complete_sources,
    )


def entrant_option(text: str, **more: Any) -> Decorator[Any]:
    return click.option(
        "--bot", "bot", metavar="NAME|PATH", shell_complete=complete_bots, help=text, **more
    )


# -- contests, runs, files -------------------------------------------------------------------------


def chosen_contest(place: Path | None) -> Path | None:
    """Return the contest file in a folder.

    By default, look for a contest file in the current folder and its parents. Raise
    `SettingsError` if the given folder has no contest file.
    """
    if place is not None:
        return contest_at(place)
    contest = find_contest()
    if contest is not None:
        notice(f"contest: {contest}")
    return contest


def required_contest(place: Path | None, option: str = "") -> Path:
    """Like `chosen_contest`, but raise `click.UsageError` if there is no contest."""
    contest = chosen_contest(place)
    if contest is None:
        raise click.UsageError(
            f"there is no {CONTEST_FILE} in this folder or above it: name the folder of a contest"
            f"{option and f' with {option}'}, or create one with `arena init`"
        )
    return contest


def open_run(results: Path, name: str) -> Store:
    return runs.open_run(results, name, notice)


def open_source(results: Path, source: str) -> Database:
    """Open a run or an exported file for reading.

    Raises:
        StoreError: The run or file doesn't exist or can't be read.
    """
    return runs.open_source(results, source, notice)


def command_of_run(verb: str, source: str, results: Path) -> str:
    """Return a shell command for a run, for example `arena replay spring`."""
    words = ["arena", verb, source]
    if results != DEFAULT_RESULTS and not is_file(source) and os.sep not in source:
        words += ["--results", str(results)]
    return shlex.join(words)


def say_json(data: object) -> None:
    say_data(indented(data))
