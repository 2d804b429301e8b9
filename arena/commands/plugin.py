"""The registration of the commands of the core. Each is imported when it is called."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl

COMMANDS = {
    "First steps": {
        "play": "Play a game against bots in the terminal.",
        "new": "Create the folder of a new bot that plays any legal action, with a test.",
        "check": "Check whether a bot is fit for a run.",
        "try": "Show one game of a bot, then play more and print the score.",
        "run": "Play a tournament and print its leaderboard.",
    },
    "Bots": {
        "bots": "List the installed bots, which are entered by name.",
        "games": "List the games and their variants.",
        "debug": "Step through one game of a bot, with its view, what it prints and its answer.",
        "compare": "Say whether NEW is better than OLD, or compare two bots of a run.",
        "replay-fault": "Send a bot the messages that led to a fault, and show what it does now.",
        "submit": "Submit a bot: a .py file, a .zip or a folder.",
    },
    "Results": {
        "runs": "List the runs of the contest or of `results`, those played last first.",
        "show": "Print the progress of a run: games played and left, speed, faults.",
        "leaderboard": "Print the leaderboard of a run, computed from its records.",
        "faults": "Print the faults in a run by cause, with a report: asked, received and "
        "expected.",
        "logs": "Print what a bot wrote to stderr in a run, game by game.",
        "replay": "Step through a game of a run, or through one of yours.",
        "rerun": "Play a game of a run again, and show the first difference.",
        "export": "Print the game records of a run as JSON lines, in schedule order.",
        "verify": "Check a run or an exported file, and report each difference.",
    },
    "Contest": {
        "init": "Create the folder of a new contest, with a commented contest.toml.",
        "packages": "Fetch the packages that submissions of a contest may require.",
        "collect": "Submit the bots in an archive of submissions that Moodle or Canvas has "
        "written.",
        "publish": "Write a run, or a game that you played, as a web site.",
        "grades": "Print a row for each student of a run, as CSV for a spreadsheet.",
        "report": "Write a page for each student of a run: the result, faults by their cause, "
        "games to look at.",
        "drop": "Remove a bot from a run, with its games only.",
        "merge": "Unite runs of the same settings whose variants were played apart.",
    },
    "Develop": {
        "check-game": "Run the conformance suite on a game, with a line for each check.",
        "completion": "Print the script that completes commands, variants, bots, runs and files "
        "in a shell.",
    },
}
"""By heading of the help: the commands and what they do, in the order in which they are needed."""
MODULES = {
    "bots": "lists",
    "check-game": "check",
    "collect": "submit",
    "drop": "changes",
    "export": "records",
    "games": "lists",
    "init": "new",
    "merge": "changes",
    "packages": "submit",
    "replay-fault": "replay_fault",
    "report": "grades",
    "rerun": "replay",
    "runs": "lists",
    "try": "try_bot",
    "verify": "records",
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
