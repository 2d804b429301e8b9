"""`arena games` and `arena bots`: the installed games and bots."""

import click
from rich.table import Table
from rich.text import Text

from arena.plugins import bots
from arena.terminal.console import terminal
from engine import variants


@click.command()
def games() -> None:
    """List the games and their variants."""
    table = _list_table("variant", "seats", "teams")
    for variant in variants().values():
        teams = " ".join("+".join(map(str, team)) for team in variant.teams or ())
        table.add_row(variant.id, str(variant.seats), teams or "-")
    terminal().print(table)


@click.command("bots")
def list_bots() -> None:
    """List the installed bots, which are entered by name."""
    table = _list_table("bot", "quick", "how it plays")
    for bot in bots().values():
        table.add_row(Text(bot.name), "yes" if bot.quick else "-", Text(bot.summary))
    terminal().print(table)


def _list_table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table
