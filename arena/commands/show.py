"""`arena show`: the progress of a run."""

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.commands.common import open_source, results_option
from arena.contest.run_roster import Names
from arena.rating.certainty import Certificate
from arena.rating.certificate_texts import certainty_text
from arena.terminal.console import terminal
from arena.tournament.database import Database
from arena.tournament.finished_boards import board_of, finished
from arena.tournament.games import count_games, games_by_variant, games_to_play
from arena.tournament.run_names import names_of
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete, rank
from arena.tournament.store import Store

SPEED_SAMPLE_S = 1.0
"""Time over which the speed of a run under way is measured."""


@click.command("show")
@click.argument("source", metavar="RUN|FILE")
@results_option
def show(source: str, results: Path) -> None:
    """Print the progress of a run: games played and left, speed, faults.

    The games and faults of each bot are those of boards that are over.
    """
    with open_source(results, source) as store:
        settings = store.settings(Settings)
        console = terminal()
        console.print(Text(_progress(store, settings)))
        played: Counter[str] = Counter()
        games: Counter[str] = Counter()
        faults: Counter[str] = Counter()
        played.update(result.variant for result in store.results())
        for record in finished(store.results(), board_of, settings.boards_per_deal):
            games.update(record.entrants)
            faults.update(
                [
                    record.entrants[fault.seat]
                    for fault in record.faults
                    if fault.kind != "withdrawn"  # as the leaderboard counts them
                ]
            )
        certificates = {}
        if settings.stop_rule is not msgspec.UNSET:
            certificates = rank(store).certificate or {}
        _print_variants(console, settings, played, certificates)
        _print_bots(console, settings, names_of(store), games, faults)


def _progress(store: Database, settings: Settings) -> str:
    before, total = store.count(), games_to_play(settings)
    owner = store.owner() if isinstance(store, Store) else None
    if owner is None:
        state = "complete"
        if not is_complete(store):
            is_run = isinstance(store, Store)
            state = "stopped; the same command resumes it" if is_run else "exported under way"
        return f"{store.name}: {before} of {total}, {state}"
    began = time.monotonic()
    time.sleep(SPEED_SAMPLE_S)
    now = store.count()
    speed = (now - before) / (time.monotonic() - began)
    most = "" if settings.stop_rule is msgspec.UNSET else "at most "
    minutes = (count_games(settings) - now) / speed / 60 if speed else None
    left = "" if minutes is None else f", {most}{minutes:.1f} min left"
    return (
        f"{store.name}: {now} of {total}, under way in process {owner}, {speed:.0f} games/s{left}"
    )


def _print_variants(
    console: Console,
    settings: Settings,
    played: Counter[str],
    certificates: Mapping[str, Certificate],
) -> None:
    table = Table(box=None, header_style="bold")
    table.add_column("variant")
    for heading in ("bots", "played", "left"):
        table.add_column(heading, justify="right")
    if certificates:
        table.add_column("certain")
    for variant, (bots, games) in games_by_variant(settings).items():
        certificate = certificates.get(variant)
        left = 0 if certificate and certificate.is_certain else games - played[variant]
        certainty = [Text(certainty_text(certificate))] if certificate else []
        table.add_row(variant, str(bots), str(played[variant]), str(left), *certainty)
    console.print(table)


def _print_bots(
    console: Console,
    settings: Settings,
    names: Names,
    games: Counter[str],
    faults: Counter[str],
) -> None:
    table = Table(box=None, header_style="bold")
    table.add_column("bot")
    table.add_column("author")
    for heading in ("games", "faults"):
        table.add_column(heading, justify="right")
    for entrant in settings.entrants:
        name = entrant.name
        if name in settings.dropped_bots:
            continue
        author = Text(entrant.author)
        table.add_row(Text(names.shown(name)), author, str(games[name]), str(faults[name]))
    console.print(table)
