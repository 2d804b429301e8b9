"""`arena runs`: the runs of a contest or a folder of results."""

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from arena.commands.common import json_option, results_option, say_json
from arena.terminal.console import say, terminal
from arena.tournament.run_list import RunSummary, list_runs


@click.command("runs")
@json_option
@results_option
def runs(as_json: bool, results: Path) -> None:
    """List the runs of the contest or of `results`, those played last first.

    The first run that is not a comparison of two versions is the latest: the one that commands
    take when RUN is left out.
    """
    found = list_runs(results)
    if as_json:
        say_json(found)
    elif not found:
        say(f"there is no run in {results}: play one with `arena run`")
    else:
        terminal().print(_table(found))
        for one in found:
            if one.problem:
                say(f"{one.name} cannot be read: {one.problem}")


def _table(found: list[RunSummary]) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column("run", overflow="fold", min_width=12)
    table.add_column("state")
    table.add_column("games", justify="right", no_wrap=True)
    table.add_column("bots", justify="right", no_wrap=True)
    table.add_column("last played", no_wrap=True)
    for one in found:
        kind = "comparison, " if one.is_comparison else ""
        limit = "at most " if one.is_limit else ""
        is_done = one.state == "complete"
        games = str(one.games) if is_done else f"{one.games} of {limit}{one.games_to_play}"
        is_known = one.state != "unreadable"
        table.add_row(
            Text(one.name),
            kind + one.state,
            games if is_known else "-",
            str(one.bots) if is_known else "-",
            one.last_played[:16].replace("T", " "),
        )
    return table
