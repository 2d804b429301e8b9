"""The registration of the commands that list games, bots and runs."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl

COMMANDS = {
    "bots": ("Bots", "lists", "List the installed bots, which are entered by name."),
    "games": ("Bots", "lists", "List the games and their variants."),
    "runs": ("Results", "lists", "List runs, those played last first, or delete some."),
    "show": ("Results", "show", "Print the progress of a run, and what it is."),
}
"""By name: the section of a command, the start of its module, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return [
        RegisteredCommand(
            name, section, f"arena.extras.overview.{module}_command:{name}_command", summary
        )
        for name, (section, module, summary) in COMMANDS.items()
    ]
