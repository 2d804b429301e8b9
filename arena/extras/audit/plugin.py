"""The registration of `arena audit`."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Results": {
        "audit": ("audit_command", "Look for collusion in a run, and for copies among its bots."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.audit", COMMANDS)
