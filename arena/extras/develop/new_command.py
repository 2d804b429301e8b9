"""`arena new`: create a folder for a new bot or a new game."""

import shlex
from pathlib import Path

import click

from arena.base.errors import BotError, SettingsError
from arena.commands.common import refuse_given
from arena.contest.roster import display_name, safe_id
from arena.contest.settings import checked_bot_name, chosen_variants
from arena.extras.develop.bot_template import (
    LANGUAGE_MODEL,
    LANGUAGES,
    build_command,
    make_bot,
)
from arena.extras.develop.game_template import make_game
from arena.plugins import bots
from arena.terminal.console import say
from engine import get_variant


@click.command("new")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(["bot", "game"]),
    default="bot",
    show_default=True,
    help="What to create. A new game includes rules, a test and a bot.",
)
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], show_default=True)
@click.option(
    "--game", default="pot-de-vin", show_default=True, help="The game that the bot's test plays."
)
@click.option("--llm", is_flag=True, help="Make a bot that asks a language model.")
@click.pass_context
def new_command(
    context: click.Context,
    folder: Path,
    kind: str,
    language: str,
    game: str,
    llm: bool,
) -> None:
    """Create a folder for a new bot or a new game.

    The folder includes a test.
    """
    if kind == "game":
        refuse_given(context, ("language", "game", "llm"), "is for a bot: leave it out")
        for file in make_game(folder):
            say(str(file))
        say(f"install it: `pip install pytest {folder.resolve()}`")
        say(f"test it: `python -m pytest {folder}`")
        say(f"play it: `arena play --variant {folder.resolve().name}/2`")
        return
    template = LANGUAGE_MODEL if llm else language
    variant = get_variant(chosen_variants((), (game,))[0])
    shown = display_name(folder.resolve().name)
    try:
        name = checked_bot_name(shown)
    except BotError:
        name = safe_id(shown)
    if name in bots():
        raise SettingsError(
            f"{name} is the name of an installed bot, which commands would play instead: choose "
            "another name"
        )
    for file in make_bot(folder, name, template, variant):
        say(str(file))
    build = build_command(folder)
    if build:
        say(f"build it first: `cd {shlex.quote(str(folder))} && {build} && cd -`")
    bot = shlex.quote(str(folder))
    say(f"check it: `arena check {bot} --game {variant.game}`")
    say(f"try it: `arena try {bot} --variant {variant.id}`")
    if name != shown:
        say(f"the bot's name is {name}; if it is submitted, leaderboards show the name {shown}")
