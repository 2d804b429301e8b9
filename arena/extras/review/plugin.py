"""The registration of the command about reviews."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Results": {
        "review": ("review_command", "Find the decisions of a bot that lost it a game."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.review", COMMANDS)
