"""The registration of `arena bench`."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "Develop": {
        "bench": ("bench_command", "Measure the speed of the arena on this machine."),
    },
}
"""By section and name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.bench", COMMANDS)
