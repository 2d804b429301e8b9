"""The registration of the commands about faults."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl

COMMANDS = {
    "replay-fault": ("Bots", "again_command:replay_fault_command",
                     "Bring a bot to a fault again, and show what it does now."),
    "faults": ("Results", "faults_command:faults_command",
               "Print the faults in a run by cause, with a report of each."),
    "logs": ("Results", "logs_command:logs_command",
             "Print what a bot wrote to stderr in a run."),
    "rerun": ("Results", "again_command:rerun_command",
              "Play a game of a run again, and show the first difference."),
}  # fmt: skip
"""By name: the section of a command, its function, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(name, section, f"arena.extras.faults.{function}", summary)
        for name, (section, function, summary) in COMMANDS.items()
    ]
