"""The registration of `arena audit`."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(
            "audit",
            "Results",
            "arena.extras.audit.audit_command:audit_command",
            "Look for collusion in a run, and for copies among its bots.",
        )
    ]
