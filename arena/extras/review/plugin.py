"""Register the review command and the review panel on replay pages."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, ReplayPanel, commands_in, hookimpl

COMMANDS = {
    "review": ("review_command", "Find the mistakes that cost a bot a game."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.extras.review", COMMANDS)


@hookimpl
def register_replay_panels() -> Iterable[ReplayPanel]:
    panel = "arena.extras.review.review_panel"
    return [
        ReplayPanel("review", f"{panel}:show_review", "arena.extras.review", f"{panel}:make_review")
    ]
