"""The registration of the commands for authors of games."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl

MODULE = "arena.extras.develop.games_command"


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(
            "new-game",
            "Develop",
            f"{MODULE}:new_game_command",
            "Create the package of a new game, with a test and a bot.",
        ),
        RegisteredCommand(
            "check-game",
            "Develop",
            f"{MODULE}:check_game_command",
            "Run the conformance suite on a game.",
        ),
    ]
