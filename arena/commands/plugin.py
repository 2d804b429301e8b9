"""The registration of the commands of the core. Each is imported when it is called."""

from collections.abc import Iterable

from arena.plugins import RegisteredCommand, hookimpl


@hookimpl
def arena_commands() -> Iterable[RegisteredCommand]:
    """Return the commands of the core, in the order of the help."""
    return [
        RegisteredCommand(
            "play",
            "Play",
            "arena.commands.play:play_command",
            "Play a game against bots in the terminal.",
        ),
        RegisteredCommand(
            "try",
            "Play",
            "arena.commands.try_bot:try_bot",
            "Show one game of a bot, then play more and print the score.",
        ),
        RegisteredCommand(
            "init",
            "Contest",
            "arena.commands.init:init",
            "Create the folder of a new contest, with a commented contest.toml.",
        ),
        RegisteredCommand(
            "packages",
            "Contest",
            "arena.commands.packages:packages",
            "Fetch the packages that submissions of a contest may require.",
        ),
        RegisteredCommand(
            "submit",
            "Contest",
            "arena.commands.submit:submit",
            "Submit a bot: a .py file, a .zip or a folder.",
        ),
        RegisteredCommand(
            "collect",
            "Contest",
            "arena.commands.collect:collect",
            "Submit the bots in an archive of submissions that Moodle or Canvas has written.",
        ),
        RegisteredCommand(
            "run",
            "Contest",
            "arena.commands.run:run",
            "Play a tournament and print its leaderboard.",
        ),
        RegisteredCommand(
            "publish",
            "Contest",
            "arena.commands.publish:publish_command",
            "Write a run, or a game that you played, as a web site.",
        ),
        RegisteredCommand(
            "merge",
            "Contest",
            "arena.commands.merge:merge_command",
            "Unite runs of the same settings whose variants were played apart.",
        ),
        RegisteredCommand(
            "drop",
            "Contest",
            "arena.commands.drop:drop_command",
            "Remove a bot from a run, with its games only.",
        ),
        RegisteredCommand(
            "grades",
            "Contest",
            "arena.commands.grades:grades_command",
            "Print a row for each student of a run, as CSV for a spreadsheet.",
        ),
        RegisteredCommand(
            "report",
            "Contest",
            "arena.commands.report:report",
            "Write a page for each student of a run: the result, faults by their cause, games to "
            "look at.",
        ),
        RegisteredCommand(
            "runs",
            "Results",
            "arena.commands.runs:runs",
            "List the runs of the contest or of `results`, those played last first.",
        ),
        RegisteredCommand(
            "show",
            "Results",
            "arena.commands.show:show",
            "Print the progress of a run: games played and left, speed, faults.",
        ),
        RegisteredCommand(
            "leaderboard",
            "Results",
            "arena.commands.leaderboard:leaderboard",
            "Print the leaderboard of a run, computed from its records.",
        ),
        RegisteredCommand(
            "faults",
            "Results",
            "arena.commands.faults:faults",
            "Print the faults in a run by cause, with a report: asked, received and expected.",
        ),
        RegisteredCommand(
            "logs",
            "Results",
            "arena.commands.logs:logs",
            "Print what a bot wrote to stderr in a run, game by game.",
        ),
        RegisteredCommand(
            "replay",
            "Results",
            "arena.commands.replay:replay",
            "Step through a game of a run, or through one of yours.",
        ),
        RegisteredCommand(
            "rerun",
            "Results",
            "arena.commands.rerun:rerun_command",
            "Play a game of a run again, and show the first difference.",
        ),
        RegisteredCommand(
            "compare",
            "Results",
            "arena.commands.compare:compare_command",
            "Say whether NEW is better than OLD, or compare two bots of a run.",
        ),
        RegisteredCommand(
            "export",
            "Results",
            "arena.commands.records:export",
            "Print the game records of a run as JSON lines, in schedule order.",
        ),
        RegisteredCommand(
            "verify",
            "Results",
            "arena.commands.records:verify_command",
            "Check a run or an exported file, and report each difference.",
        ),
        RegisteredCommand(
            "new",
            "Develop",
            "arena.commands.new:new",
            "Create the folder of a new bot that plays any legal action, with a test.",
        ),
        RegisteredCommand(
            "check",
            "Develop",
            "arena.commands.check:check",
            "Check whether a bot is fit for a run.",
        ),
        RegisteredCommand(
            "check-game",
            "Develop",
            "arena.commands.check_game:check_game_command",
            "Run the conformance suite on a game, with a line for each check.",
        ),
        RegisteredCommand(
            "debug",
            "Develop",
            "arena.commands.debug:debug",
            "Step through one game of a bot, with its view, what it prints and its answer.",
        ),
        RegisteredCommand(
            "replay-fault",
            "Develop",
            "arena.commands.replay_fault:replay_fault_command",
            "Send a bot the messages that led to a fault, and show what it does now.",
        ),
        RegisteredCommand(
            "games", "Develop", "arena.commands.lists:games", "List the games and their variants."
        ),
        RegisteredCommand(
            "bots",
            "Develop",
            "arena.commands.lists:list_bots",
            "List the installed bots, which are entered by name.",
        ),
        RegisteredCommand(
            "completion",
            "Develop",
            "arena.commands.completion:completion",
            "Print the script that completes commands, variants, bots, runs and files in a shell.",
        ),
    ]
