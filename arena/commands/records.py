"""`arena export` and `arena verify`: export and verification of game records."""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from arena.commands.common import open_run, results_option
from arena.errors import ArenaError, StoreError
from arena.record import GameRecord, read_record
from arena.terminal.console import notice, say, say_data
from arena.tournament.finished_boards import board_in, finished
from arena.tournament.games import scheduled_games
from arena.tournament.settings import Settings
from arena.tournament.verify import Difference, verify, verify_schedule


@click.command()
@click.argument("run_name", metavar="RUN")
@results_option
def export(run_name: str, results: Path) -> None:
    """Print the game records of a run as JSON lines, in schedule order.

    Of a run under way, only boards that are over are printed: bots still meet the other deals.
    """
    with open_run(results, run_name) as store, store.snapshot():
        printed = 0
        for record in finished(store.raw_records(), board_in):
            say_data(f"{record.decode()}\n")
            printed += 1
        if left_out := store.count() - printed:
            notice(f"{left_out} games of boards that are not over are left out")


@click.command("verify")
@click.argument("source", metavar="RUN|FILE")
@results_option
def verify_command(source: str, results: Path) -> None:
    """Replay all records of a run or file, and report each difference.

    A file has JSON lines as `arena export` prints them. If its name ends with .gz, it is unpacked
    first, as for the file of a published site.
    """
    path = Path(source)
    differences: list[Difference] = []
    if os.path.exists(path) and not os.path.isdir(path):  # pipes count as files
        games = _verify_each(_read_file(path), differences)
    else:
        with open_run(results, source) as store:
            games = _verify_each(store.records(), differences)
            schedule = scheduled_games(store.settings(Settings))
            differences += verify_schedule(store.records(), schedule)
    for difference in differences:
        say(str(difference))
    if differences:
        wrong = len({difference.game for difference in differences})
        raise ArenaError(f"{wrong} of {games} games differ from their records")
    if not games:
        raise ArenaError(f"{source} has no games")
    say(f"{games} games match their records")


def _verify_each(records: Iterable[GameRecord], differences: list[Difference]) -> int:
    """Verify each record, add its `differences`, and return the number of records."""
    keys: set[str] = set()
    games = 0
    for record in records:
        games += 1
        differences += verify(record)
        if record.key in keys:
            differences.append(Difference(record.title, None, "the game occurs twice"))
        keys.add(record.key)
    return games


def _read_file(path: Path) -> Iterator[GameRecord]:
    number = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            for line in lines:
                number += 1
                if line.strip():
                    yield read_record(line)
    except (EOFError, OSError, zlib.error) as error:
        raise StoreError(f"cannot read {path} after line {number}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"{path}, line {number}: expected a game record as printed by `arena export`: {error}"
        ) from None
