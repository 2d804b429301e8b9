"""`arena submit`: a student's bot is checked and put among the submissions of a contest."""

from pathlib import Path

import click

from arena.check.check import CheckSettings, check_bot
from arena.check.sandbox_probe import choose
from arena.commands.common import chosen_variants
from arena.contest.contest_file import read_contest
from arena.contest.settings import Contest, override
from arena.contest.submissions import incoming, keep
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
    help="The folder of the submissions; or the contest.toml that names it, then the bot is "
    "checked with the variants, limits and walls of the contest.",
)
@click.option(
    "--name", metavar="STUDENT", help="What the bot is called. Default: as FILE, without its end."
)
@click.option("--no-check", is_flag=True, help="Take it as it is, without starting it.")
@click.option("--full", is_flag=True, help="Print long lines and logs in full.")
@click.option(
    "--sandbox",
    metavar="none|limits|isolated|auto",
    help="The walls round the bot. Default: those of the contest.",
)
def submit(
    source: Path,
    place: Path,
    name: str | None,
    no_check: bool,
    full: bool,
    sandbox: str | None,
) -> None:
    """Hand in a bot: a .py file, a .zip or a folder.

    It is unpacked with care, checked as `arena check` does, and put among the submissions as the
    next version of the student's bot. The former versions stay; a contest plays the newest.
    """
    contest = read_contest(place) if place.is_file() else Contest()
    if sandbox is not None:
        contest = override(contest, {"sandbox.level": sandbox})
    submissions = place
    if place.is_file():
        if contest.entrants.submissions is None:
            raise SettingsError(f"{place} names no folder of submissions: add one to [entrants]")
        submissions = Path(contest.entrants.submissions)
    if name is None:
        name = source.stem if source.is_file() else source.resolve().name
    with incoming(source, name, submissions) as handed_in:
        if not no_check:
            _check(handed_in.bot, contest, full)
        version, is_new = keep(handed_in)
    taken = f"is taken as version {version.name}" if is_new else "was there already, unchanged"
    say(f"{name} {taken}: {version}")


def _check(bot: Entrant, contest: Contest, full: bool) -> None:
    """Check a bot as the contest will play it; raises `SubmissionError` if it is not fit for it."""
    around = contest.sandbox
    sandbox = choose(around.level, around.bounds, around.readable, notice)
    variants = chosen_variants(contest.variants, contest.games)
    console = terminal()
    for checked in check_bot(bot, variants, CheckSettings(contest.limits, sandbox)):
        print_checked(console, checked)
        if checked.failure:
            print_card(console, checked.failure, full=full)
        if checked.outcome == "failed":
            raise SubmissionError(
                f"{bot.name} is refused, and nothing has changed: it fails the check "
                f"`{checked.name}`; mend the bot, try it with `arena check`, and hand it in again"
            )
