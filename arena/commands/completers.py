"""What shell completion offers for arguments and options: variants, games, bots and runs."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from arena.errors import ArenaError

Items = list[CompletionItem[str]]
Completer = Callable[[click.Context, click.Parameter, str], Items]


def _starting(words: Iterable[str], incomplete: str, **more: str) -> Items:
    return [CompletionItem(word, **more) for word in words if word.startswith(incomplete)]


def _files(incomplete: str) -> Items:
    """Return the item with which a shell completes names of files."""
    return [CompletionItem(incomplete, type="file")]


def complete_variants(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the variants that begin with a word."""
    from engine import variants

    return _starting(variants(), incomplete)


def complete_games(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the games that begin with a word."""
    from engine import variants

    return _starting(dict.fromkeys([one.game for one in variants().values()]), incomplete)


def complete_bots(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the installed bots that begin with a word, and files."""
    return [*_starting(_bot_names(), incomplete), *_files(incomplete)]


def complete_bot_lists(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the installed bots that continue a list of bots, which commas separate."""
    before, comma, last = incomplete.rpartition(",")
    return _starting([f"{before}{comma}{name}" for name in _bot_names()], f"{before}{comma}{last}")


def _bot_names() -> list[str]:
    from arena.plugins import bots

    return list(bots())


def complete_runs(context: click.Context, _: click.Parameter, incomplete: str) -> Items:
    """Return the runs that begin with a word, those played last first."""
    from arena.tournament.runs import find_results, run_names

    try:
        results = context.params.get("results") or find_results()
    except ArenaError:  # a completion has no place for the reason
        return []
    return _starting(run_names(results), incomplete)


def complete_sources(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the runs that begin with a word, and files."""
    return [*complete_runs(context, parameter, incomplete), *_files(incomplete)]
