"""What shells complete: variants, games, bots and runs; and `arena completion`, their script."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from arena.errors import ArenaError
from arena.terminal.console import say_data

Items = list[CompletionItem[str]]
SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_ARENA_COMPLETE"
"""The environment variable by which the script asks `arena` for completions."""


def starting(words: Iterable[str], incomplete: str, **more: str) -> Items:
    return [CompletionItem(word, **more) for word in words if word.startswith(incomplete)]


def _files(incomplete: str) -> Items:
    """Return the item with which a shell completes names of files."""
    return [CompletionItem(incomplete, type="file")]


def complete_variants(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the variants that begin with a word."""
    from engine import variants

    return starting(variants(), incomplete)


def complete_games(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the games that begin with a word."""
    from engine import variants

    return starting(dict.fromkeys([variant.game for variant in variants().values()]), incomplete)


def complete_bots(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the installed bots that begin with a word, and files."""
    return [*starting(_bot_names(), incomplete), *_files(incomplete)]


def complete_bot_lists(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
    """Return the installed bots that continue a list of bots, which commas separate."""
    before, comma, last = incomplete.rpartition(",")
    return starting([f"{before}{comma}{name}" for name in _bot_names()], f"{before}{comma}{last}")


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
    return starting(run_names(results), incomplete)


def complete_sources(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the runs that begin with a word, and files."""
    return [*complete_runs(context, parameter, incomplete), *_files(incomplete)]


@click.command("completion")
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script with which a shell completes words.

    \b
    bash: add this line to ~/.bashrc:   eval "$(arena completion bash)"
    zsh:  add this line to ~/.zshrc:    eval "$(arena completion zsh)"
    fish: type this once:
          arena completion fish > ~/.config/fish/completions/arena.fish
    """
    kind = get_completion_class(shell)
    assert kind, "click has all of SHELLS"
    say_data(kind(context.find_root().command, {}, "arena", VARIABLE).source())
