"""The registration of the commands for authors of bots and games."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "First steps": {
        "new": ("new_command", "Create the folder of a new bot, with a test."),
    },
    "Develop": {
        "game new": ("games_command", "Create a new game: a module, its rules, a test and a bot."),
        "game check": ("games_command", "Run the conformance suite on a game."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.develop", COMMANDS)
