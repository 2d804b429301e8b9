"""`arena leaderboard`: print the leaderboard of a run."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from arena.base.errors import SettingsError
from arena.base.protocol import indented
from arena.commands.common import (
    full_option,
    games_option,
    json_option,
    open_source,
    results_option,
    source_argument,
    variants_option,
)
from arena.rating import leaderboard_files as files
from arena.rating.leaderboard_files import pairs_as_csv
from arena.terminal.console import say, say_data, terminal
from arena.terminal.leaderboard_table import print_leaderboard, print_pairs
from arena.terminal.run_report import print_run
from arena.tournament.database import Database
from arena.tournament.display_names import names_of, with_names
from arena.tournament.run_progress import progress_of
from arena.tournament.standings import compare, rank, unfinished_text
from engine.errors import unknown


@click.command("leaderboard")
@source_argument
@variants_option("Rank bots only by this variant. Repeat the option to add more variants.")
@games_option("Rank bots only by this game. Repeat the option to add more games.")
@click.option("--matrix", is_flag=True, help="Print head-to-head results instead.")
@full_option
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, unrounded.")
@results_option
def leaderboard_command(
    source: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    matrix: bool,
    full: bool,
    as_json: bool,
    as_csv: bool,
    results: Path,
) -> None:
    """Print the leaderboard of a run.

    `--all` adds a table for each variant and the run's progress, secret hash, sandbox and
    digest. JSON and CSV output always includes a table for each variant.
    """
    if as_json and as_csv:
        raise click.UsageError("got --json and --csv, expected one of them")
    with open_source(results, source) as store:
        chosen = _played_variants(store, variant_ids, games)
        names = names_of(store)
        if matrix:
            pairs = compare(store, chosen)
            if not (as_json or as_csv):
                shown = [names.shown(row.bot) for row in rank(store, chosen).first_rows]
                print_pairs(with_names(pairs, names), shown, terminal())
            else:
                say_data(indented(pairs) if as_json else pairs_as_csv(pairs))
        else:
            board = rank(store, chosen)
            if as_csv:
                say_data(files.as_csv(board))
            elif as_json and full:
                run = {"run": progress_of(store)}
                say_data(indented(msgspec.json.decode(files.as_json(board)) | run))
            elif as_json:
                say_data(files.as_json(board))
            else:
                if full:
                    print_run(store)
                    say("")
                shown_board, unfinished = with_names(board, names), unfinished_text(store)
                print_leaderboard(shown_board, terminal(), full=full, unfinished=unfinished)


def _played_variants(
    store: Database, variant_ids: Sequence[str], games: Sequence[str]
) -> tuple[str, ...]:
    played = store.settings().variants
    known = dict.fromkeys([variant.partition("/")[0] for variant in played])
    for game in games:
        if game not in known:
            raise SettingsError(unknown("game of the run", game, known))
    return (*variant_ids, *[variant for variant in played if variant.partition("/")[0] in games])
