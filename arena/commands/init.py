"""`arena init`: the folder of a new contest."""

import secrets
import shlex
from pathlib import Path

import click

from arena.contest.contest_file import CONTEST_FILE
from arena.contest.new_contest import make_contest
from arena.terminal.console import say


@click.command("init")
@click.argument(
    "folder", metavar="[FOLDER]", default=".", type=click.Path(file_okay=False, path_type=Path)
)
def init(folder: Path) -> None:
    """Create the folder of a new contest, with a commented contest.toml."""
    for made in make_contest(folder, secrets.randbelow(2**32)):
        say(str(made))
    contest = shlex.quote(str(folder / CONTEST_FILE))
    say(f"submit a bot: arena submit my_bot.py --to {contest} --name STUDENT")
    say(f"play the contest: arena run {contest}")
