"""Register `arena new`, the command that creates folders for new bots and games."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "new": ("new_command", "Create a folder for a new bot or a new game."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.develop", COMMANDS)
