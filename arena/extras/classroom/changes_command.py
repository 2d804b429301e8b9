"""`arena drop` and `arena admin merge`: runs with fewer bots, and runs united."""

import contextlib
from pathlib import Path

import click

from arena.base.errors import SettingsError
from arena.commands.common import BotOfRun, bot_argument, open_run, results_option
from arena.commands.completion import complete_runs
from arena.contest.contest_file import find_contest, read_contest
from arena.extras.classroom.run_changes import drop, merge
from arena.terminal.console import notice, say
from arena.tournament.games import games_to_play
from arena.tournament.run_names import names_of
from arena.tournament.runs import run_folder
from arena.tournament.store import Store


@click.command("drop")
@bot_argument("[RUN] BOT", decides=True)
@click.option("--undo", is_flag=True, help="Let the bot back in, with the games it has played.")
@results_option
def drop_command(named: BotOfRun, undo: bool, results: Path) -> None:
    """Remove a bot from a run, with its games only.

    BOT is its id or name. Games without it stay as they are, and so do their deals. The bot is in
    no table, page or export any more; its games are kept in the database, aside. The digest of the
    run changes.
    """
    with open_run(results, named.run) as found:
        folder = found.folder
    with Store.own(folder) as store:
        dropped, names = store.settings().dropped_bots, names_of(store)
        bot = names.id_of(named.bot)
        if undo and bot not in dropped:
            raise SettingsError(f"{named.bot} has not left the run {store.name}: got --undo for it")
        contest = find_contest(folder)
        fill = contest is not None and read_contest(contest).entrants.fill
        left = drop(store, dropped - {bot} if undo else dropped | {bot}, fill=fill)
        what = "is in the run again" if undo else "has left the run"
        say(f"{names.shown(bot)} {what}: {left.now} games count, formerly {left.before}")
        if not left.is_complete:
            say("games are missing now: the command of the run plays them")


@click.command("merge")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True, shell_complete=complete_runs)
@click.option("--name", required=True, help="Name of the new run and its folder.")
@results_option
def admin_merge_command(runs: tuple[str, ...], name: str, results: Path) -> None:
    """Unite runs whose variants were played apart.

    The runs must have the same bots, rounds, limits and secret or seed, and different variants.
    Each is verified, as by `arena verify`, and stays as it is.
    """
    if len(runs) < 2:
        raise click.UsageError("got one run, expected two or more")
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(open_run(results, run)) for run in runs]
        store = stack.enter_context(merge(run_folder(results, name), found, notice))
        say(f"{store.folder}: {store.count()} of {games_to_play(store.settings())} count")
        if aside := store.count_aside():
            say(
                f"{aside} games do not count, since other bots are withdrawn in the united "
                "schedule: play them again with the command of the run"
            )
