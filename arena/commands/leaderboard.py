"""`arena leaderboard`: the leaderboard of a run."""

from collections.abc import Sequence
from pathlib import Path

import click

from arena.commands.common import open_source, results_option
from arena.errors import SettingsError
from arena.rating.export import as_csv, as_json, pairs_as_csv, pairs_as_json
from arena.terminal.console import say_data, terminal
from arena.terminal.leaderboard_table import print_leaderboard, print_pairs
from arena.tournament.database import Database
from arena.tournament.run_names import named_board, named_pairs, names_of
from arena.tournament.settings import Settings
from arena.tournament.standings import compare, rank


@click.command()
@click.argument("source", metavar="RUN|FILE")
@click.option(
    "--variant",
    "variant_ids",
    multiple=True,
    metavar="ID",
    help="Count only this variant; may be repeated.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    help="Count only the variants of this game; may be repeated.",
)
@click.option(
    "--matrix", is_flag=True, help="Print the results of each bot against each other instead."
)
@click.option("--json", "form", flag_value="json", help="Print JSON, with all digits.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV, with all digits.")
@results_option
def leaderboard(
    source: str,
    variant_ids: Sequence[str],
    games: Sequence[str],
    matrix: bool,
    form: str | None,
    results: Path,
) -> None:
    """Print the leaderboard of a run, computed from its records."""
    with open_source(results, source) as store:
        chosen = _played_variants(store, variant_ids, games)
        names = names_of(store)
        if matrix:
            pairs = compare(store, chosen)
            if form is None:
                shown = [names.shown(row.bot) for row in rank(store, chosen).overall]
                print_pairs(named_pairs(pairs, names), shown, terminal())
            else:
                text = pairs_as_json(pairs) if form == "json" else pairs_as_csv(pairs)
                say_data(text)
        else:
            board = rank(store, chosen)
            if form is None:
                print_leaderboard(named_board(board, names), terminal())
            else:
                say_data(as_json(board) if form == "json" else as_csv(board))


def _played_variants(
    store: Database, variant_ids: Sequence[str], games: Sequence[str]
) -> tuple[str, ...]:
    """Return the selected variants of a run; none selects all."""
    played = store.settings(Settings).variants
    for game in games:
        if not any(one.startswith(f"{game}/") for one in played):
            raise SettingsError(
                f"the run has no game {game!r}; its variants are {', '.join(played)}"
            )
    return (*variant_ids, *[one for one in played if one.partition("/")[0] in games])
