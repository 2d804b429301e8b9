"""The command `arena`, a group of the commands in `arena.commands`."""

import gc
import importlib
from collections import UserDict
from typing import Any

import click
from click.shell_completion import CompletionItem

import arena.quick_msgspec  # noqa: F401  # before what imports msgspec
from arena import __version__
from arena.errors import ArenaError
from arena.protocol import printable
from engine.errors import EngineError
from engine.plugins import broken_plugins

gc.set_threshold(10_000)  # imports, schedules and ratings make many objects and little garbage

COMMANDS = {
    "run": ("run.run", "Play a tournament and print its leaderboard."),
    "leaderboard": (
        "leaderboard.leaderboard",
        "Print the leaderboard of a run, computed from its records.",
    ),
    "merge": (
        "merge.merge_command",
        "Unite runs of the same settings whose variants were played apart.",
    ),
    "drop": ("drop.drop_command", "Remove a bot from a run, with its games only."),
    "grades": (
        "grades.grades_command",
        "Print a row for each student of a run, as CSV for a spreadsheet.",
    ),
    "report": (
        "report.report",
        "Write a page for each student of a run: the result, faults by their cause, games to look "
        "at.",
    ),
    "audit": ("audit.audit_command", "Look for collusion in a run, and for copies among its bots."),
    "publish": (
        "publish.publish_command",
        "Write a run, or a game that you played, as a web site.",
    ),
    "faults": (
        "faults.faults",
        "Print the faults in a run by cause, with a report: asked, received and expected.",
    ),
    "logs": ("logs.logs", "Print what a bot wrote to stderr in a run, game by game."),
    "show": ("show.show", "Print the progress of a run: games played and left, speed, faults."),
    "runs": ("runs.runs", "List the runs of the contest or of `results`, those played last first."),
    "export": (
        "records.export",
        "Print the game records of a run as JSON lines, in schedule order.",
    ),
    "verify": (
        "records.verify_command",
        "Check a run or an exported file, and report each difference.",
    ),
    "rerun": ("rerun.rerun_command", "Play a game of a run again, and show the first difference."),
    "init": ("init.init", "Create the folder of a new contest, with a commented contest.toml."),
    "roster": (
        "roster.roster",
        "List and change the people of a contest that `arena serve` shows.",
    ),
    "serve": (
        "serve.serve_command",
        "Serve a contest: students hand in bots and watch the ladder in their browsers.",
    ),
    "submit": ("submit.submit", "Submit a bot: a .py file, a .zip or a folder."),
    "collect": (
        "collect.collect",
        "Submit the bots in an archive of submissions that Moodle or Canvas has written.",
    ),
    "backup": (
        "backup.backup",
        "Copy the whole folder of a contest to a file, also while a server or a run uses it.",
    ),
    "packages": (
        "packages.packages",
        "Fetch the packages that submissions of a contest may require.",
    ),
    "new": ("new.new", "Create the folder of a new bot that plays any legal action, with a test."),
    "check": ("check.check", "Check whether a bot is fit for a run."),
    "check-game": (
        "check_game.check_game_command",
        "Run the conformance suite on a game, with a line for each check.",
    ),
    "replay-fault": (
        "replay_fault.replay_fault_command",
        "Send a bot the messages that led to a fault, and show what it does now.",
    ),
    "try": ("try_bot.try_bot", "Show one game of a bot, then play more and print the score."),
    "debug": (
        "debug.debug",
        "Step through one game of a bot, with its view, what it prints and its answer.",
    ),
    "compare": (
        "compare.compare_command",
        "Say whether NEW is better than OLD, or compare two bots of a run.",
    ),
    "play": ("play.play_command", "Play a game against bots in the terminal."),
    "replay": ("replay.replay", "Step through a game of a run, or through one of yours."),
    "games": ("lists.games", "List the games and their variants."),
    "bots": ("lists.list_bots", "List the installed bots, which are entered by name."),
    "completion": (
        "completion.completion",
        "Print the script that completes commands, variants, bots, runs and files in a shell.",
    ),
    "bench": (
        "bench.bench_command",
        "Measure the speed of the arena on this machine, with the aim of each figure.",
    ),
}
"""By the name of a command: its module in `arena.commands` with its function there, and what it is
for, as its help says first."""


SECTIONS = {
    "Play": ("play", "try"),
    "Contest": (
        "init",
        "packages",
        "submit",
        "collect",
        "roster",
        "serve",
        "run",
        "publish",
        "merge",
        "drop",
        "grades",
        "report",
        "backup",
    ),
    "Results": (
        "runs",
        "show",
        "leaderboard",
        "faults",
        "logs",
        "replay",
        "rerun",
        "compare",
        "audit",
        "export",
        "verify",
    ),
    "Develop": (
        "new",
        "check",
        "check-game",
        "debug",
        "replay-fault",
        "games",
        "bots",
        "bench",
        "completion",
    ),
}
"""The sections of the help, with their commands. Each command is in one of them."""


class _Commands(UserDict[str, Any]):
    """Imports a command when it is looked up, so that each starts without the others."""

    def __getitem__(self, name: str) -> Any:
        module, function = self.data[name][0].split(".")
        return getattr(importlib.import_module(f"arena.commands.{module}"), function)


class _Group(click.Group):
    """Turns the errors of this project into one sentence and exit code 1."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the commands are for, by section and without importing them."""
        width = max(map(len, COMMANDS))
        for section, names in SECTIONS.items():
            with formatter.section(section):
                rows = [(f"{name:{width}}", COMMANDS[name][1]) for name in names]
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Return the commands that begin with a word, without importing them."""
        listed = {name: click.Command(name, help=text) for name, (_, text) in COMMANDS.items()}
        return click.Group(commands=listed).shell_complete(ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise click.ClickException(printable(str(error))) from error
        except click.ClickException as error:  # its message may contain a file name
            vars(error)["message"] = printable(error.message)
            raise
        finally:
            for broken in broken_plugins():
                click.echo(f"Warning: {printable(str(broken))}", err=True)


@click.group(
    cls=_Group,
    commands=_Commands(COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """A tournament framework for bots that play games about bribery."""
