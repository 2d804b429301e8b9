"""`arena submit`: a student's bot is checked and put among the submissions of a contest."""

from pathlib import Path

import click

from arena.commands.common import notice, sandbox_option
from arena.entrants import introduce
from arena.protocol import Limits
from arena.sandbox.contract import Bounds
from arena.sandbox.probe import choose
from arena.submissions import incoming, keep


@click.command("submit")
@click.argument("source", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "submissions",
    metavar="FOLDER",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the submissions.",
)
@click.option(
    "--name", metavar="STUDENT", help="What the bot is called. Default: as FILE, without its end."
)
@click.option("--no-check", is_flag=True, help="Take it as it is, without starting it.")
@sandbox_option
def submit(source: Path, submissions: Path, name: str | None, no_check: bool, sandbox: str) -> None:
    """Hand in a bot: a .py file, a .zip or a folder.

    It is unpacked with care, checked, and put into FOLDER as the next version of the student's bot.
    The former versions stay; a contest plays the newest.
    """
    if name is None:
        name = source.stem if source.is_file() else source.resolve().name
    with incoming(source, name, submissions) as handed_in:
        if not no_check:
            walls = choose(sandbox, Bounds(), (), notice)
            introduce([handed_in.bot], Limits(), walls)
        place, is_new = keep(handed_in)
    if is_new:
        click.echo(f"{name}: taken as version {place.name}, in {place}")
    else:
        click.echo(f"{name}: nothing has changed since version {place.name}, in {place}")
