"""The registration of the commands of the core. Each is imported when it is called."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl

COMMANDS = {
    "First steps": {
        "new": "Create the folder of a new bot, with a test.",
        "check": "Check whether a bot is fit for a run.",
        "try": "Show one game of a bot, then play more and print the score.",
        "run": "Play a tournament and print its leaderboard.",
    },
    "Bots": {
        "debug": "Step through a game of a bot, with its view and its answers.",
        "compare": "Say whether NEW is better than OLD.",
        "submit": "Submit a bot: a .py file, a .zip or a folder.",
    },
    "Results": {
        "leaderboard": "Print the leaderboard of a run.",
        "replay": "Step through a game of a run, or list those of a bot.",
        "verify": "Check a run or an exported file, and report each difference.",
    },
    "Contest": {
        "packages": "Fetch the packages that submissions may require.",
        "publish": "Write a run, or a game that you played, as a web site.",
    },
    "Develop": {
        "completion": "Print the script with which a shell completes words.",
    },
}
"""By heading of the help: the commands and what they do, in the order in which they are needed."""
MODULES = {
    "packages": "submit",
    "try": "try_bot",
}
"""The modules of commands that are not called as their module."""


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of the core, in the order of the help."""
    return [
        RegisteredCommand(name, section, _function(name), summary)
        for section, commands in COMMANDS.items()
        for name, summary in commands.items()
    ]


def _function(name: str) -> str:
    return f"arena.commands.{MODULES.get(name, name)}:{name.replace('-', '_')}_command"
