"""The registration of the commands about faults."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Bots": {
        "replay-fault": (
            "again_command",
            "Bring a bot to a fault again, and show what it does now.",
        ),
    },
    "Results": {
        "faults": ("faults_command", "Print the faults in a run by cause, with a report of each."),
        "logs": ("logs_command", "Print what a bot wrote to stderr in a run."),
        "rerun": ("again_command", "Play a game of a run again, and show the first difference."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.faults", COMMANDS)
