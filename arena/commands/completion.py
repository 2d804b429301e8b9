"""`arena completion`: the script with which a shell completes commands of `arena`."""

import click
from click.shell_completion import get_completion_class

from arena.terminal.console import say_data

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_ARENA_COMPLETE"
"""The environment variable by which the script asks `arena` for completions."""


@click.command("completion")
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, variants, bots, runs and files in a shell.

    \b
    bash: add this line to ~/.bashrc:   eval "$(arena completion bash)"
    zsh:  add this line to ~/.zshrc:    eval "$(arena completion zsh)"
    fish: type this once:
          arena completion fish > ~/.config/fish/completions/arena.fish
    """
    kind = get_completion_class(shell)
    assert kind, "click has all of SHELLS"
    say_data(kind(context.find_root().command, {}, "arena", VARIABLE).source())
