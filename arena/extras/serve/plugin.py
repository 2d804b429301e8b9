"""The registration of the contest server: commands, settings, and how bots are sent to one."""

from collections.abc import Iterable

from arena.extras.serve.serve_table import ServeTable, check_risk
from arena.plugins import ContestTable, RegisteredCommand, RemoteContest, hookimpl


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
            "Serve contests in browsers.",
        ),
        RegisteredCommand(
            "admin backup",
            "Contest",
            "arena.extras.serve.command:backup",
            "Copy the folder of a contest to a file, also while it is used.",
        ),
    ]


@hookimpl
def register_remote_contests() -> Iterable[RemoteContest]:
    """Return contest servers, by the schemes of their addresses."""
    submit = "arena.extras.serve.server_client:submit"
    return [RemoteContest(scheme, submit) for scheme in ("http", "https")]


@hookimpl
def register_contest_tables() -> Iterable[ContestTable]:
    """Return the table of a contest about its server."""
    return [ContestTable("serve", ServeTable, {"accepted_risk": check_risk})]
