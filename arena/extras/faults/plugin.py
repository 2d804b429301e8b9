"""Register the commands for faults."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "debug": ("debug_command", "Play a game, also a recorded one, with a bot in a debugger."),
    "logs": ("logs_command", "Print the faults in a run by cause, and what a bot has logged."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.faults", COMMANDS)
