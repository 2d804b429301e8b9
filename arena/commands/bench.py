"""`arena bench`: how fast the arena is on this machine, as a table."""

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
    help="Everything is measured so many times; figures are medians.",
)
@click.option(
    "--games",
    type=click.IntRange(min=4),
    default=4_000,
    show_default=True,
    help="Games of each whole run.",
)
def bench_command(rounds: int, games: int) -> None:
    """Measure how fast the arena is on this machine; it takes some minutes."""
    click.echo(f"{'':44}{'':>12} {'':14}{'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for what, value, unit, ratio, compared in bench(Path(folder), rounds, games):
            against = "" if ratio is None else f"{ratio:6.2f} x {compared}"
            figure = f"{value:12,.0f}" if value >= 100 else f"{value:12,.1f}"
            click.echo(f"{what:44}{figure} {unit:14}{against}".rstrip())
