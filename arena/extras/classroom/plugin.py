"""Register the commands for teachers."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "init": ("init_command", "Create a folder for a new contest."),
    "grades": ("grades_command", "Print the results of all students in a run as CSV."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.classroom", COMMANDS)
