"""`arena bench`: the speed of the arena on this machine, as a table."""

import tempfile
from pathlib import Path

import click

from arena.bench.bench import Figure, bench


@click.command("bench")
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Measurements of each figure; the median is printed.",
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=4_000,
    show_default=True,
    help="Games of each tournament that is timed.",
)
def bench_command(rounds: int, games: int) -> None:
    """Measure the speed of the arena on this machine. It takes some minutes."""
    click.echo(f"{'':44}{'':>12} {'':14}{'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for figure in bench(Path(folder), rounds, games):
            click.echo(line_of(figure))


def line_of(figure: Figure) -> str:
    """Return the line of the table for a figure."""
    against = "" if figure.ratio is None else f"{figure.ratio:6.2f} x {figure.reference}"
    value = f"{figure.value:12,.0f}" if figure.value >= 100 else f"{figure.value:12,.1f}"
    return f"{figure.what:44}{value} {figure.unit:14}{against}".rstrip()
