"""`arena init`: the folder of a contest to begin with."""

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
    """Make the folder of a new contest: a commented contest.toml, and a place for submissions."""
    for made in make_contest(folder, secrets.randbelow(2**32)):
        say(str(made))
    contest = shlex.quote(str(folder / CONTEST_FILE))
    say(f"hand in a bot: arena submit my_bot.py --to {contest} --name STUDENT")
    say(f"play it: arena run {contest}")
