"""The command `arena`, a group of the commands in `arena.commands`."""

from typing import Any

import click

from arena import __version__
from arena.commands.audit import audit_command
from arena.commands.bench import bench_command
from arena.commands.check import check
from arena.commands.compare import compare_command
from arena.commands.faults import faults
from arena.commands.init import init
from arena.commands.leaderboard import leaderboard
from arena.commands.lists import games, list_bots
from arena.commands.new import new
from arena.commands.play import play
from arena.commands.publish import publish_command
from arena.commands.records import export, verify_command
from arena.commands.replay import replay
from arena.commands.replay_fault import replay_fault_command
from arena.commands.rerun import rerun_command
from arena.commands.run import run
from arena.commands.show import show
from arena.commands.submit import submit
from arena.commands.try_bot import try_bot
from arena.errors import ArenaError
from arena.protocol import printable
from engine import EngineError

COMMANDS = (
    *(run, leaderboard, audit_command, publish_command, faults, show, export),
    *(verify_command, rerun_command),
    *(init, submit),
    *(new, check, replay_fault_command, try_bot, compare_command, play, replay),
    *(games, list_bots, bench_command),
)


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


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """A tournament framework for bots that play games about bribery."""


for command in COMMANDS:
    main.add_command(command)
