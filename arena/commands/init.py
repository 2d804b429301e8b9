"""`arena init`: the folder of a new contest."""

import shlex
from pathlib import Path

import click

from arena.contest.github_workflows import add_contest_workflow
from arena.contest.new_contest import make_contest
from arena.contest.secret_file import draw_secret
from arena.terminal.console import say


@click.command("init")
@click.argument(
    "folder", metavar="[FOLDER]", default=".", type=click.Path(file_okay=False, path_type=Path)
)
@click.option(
    "--github",
    is_flag=True,
    help="Add a workflow of GitHub Actions that plays the contest at night and publishes its site.",
)
def init(folder: Path, github: bool) -> None:
    """Create the folder of a new contest, with a commented contest.toml.

    All deals follow from the secret in its secret.txt, which only you may read.
    """
    for made in make_contest(folder, draw_secret()):
        say(str(made))
    if github:
        say(f"{add_contest_workflow(folder)}  (its first lines say what it needs)")
    contest = shlex.quote(str(folder))
    say(f"submit a bot: arena submit my_bot.py --to {contest} --name STUDENT")
    say(f"play the contest: arena run {contest}")
