"""Register the built-in commands. Each is imported only when it is called."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "check": ("check", "Check whether a bot is fit for a run, or a game conforms."),
    "try": ("try_bot", "Play games of a bot and print its score."),
    "run": ("run", "Play a tournament and print its leaderboard."),
    "compare": ("compare", "Say whether NEW is better than OLD."),
    "submit": ("submit", "Submit a bot: a .py file, a .zip or a folder."),
    "leaderboard": ("leaderboard", "Print the leaderboard of a run."),
    "replay": ("replay", "Step through a game of a run, or list those of a bot."),
    "export": ("export", "Print the game records of a run as JSON lines."),
    "verify": ("verify", "Check a run or an exported file, and report each difference."),
    "publish": ("publish", "Write a run, or a game that you played, as a web site."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.commands", COMMANDS)
