"""`arena submit`: the check of a student's bot and its submission to a contest."""

from pathlib import Path

import click

from arena.check.check import CheckSettings, check_bot
from arena.check.sandbox_probe import choose
from arena.commands.common import chosen_variants
from arena.contest.contest_file import read_contest
from arena.contest.packages import environments, equip
from arena.contest.settings import Contest, override
from arena.contest.submissions import incoming, keep
from arena.contracts import SandboxSettings
from arena.errors import SettingsError, SubmissionError
from arena.record import Entrant
from arena.terminal.check_report import print_card, print_checked
from arena.terminal.console import notice, say, terminal


@click.command("submit")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "place",
    metavar="FOLDER|CONTEST",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="The folder of submissions, or a contest.toml. With a contest.toml, the bot is checked "
    "with the variants, limits and sandbox of the contest.",
)
@click.option(
    "--name",
    metavar="STUDENT",
    help="Name of the bot. Default: that of FILE, without ending.",
)
@click.option("--no-check", is_flag=True, help="Accept the bot without starting it.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--sandbox",
    metavar="none|limits|isolated|auto",
    help="The sandbox of the bot. Default: that of the contest.",
)
def submit(
    source: Path,
    place: Path,
    name: str | None,
    no_check: bool,
    full: bool,
    sandbox: str | None,
) -> None:
    """Submit a bot: a .py file, a .zip or a folder.

    If its bot.toml has a `build` command, that runs first, in the sandbox. The bot is checked as by
    `arena check`, then stored as the student's next version. Earlier versions are kept. A contest
    plays the newest.
    """
    contest = read_contest(place) if place.is_file() else Contest()
    if sandbox is not None:
        contest = override(contest, {"sandbox.level": sandbox})
    submissions = place
    if place.is_file():
        if contest.entrants.submissions is None:
            raise SettingsError(
                f"{place} has no folder of submissions; add `submissions` to [entrants]"
            )
        submissions = Path(contest.entrants.submissions)
    if name is None:
        name = source.stem if source.is_file() else source.resolve().name
    with incoming(source, name, submissions, contest.entrants.interpreters) as handed_in:
        equip(handed_in.bot, contest.packages)  # refuses before a build and a check
        if handed_in.build or not no_check:
            wanted = contest.sandbox
            readable = (*wanted.readable, *environments(contest.packages))
            chosen = choose(wanted.level, wanted.bounds, readable, notice)
            handed_in = handed_in.built(chosen)
            if not no_check:
                _check(equip(handed_in.bot, contest.packages), contest, chosen, full)
        version, is_new = keep(handed_in)
    accepted = f"is accepted as version {version.name}" if is_new else "is unchanged"
    say(f"{name} {accepted}: {version}")


def _check(bot: Entrant, contest: Contest, sandbox: SandboxSettings, full: bool) -> None:
    """Check a bot with the settings of the contest; raises `SubmissionError` if a check fails."""
    variants = chosen_variants(contest.variants, contest.games)
    console = terminal()
    for checked in check_bot(bot, variants, CheckSettings(contest.limits, sandbox)):
        print_checked(console, checked)
        if checked.failure:
            print_card(console, checked.failure, full=full)
        if checked.outcome == "failed":
            raise SubmissionError(
                f"{bot.name} is not accepted: it fails the check `{checked.name}`; fix the bot, "
                "test it with `arena check`, and submit it again"
            )
