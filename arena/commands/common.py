"""What the commands have in common: the folder of all runs, the sandbox, and the terminal."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from tqdm import tqdm

from arena.contest import Contest, check_game, checked_run_name
from arena.errors import StoreError
from arena.protocol import printable
from arena.sandbox.probe import AUTO
from arena.store import DATABASE, Store
from engine import get_variant, variants

PLAIN_WIDTH = 100
"""Columns of what is printed when nobody says how wide the terminal is."""

DEFAULT_RESULTS = Path(Contest().results)

results_option = click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=DEFAULT_RESULTS,
    show_default=True,
    help="The folder of all runs.",
)

sandbox_option = click.option(
    "--sandbox",
    metavar="none|limits|isolated|auto",
    default=AUTO,
    show_default=True,
    help="The walls round the bots; `auto` takes the strongest that holds here, and says which.",
)

readable_option = click.option(
    "--readable",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="What the bot may read in the sandbox `isolated`; may be repeated.",
)


def run_folder(results: Path, name: str) -> Path:
    """Return the folder of a run of this name; raises `SettingsError` if it can't be one."""
    return results / checked_run_name(name)


def open_run(results: Path, name: str) -> Store:
    """Open a run by its name, or by the path of its folder, to read it."""
    if os.sep in name:
        folder = Path(name)
        results = folder.parent
    else:
        folder = run_folder(results, name)
    if not (folder / DATABASE).is_file():
        runs = sorted([one.parent.name for one in results.glob(f"*/{DATABASE}")])
        raise StoreError(
            f"no run {folder.name!r} in {results}: "
            + (f"there are {', '.join(runs)}" if runs else "play one with `arena run`")
        )
    return Store.open(folder)


class _Escaped:
    """Something to be printed, in which what would steer a terminal is escaped."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for text, style, control in console.render(self._renderable, options):
            yield Segment(text if control else printable(text), style, control)


class _Escaping(RenderHook):
    """Escapes all that is printed: names, notes and logs come from strangers, who may know Rich."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Escaped(one) for one in renderables]


def terminal() -> Console:
    """Return what is printed on; nothing that is printed there steers it but our own styles."""
    has_width = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console() if has_width else Console(width=PLAIN_WIDTH)
    console.push_render_hook(_Escaping())
    return console


def say(text: str) -> None:
    """Print a line of the result, in which what would steer a terminal is escaped."""
    click.echo(printable(text))


def say_data(text: str) -> None:
    """Print what is for programs: as it is, but for a terminal as `say` does."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def notice(text: str) -> None:
    """Tell the person at the terminal, also above a progress bar."""
    tqdm.write(printable(text), file=sys.stderr)


def warning(text: str) -> None:
    """Tell the person at the terminal what should not be missed."""
    text = printable(text)
    tqdm.write(click.style(text, "red", bold=True) if sys.stderr.isatty() else text, sys.stderr)


def chosen_variants(variant_ids: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of these variants and of all of these games; of neither stands for all."""
    known = variants()
    for game in games:
        check_game(game)
    chosen = [get_variant(one).id for one in variant_ids]
    chosen += [one.id for one in known.values() if one.game in games]
    return tuple(dict.fromkeys(chosen or known))


def read_key() -> str | None:
    """Return what the person at the terminal types, or None when there is nothing more."""
    try:
        return input("> ").strip()
    except EOFError:
        return None
