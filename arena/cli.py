"""The `arena` command. Its subcommands are registered by plugins."""

import errno
import gc
import pkgutil
import sys
from collections import UserDict
from collections.abc import Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem

import arena.base.quick_msgspec  # noqa: F401  # before what imports msgspec
from arena import __version__
from arena.base.errors import ArenaError, RunStopped
from arena.plugins import RegisteredCommand, commands
from arena.process.host import raise_file_limit
from arena.terminal.console import discard_output, fitted, notice, prepare_streams
from engine.errors import EngineError
from engine.plugins import broken_plugins

gc.set_threshold(10_000)  # imports, schedules and ratings make many objects and little garbage

ORDER = """
play new check try run games debug compare submit
runs leaderboard logs replay review export verify publish
init grades roster serve backup
""".split()

FIRST_STEPS = """\
The first steps:

  arena play                            play a game against bots
  arena new my-bot                      create a bot: edit my-bot/bot.py
  arena check my-bot                    check that it can play in a run
  arena try my-bot --against greedy     play some games and print its score
  arena run --game pot-de-vin --bot my-bot --bot quick
                                        play a tournament

`arena --help` lists all commands; `arena COMMAND --help` explains one."""


class _Commands(UserDict[str, RegisteredCommand]):
    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and commands.find(name) is not None

    def __getitem__(self, name: str) -> Any:
        if found := commands.find(name):
            return pkgutil.resolve_name(found.function)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(commands())

    def __len__(self) -> int:
        return len(commands())


class _Group(click.Group):
    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        order = {name: place for place, name in enumerate(ORDER)}
        listed = sorted(commands().values(), key=lambda found: order.get(found.name, len(order)))
        width = max([len(command.name) for command in listed])
        formatter.write("Usage: arena COMMAND ..., a tournament framework for game-playing bots\n")
        for command in listed:
            formatter.write(f"  {command.name:{width}}  {command.summary}\n")
        formatter.write("`arena COMMAND --help` explains a command.\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        listed = {
            name: click.Command(name, help=command.summary) for name, command in commands().items()
        }
        return click.Group(commands=listed).shell_complete(ctx, incomplete)

    def main(self, *args: Any, **extra: Any) -> Any:
        prepare_streams()
        raise_file_limit()
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EIO):
                raise
            discard_output()  # otherwise, the interpreter fails again on exit
            raise click.ClickException(f"cannot write the output: {error.strerror}") from error
        except RunStopped as stopped:  # as the user wanted
            notice(str(stopped))
            ctx.exit(1)
        except (ArenaError, EngineError) as error:
            raise click.ClickException(_shown(str(error))) from error
        except click.ClickException as error:  # its message may contain a file name
            if error.message:  # otherwise, click derives the message from the parameter
                before = error.format_message().partition(error.message)[0]
                vars(error)["message"] = _shown(error.message, before)
            raise
        finally:
            for broken in broken_plugins():
                notice(f"Warning: {broken}")


def _shown(message: str, before: str = "") -> str:
    before = f"Error: {before}"  # click prints this before the message
    return fitted(f"{before}{message}", sys.stderr)[len(before) :]


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="arena")
@click.pass_context
def main(context: click.Context) -> None:
    """A tournament framework for game-playing bots."""
    if context.invoked_subcommand is None:
        click.echo(FIRST_STEPS)


if __name__ == "__main__":
    main(prog_name="arena")
