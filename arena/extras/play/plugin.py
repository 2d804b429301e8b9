"""The registration of the command by which a person plays."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the command of this extra."""
    return [
        RegisteredCommand(
            "play",
            "First steps",
            "arena.extras.play.play_command:play_command",
            "Play a game against bots in the terminal.",
        )
    ]
