"""`arena show`: the progress of a run."""

import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from rich.table import Table
from rich.text import Text

from arena.commands.common import (
    json_option,
    open_source,
    results_option,
    say_json,
    source_argument,
)
from arena.terminal.console import say, terminal
from arena.tournament.database import Database
from arena.tournament.run_progress import BotProgress, RunProgress, VariantProgress, progress_of

SPEED_SAMPLE_S = 1.0
"""Time over which the speed of a run under way is measured."""
STATES = {
    "stopped": "stopped; the same command resumes it",
    "exported": "exported under way",
}


@click.command("show")
@source_argument
@json_option
@results_option
def show(source: str, as_json: bool, results: Path) -> None:
    """Print the progress of a run: games played and left, speed, faults.

    The games and faults of each bot are those of boards that are over.
    """
    with open_source(results, source) as store:
        progress = progress_of(store)
        if progress.process is not None:
            progress = msgspec.structs.replace(progress, games_per_s=_speed(store))
    if as_json:
        say_json(progress)
        return
    say(_headline(progress))
    console = terminal()
    console.print(_variants(progress.variants))
    console.print(_bots(progress.bots))


def _speed(store: Database) -> float:
    """Return the speed of a run under way, in games a second."""
    before, began = store.count(), time.monotonic()
    time.sleep(SPEED_SAMPLE_S)
    return (store.count() - before) / (time.monotonic() - began)


def _headline(progress: RunProgress) -> str:
    most = "at most " if progress.is_limit else ""
    text = f"{progress.run}: {progress.games} of {most}{progress.games_to_play} games"
    if progress.games_per_s is None:
        return f"{text}, {STATES.get(progress.state, progress.state)}"
    text += f", under way in process {progress.process}, {progress.games_per_s:.0f} games/s"
    if not progress.games_per_s:
        return text
    minutes = sum([one.left for one in progress.variants]) / progress.games_per_s / 60
    return f"{text}, {most}{minutes:.1f} min left"


def _variants(variants: Sequence[VariantProgress]) -> Table:
    has_certainty = any(one.certain for one in variants)
    table = Table(box=None, header_style="bold")
    table.add_column("variant", no_wrap=True)
    for heading in ("bots", "played", "left"):
        table.add_column(heading, justify="right", no_wrap=True)
    if has_certainty:
        table.add_column("certain")
    for one in variants:
        certainty = [Text(one.certain)] if has_certainty else []
        table.add_row(one.variant, str(one.bots), str(one.played), str(one.left), *certainty)
    return table


def _bots(bots: Sequence[BotProgress]) -> Table:
    has_authors = any(one.author for one in bots)
    table = Table(box=None, header_style="bold")
    table.add_column("bot", min_width=12, overflow="fold")
    if has_authors:
        table.add_column("author", overflow="fold")
    for heading in ("games", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in bots:
        author = [Text(one.author)] if has_authors else []
        table.add_row(Text(one.bot), *author, str(one.games), str(one.faults))
    return table
