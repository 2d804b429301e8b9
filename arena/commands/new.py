"""`arena new`: the folder of a new bot."""

from pathlib import Path

import click

from arena.commands.common import chosen_variants
from arena.contest.entrants import checked_name
from arena.contest.new_bot import LANGUAGES, make_bot
from arena.terminal.console import say
from engine import get_variant


@click.command("new")
@click.argument("folder", metavar="MY_BOT", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True)
@click.option(
    "--game", default="pot-de-vin", show_default=True, help="The game that the bot's test plays."
)
def new_bot(folder: Path, language: str, game: str) -> None:
    """Create the folder of a new bot that plays any legal action, with a test."""
    variant = get_variant(chosen_variants((), (game,))[0])
    name = checked_name(folder.name)
    made = make_bot(folder, name, language, variant)
    for file in made:
        say(str(folder / file))
    if "Makefile" in made:
        say(f"build it first: make -C {folder}")
    say(f"check it: arena check {folder} --game {game}")
    say(f"try it: arena try {folder} --variant {variant.id}")
