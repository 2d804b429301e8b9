"""`arena packages`: wheels of the packages that submissions may require."""

from pathlib import Path

import click

from arena.contest.contest_file import read_contest
from arena.contest.packages import prepare_wheels
from arena.terminal.console import say


@click.command("packages")
@click.argument(
    "contest_file", metavar="CONTEST", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
def packages(contest_file: Path) -> None:
    """Fetch the packages that submissions of a contest may require.

    These are the packages in `[packages] allow` of the contest file, with all that they need, as
    wheels. Only this command needs a network.
    """
    for wheel in prepare_wheels(read_contest(contest_file).packages):
        say(wheel)
