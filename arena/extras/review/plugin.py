"""The registration of reviews: a command, a method of runs, and a panel in replays."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, ReplayPanel, RunMethod, commands_in, hookimpl

COMMANDS = {
    "Results": {"review": ("review_command", "Find the decisions of a bot that lost it a game.")}
}
"""By section and name: the module of a command, and what it does."""


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


@hookimpl
def register_run_methods() -> Iterable[RunMethod]:
    """Return the method that reviews a game of a run."""
    return [RunMethod("review", "arena.extras.review.review:review_in_run")]
