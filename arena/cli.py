"""The command `arena`, a group of the commands in `arena.commands`."""

import importlib
from collections import UserDict
from typing import Any

import click

from arena import __version__
from arena.errors import ArenaError
from arena.protocol import printable
from engine.errors import EngineError

COMMANDS = {
    "run": "run.run",
    "leaderboard": "leaderboard.leaderboard",
    "audit": "audit.audit_command",
    "publish": "publish.publish_command",
    "faults": "faults.faults",
    "show": "show.show",
    "export": "records.export",
    "verify": "records.verify_command",
    "rerun": "rerun.rerun_command",
    "init": "init.init",
    "submit": "submit.submit",
    "new": "new.new",
    "check": "check.check",
    "replay-fault": "replay_fault.replay_fault_command",
    "try": "try_bot.try_bot",
    "compare": "compare.compare_command",
    "play": "play.play_command",
    "replay": "replay.replay",
    "games": "lists.games",
    "bots": "lists.list_bots",
    "bench": "bench.bench_command",
}
"""By the name of a command: its module in `arena.commands`, and its function there."""


class _Commands(UserDict[str, Any]):
    """Imports a command when it is looked up, so that each starts without the others."""

    def __getitem__(self, name: str) -> Any:
        module, function = self.data[name].split(".")
        return getattr(importlib.import_module(f"arena.commands.{module}"), function)


class _Group(click.Group):
    """Turns the errors of this project into one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise click.ClickException(printable(str(error))) from error
        except click.ClickException as error:  # its message may contain a file name
            vars(error)["message"] = printable(error.message)
            raise


@click.group(
    cls=_Group,
    commands=_Commands(COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """A tournament framework for bots that play games about bribery."""
