"""The options that are settings: each is the twin of a line of `contest.toml`."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec
from click.core import ParameterSource

from arena.contest.settings import Contest, all_settings, value_of

CommandT = TypeVar("CommandT", bound=Callable[..., object])


class Setting(click.Option):
    """The option for a setting, whose bounds and default are those in `Contest`."""

    def __init__(self, names: list[str], key: str, **more: Any) -> None:
        self.key = key
        default = value_of(Contest(), key)
        is_list = isinstance(default, tuple)
        more.setdefault("type", _type_of(key))
        more.setdefault("show_default", not (is_list or default is None))
        super().__init__(
            [*names, key.replace(".", "__")], default=default, multiple=is_list, **more
        )


def _type_of(key: str) -> click.ParamType[Any] | None:
    """Return how an option is read: a number within its bounds, or as click does by itself."""
    kind = msgspec.inspect.type_info(all_settings()[key].type)
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    if not isinstance(kind, msgspec.inspect.IntType):
        return click.STRING if isinstance(kind, msgspec.inspect.StrType) else None
    if kind.ge is None and kind.le is None:
        return click.INT
    return click.IntRange(kind.ge, kind.le)


def _setting(
    key: str, *names: str, **more: Any
) -> tuple[str, Callable[[click.decorators.FC], click.decorators.FC]]:
    return key, click.option(*names, cls=Setting, key=key, **more)


SETTINGS = (
    _setting(
        "rounds",
        "--rounds",
        help="Rounds of every variant: in each, every bot sits down once or has a bye.",
    ),
    _setting(
        "variants",
        "--variant",
        metavar="ID",
        help="Play this variant; may be repeated. Default: all.",
    ),
    _setting(
        "games",
        "--game",
        metavar="ID",
        help="Play all variants of this game; may be repeated.",
    ),
    _setting(
        "entrants.submissions",
        "--submissions",
        type=click.Path(exists=True, file_okay=False),
        help="Enter the bots of students: the folder has a .py file, a .zip or a folder for each, "
        "or what `arena submit` puts there. Whose bot cannot play is left out.",
    ),
    _setting(
        "entrants.bots",
        "--bot",
        metavar="NAME|PATH",
        help="Enter a bot: a name of `arena bots`, a .py file or a folder with bot.toml; may be "
        "repeated. `quick`, the default where there are no submissions, stands for all quick ones.",
    ),
    _setting(
        "schedule",
        "--schedule",
        metavar="NAME",
        help="Who plays whom: round-robin, everybody meets everybody; gauntlet, the challengers "
        "meet the others; or one of an installed plugin.",
    ),
    _setting(
        "entrants.challengers",
        "--challenger",
        metavar="NAME|PATH",
        help="Enter a bot, as --bot does, as a challenger of the gauntlet, or make the submission "
        "of this name one; may be repeated.",
    ),
    _setting(
        "entrants.fill",
        "--fill/--no-fill",
        help="Where there are fewer bots than seats, let bundled quick ones fill up as guests.",
    ),
    _setting("seed", "--seed", help="Fixes every deal and the bots' dice."),
    _setting("machine.workers", "--workers", help="Default: one for each core."),
    _setting(
        "machine.tables",
        "--tables",
        help="Games under way at a time in each worker. Default: many while all bots answer at "
        "once, one when somebody thinks.",
    ),
    _setting(
        "machine.waiting_games",
        "--waiting-games",
        help="Games under way at a time in each worker with bots that say `waits = true` in their "
        "bot.toml, since they wait for another machine; each has a process of its own. 0 plays "
        "them like other bots.",
    ),
    _setting("machine.pin", "--pin/--no-pin", help="Keep each worker and its bots to one core."),
    _setting(
        "withdrawal",
        "--withdrawal/--no-withdrawal",
        help="Withdraw bots that have too many faults from the run.",
    ),
    _setting("name", "--name", help="The run's folder under the results. Default: date and time."),
    _setting("limits.move_ms", "--move-ms", help="How long a bot may take for an action."),
    _setting("limits.start_ms", "--start-ms", help="How long a bot may take to start."),
    _setting(
        "limits.bank_ms",
        "--bank-ms",
        show_default=False,
        help="How long a bot may take for all its actions of a game together. Default: no such "
        "limit.",
    ),
    _setting("limits.increment_ms", "--increment-ms", help="What each action adds to the bank."),
    _setting("limits.line_bytes", "--line-bytes", help="How long a line of a bot may be."),
    _setting("limits.output_kib", "--output-kib", help="How much a bot may send in one game."),
    _setting(
        "limits.nesting",
        "--nesting",
        help="How deep lists and objects of a bot may lie in one another.",
    ),
    _setting(
        "limits.stderr_bytes",
        "--stderr-bytes",
        help="How much is kept of the end of what a bot logs, when it has a fault.",
    ),
    _setting(
        "sandbox.level",
        "--sandbox",
        metavar="none|limits|isolated|auto",
        help="The walls round the bots; `auto` takes the strongest that holds here, and says "
        "which.",
    ),
    _setting(
        "sandbox.readable",
        "--readable",
        type=click.Path(exists=True),
        help="A file or folder that bots may read in the sandbox `isolated`, beside what they "
        "need to start; may be repeated.",
    ),
    _setting(
        "sandbox.memory_mib",
        "--memory-mib",
        help="How much memory a bot may take, with all its processes.",
    ),
    _setting(
        "sandbox.processes",
        "--processes",
        help="How many processes and threads a bot may have.",
    ),
    _setting("sandbox.file_mib", "--file-mib", help="How large a file of a bot may be."),
    _setting(
        "results",
        "--results",
        type=click.Path(),
        help="The folder of all runs.",
    ),
    _setting(
        "publish",
        "--publish",
        type=click.Path(),
        metavar="DIR",
        help="Write the run as a web site, now and then while it is under way and at its end: see "
        "`arena publish`.",
    ),
)
"""Each with its key: what gives a command the option."""


def setting_options(*tables: str) -> Callable[[CommandT], CommandT]:
    """Give a command an option for every setting of these tables; none stands for all of them."""

    def decorate(command: CommandT) -> CommandT:
        for key, option in reversed(SETTINGS):
            if not tables or key.partition(".")[0] in tables:
                command = option(command)
        return command

    return decorate


def given(context: click.Context) -> dict[str, Any]:
    """Return what was typed on the command line, by the keys of the settings."""
    return {
        option.key: context.params[option.name]
        for option in context.command.params
        if isinstance(option, Setting)
        and option.name
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
