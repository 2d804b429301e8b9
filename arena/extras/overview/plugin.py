"""The registration of the commands that list games, bots and runs."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Bots": {
        "bots": ("lists_command", "List the installed bots, which are entered by name."),
        "games": ("lists_command", "List the games and their variants."),
    },
    "Results": {
        "runs": ("lists_command", "List runs, those played last first, or delete some."),
        "show": ("show_command", "Print the progress of a run, and what it is."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.overview", COMMANDS)
