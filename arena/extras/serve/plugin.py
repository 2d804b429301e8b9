"""The registration of the commands of the contest server."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(
            "roster",
            "Contest",
            "arena.extras.serve.roster_command:roster",
            "List and change the people of a contest that `arena serve` shows.",
        ),
        RegisteredCommand(
            "serve",
            "Contest",
            "arena.extras.serve.command:serve_command",
            "Serve a contest: students hand in bots and watch the ladder in their browsers.",
        ),
        RegisteredCommand(
            "backup",
            "Contest",
            "arena.extras.serve.command:backup",
            "Copy the whole folder of a contest to a file, also while a server or a run uses it.",
        ),
    ]
