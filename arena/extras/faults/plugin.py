"""The registration of the commands about faults."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Bots": {
        "debug": (
            "debug_command",
            "Step through a game of a bot, or bring bots to a fault or a game of a run again.",
        ),
    },
    "Results": {
        "faults": ("faults_command", "Print the faults in a run by cause, with a report of each."),
        "logs": ("logs_command", "Print what a bot wrote to stderr in a run."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.faults", COMMANDS)
