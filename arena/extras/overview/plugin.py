"""Register the commands that list games, bots and runs."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "games": ("lists_command", "List all games, their variants, and the installed bots."),
    "runs": ("lists_command", "List runs, most recently played first."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.overview", COMMANDS)
