"""Registers the commands of the contest server."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "roster": ("roster_command", "Show who has submitted; list and change people."),
    "serve": ("command", "Serve a contest in browsers."),
    "backup": ("backup", "Copy the folder of a contest to a file, even while it is used."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.serve", COMMANDS)
