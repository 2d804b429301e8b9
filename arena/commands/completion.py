"""Shell completion for the names of variants, games, bots and runs."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from arena.base.errors import ArenaError
from arena.plugins import bots
from arena.tournament.runs import find_results, run_names
from engine.plugins import all_variants

Items = list[CompletionItem[str]]
Completion = Callable[[click.Context, click.Parameter, str], Items]


def starting(words: Iterable[str], incomplete: str, **more: str) -> Items:
    return [CompletionItem(word, **more) for word in words if word.startswith(incomplete)]


def _files(incomplete: str) -> Items:
    return [CompletionItem(incomplete, type="file")]


def _completing(words: Callable[[], Iterable[str]], *, or_files: bool = False) -> Completion:
    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
        return [*starting(words(), incomplete), *(_files(incomplete) if or_files else [])]

    return complete


complete_variants = _completing(all_variants)
complete_games = _completing(lambda: dict.fromkeys([each.game for each in all_variants().values()]))
complete_bots = _completing(bots, or_files=True)


def complete_bot_lists(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    before, comma, last = incomplete.rpartition(",")
    return starting([f"{before}{comma}{name}" for name in bots()], f"{before}{comma}{last}")


def complete_runs(context: click.Context, _: click.Parameter, incomplete: str) -> Items:
    try:
        results = context.params.get("results") or find_results()
    except ArenaError:  # a completion can't show the reason
        return []
    return starting(run_names(results), incomplete)


def complete_sources(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    return [*complete_runs(context, parameter, incomplete), *_files(incomplete)]
