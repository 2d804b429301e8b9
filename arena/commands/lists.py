"""`arena games` and `arena bots`: the installed games and bots."""

import click
import msgspec
from rich.table import Table
from rich.text import Text

from arena.commands.common import json_option, say_json
from arena.plugins import bots
from arena.terminal.console import terminal
from engine import variants


class ListedVariant(msgspec.Struct, frozen=True):
    """An installed variant."""

    variant: str
    game: str
    seats: int
    teams: tuple[tuple[int, ...], ...] | None
    """The seats of each team; None when each seat plays alone."""


class ListedBot(msgspec.Struct, frozen=True):
    """An installed bot."""

    bot: str
    quick: bool
    """Whether it is one of `quick`."""
    games: tuple[str, ...]
    """The games that it plays; empty if it plays all."""
    summary: str


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games and their variants."""
    listed = [ListedVariant(one.id, one.game, one.seats, one.teams) for one in variants().values()]
    if as_json:
        say_json(listed)
        return
    table = _list_table("variant", "seats", "teams")
    for one in listed:
        teams = " ".join("+".join(map(str, team)) for team in one.teams or ())
        table.add_row(one.variant, str(one.seats), teams or "-")
    terminal().print(table)


@click.command("bots")
@json_option
def list_bots(as_json: bool) -> None:
    """List the installed bots, which are entered by name."""
    if as_json:
        say_json(
            [ListedBot(one.name, one.quick, one.games, one.summary) for one in bots().values()]
        )
        return
    table = _list_table("bot", "quick", "how it plays")
    for bot in bots().values():
        table.add_row(Text(bot.name), "yes" if bot.quick else "-", Text(bot.summary))
    terminal().print(table)


def _list_table(first: str, *headings: str) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column(first, no_wrap=True)
    for heading in headings:
        table.add_column(heading)
    return table
