"""The registration of reviews: a command, and a panel in replays."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, ReplayPanel, commands_in, hookimpl

COMMANDS = {
    "review": ("review_command", "Find the decisions of a bot that lost it a game."),
}
"""By name: the module of a command, and what it does."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of this extra."""
    return commands_in("arena.extras.review", COMMANDS)


@hookimpl
def register_replay_panels() -> Iterable[ReplayPanel]:
    """Return the panel of a review."""
    panel = "arena.extras.review.review_panel"
    return [
        ReplayPanel("review", f"{panel}:show_review", "arena.extras.review", f"{panel}:make_review")
    ]
