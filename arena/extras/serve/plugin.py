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
            "Print who has handed in; list and change the people.",
        ),
        RegisteredCommand(
            "serve",
            "Contest",
            "arena.extras.serve.command:serve_command",
            "Serve a contest in browsers.",
        ),
        RegisteredCommand(
            "admin backup",
            "Contest",
            "arena.extras.serve.command:backup",
            "Copy the folder of a contest to a file, also while it is used.",
        ),
    ]
