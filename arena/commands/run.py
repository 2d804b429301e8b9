"""`arena run`: play a tournament and print its leaderboard."""

import functools
import time
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from arena.base.errors import SettingsError
from arena.commands.common import chosen_contest, contest_argument, full_option
from arena.commands.setting_options import OPTIONS, given, set_option, setting_option
from arena.contest.contest_file import check_bot, read_contest
from arena.contest.settings import Contest, override
from arena.process.host import stop_signals_as_ctrl_c
from arena.terminal.console import notice
from arena.tournament.executors.plugin import executor_of
from arena.tournament.runs import rounds_reached, run_folder
from arena.tournament.store import DATABASE
from engine.plugins import BUILT_IN_GAMES


def _setting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = [*map(setting_option, OPTIONS), set_option()]
    return functools.reduce(lambda made, option: option(made), reversed(options), command)


@click.command("run")
@contest_argument
@_setting_options
@click.option(
    "--final",
    is_flag=True,
    help="Play the final of the contest. Its deals are drawn with a new secret.",
)
@click.option(
    "--accept-risk",
    "accepts_risk",
    is_flag=True,
    help="Play the contest's final even if bots aren't isolated or their processor time can't "
    "be measured exactly.",
)
@click.option(
    "--before-due",
    "is_early",
    is_flag=True,
    help="Play the final before the deadline.",
)
@full_option
@click.pass_context
def run_command(
    context: click.Context,
    /,
    place: Path | None,
    final: bool,
    accepts_risk: bool,
    is_early: bool,
    full: bool,
    **_: object,
) -> None:
    """Play a tournament and print its leaderboard.

    CONTEST is a folder created by `arena init`, or the contest.toml file in the folder. By
    default, the command looks for a contest in the current folder and its parents. Options
    override the contest's settings.

    Run the same command again to resume a run that was stopped. If you change a bot, or add
    rounds or variants, only the missing games are played. Adding a bot keeps most finished
    games.
    """
    context.with_resource(stop_signals_as_ctrl_c())
    options = given(context)
    contest_file = chosen_contest(place)
    contest = override(read_contest(contest_file) if contest_file else Contest(), options)
    contest.stop_rule()  # refuses wrong settings before bots are started, which takes long
    for bot in options.get("entrants.bots", ()):
        check_bot(Path(), bot)
    ladder = contest.name
    if final:
        contest = _as_final(contest, contest_file, options)
    name = time.strftime("%Y-%m-%d-%H%M%S") if contest.name is None else contest.name
    folder = run_folder(Path(contest.results), name)
    if final and not is_early and not (folder / DATABASE).is_file():
        _check_deadline(contest)
    executor = context.with_resource(executor_of(contest.machine, folder, notice))
    if not (folder / DATABASE).is_file():  # a resumed run may have no games left to play
        executor.wake((*contest.variants, *contest.games) or (*BUILT_IN_GAMES,))
    # Imported here, so that the workers start in the meantime.
    from arena.commands.playing import play, print_plan
    from arena.tournament.contest_run import RunRequest

    request = RunRequest(contest, folder, contest_file, options, final, accepts_risk)
    if final and not (folder / DATABASE).is_file():
        print_plan(contest, ladder, executor)
    play(request, executor, full=full)


def _check_deadline(contest: Contest) -> None:
    deadline = contest.deadline.deadline()
    if deadline and datetime.now().astimezone() <= deadline.due:
        raise SettingsError(
            f"the deadline is {deadline.due:%Y-%m-%d %H:%M %Z}, and a final keeps the current "
            "versions: play it after the deadline, or add --before-due"
        )


def _as_final(contest: Contest, contest_file: Path | None, options: Collection[str]) -> Contest:
    if contest_file is None:
        raise SettingsError(
            "got --final without a contest: name its folder, as in `arena run spring --final`"
        )
    if given := [f"--{key}" for key in ("seed", "secret") if key in options]:
        raise SettingsError(f"got {given[0]} with --final, which draws its own secret")
    if "rounds" not in options:
        contest = msgspec.structs.replace(contest, rounds=rounds_reached(contest))
    if "name" in options:
        return contest
    name = f"{contest.name or contest_file.parent.resolve().name}-final"
    return msgspec.structs.replace(contest, name=name)
