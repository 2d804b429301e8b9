"""`arena export`: the game records of a run, for other programs."""

from pathlib import Path
from pkgutil import resolve_name

import click

from arena import interface
from arena.commands.common import open_source, results_option, source_argument
from arena.plugins import export_formats
from arena.terminal.console import notice, say, say_data
from arena.tournament.export import export_lines


@click.command("export")
@source_argument
@click.option("--format", "format_name", help="The format of `--to`: `parquet` or `sqlite`.")
@click.option(
    "--to", "target", metavar="PATH", type=click.Path(path_type=Path),
    help="The new file of SQLite, or the folder of the Parquet files.",
)  # fmt: skip
@results_option
def export_command(
    source: str, format_name: str | None, target: Path | None, results: Path
) -> None:
    """Print the game records of a run as JSON lines.

    The first line is a header with the digest and the settings of the run. Of a run under way, only
    boards that are over are printed: bots still meet the other deals.

    With `--format`, write tables to `--to` instead, with a row for each seat of a game and for each
    decision.
    """
    if format_name is not None:
        _export_tables(format_name, target, source, results)
        return
    if target is not None:
        raise click.UsageError("`--to` needs a `--format`")
    with open_source(results, source) as store, store.snapshot():
        printed = -1  # the header
        for line in export_lines(store):
            say_data(f"{line.decode()}\n")
            printed += 1
        if left_out := store.count() - printed:
            notice(f"{left_out} games of boards that are not over are left out")


def _export_tables(name: str, target: Path | None, source: str, results: Path) -> None:
    write = export_formats.named(name).write
    if target is None:
        raise click.UsageError(f"`--format {name}` needs `--to PATH`")
    rows = resolve_name(write)(interface.open_run(source, results), target)
    say(f"{target}: {rows} rows")
