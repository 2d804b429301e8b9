"""Register the built-in commands."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, commands_in, hookimpl

COMMANDS = {
    "check": ("check", "Check a bot or a game for errors."),
    "try": ("try_bot", "Play games with a bot and print its score."),
    "run": ("run", "Play a tournament and print its leaderboard."),
    "compare": ("compare", "Find out whether a new version of a bot is better."),
    "submit": ("submit", "Submit a bot to a contest."),
    "leaderboard": ("leaderboard", "Print the leaderboard of a run."),
    "replay": ("replay", "Show a recorded game, or list a bot's games."),
    "export": ("export", "Print the game records of a run as JSON lines."),
    "verify": ("verify", "Verify a run or an exported file by replaying its games."),
    "publish": ("publish", "Publish a run as a web site."),
}


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    return commands_in("arena.commands", COMMANDS)
