"""The registration of the commands that list games, bots and runs."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "games": ("lists_command", "List the games with their variants, and the installed bots."),
    "runs": ("lists_command", "List runs, those played last first, or delete some."),
}
"""By name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.overview", COMMANDS)
