"""Register the commands of the contest server."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "roster": ("roster_command", "List submissions, copy submitted bots, and remove people."),
    "serve": ("command", "Serve a contest as a web site."),
    "backup": ("backup", "Back up a contest, even while it is in use."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.serve", COMMANDS)
