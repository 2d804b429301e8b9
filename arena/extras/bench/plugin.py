"""The registration of `arena bench`."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(
            "bench",
            "Develop",
            "arena.extras.bench.bench_command:bench_command",
            "Measure the speed of the arena on this machine.",
        )
    ]
