"""`arena games` and `arena bots`: the installed games and bots."""

import click
import msgspec

from arena.commands.common import json_option, say_json
from arena.plugins import bots
from arena.terminal.columns import Column, plain_table
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
    teams = [" ".join("+".join(map(str, team)) for team in one.teams or ()) for one in listed]
    columns = [
        Column("variant", [one.variant for one in listed], kind="word"),
        Column("seats", [str(one.seats) for one in listed], 1),
        Column("teams", [text or "-" for text in teams], 2, "word"),
    ]
    console = terminal()
    console.print(plain_table(columns, console.width))


@click.command("bots")
@json_option
def list_bots(as_json: bool) -> None:
    """List the installed bots, which are entered by name."""
    listed = [ListedBot(one.name, one.quick, one.games, one.summary) for one in bots().values()]
    if as_json:
        say_json(listed)
        return
    columns = [
        Column("bot", [one.bot for one in listed], kind="word"),
        Column("quick", ["yes" if one.quick else "-" for one in listed], 2, "word"),
        Column("how it plays", [one.summary for one in listed], 1, kind="text"),
    ]
    console = terminal()
    console.print(plain_table(columns, console.width))
