"""`arena bench`: the speed of the arena on this machine, as a table."""

import tempfile
from pathlib import Path

import click

from arena.bench.bench import bench


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
        for what, value, unit, ratio, reference in bench(Path(folder), rounds, games):
            against = "" if ratio is None else f"{ratio:6.2f} x {reference}"
            figure = f"{value:12,.0f}" if value >= 100 else f"{value:12,.1f}"
            click.echo(f"{what:44}{figure} {unit:14}{against}".rstrip())
