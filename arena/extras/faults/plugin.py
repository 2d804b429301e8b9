"""Register the commands for faults."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "debug": ("debug_command", "Debug a bot in a new or recorded game."),
    "logs": ("logs_command", "Print a run's faults and a bot's stderr output."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.faults", COMMANDS)
