"""The registration of the commands for a class and its teacher."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "init": ("init_command", "Create the folder of a new contest, with a contest.toml."),
    "grades": ("grades_command", "Print a row for each student of a run, as CSV."),
}
"""By name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.classroom", COMMANDS)
