"""Options for the settings of `contest.toml`."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec
from click.core import ParameterSource

from arena.commands.completers import (
    complete_bots,
    complete_games,
    complete_runs,
    complete_variants,
)
from arena.contest.deadline import LATE_RULES
from arena.contest.settings import INTERPRETERS, Contest, all_settings, value_of
from arena.rating.stop_rule import ORDERS, STOP_RULES, StopRule

CommandT = TypeVar("CommandT", bound=Callable[..., object])
_FIELDS = all_settings()


class Setting(click.Option):
    """The option for a setting, with the bounds and default of the field in `Contest`."""

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
    """Return the type of an option, a number with its bounds, or None for click's default."""
    kind = msgspec.inspect.type_info(_FIELDS[key].type)
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    if isinstance(kind, msgspec.inspect.FloatType):
        low, high = (kind.ge, kind.gt), (kind.le, kind.lt)
        return click.FloatRange(
            _first(*low), _first(*high), min_open=kind.gt is not None, max_open=kind.lt is not None
        )
    if not isinstance(kind, msgspec.inspect.IntType):
        return click.STRING if isinstance(kind, msgspec.inspect.StrType) else None
    if kind.ge is None and kind.le is None:
        return click.INT
    return click.IntRange(kind.ge, kind.le)


def _first(*bounds: float | None) -> float | None:
    """Return the bound that is set, or None."""
    return next((bound for bound in bounds if bound is not None), None)


def _setting(
    key: str, *names: str, **more: Any
) -> tuple[str, Callable[[click.decorators.FC], click.decorators.FC]]:
    return key, click.option(*names, cls=Setting, key=key, **more)


SETTINGS = (
    _setting(
        "rounds",
        "--rounds",
        help="Rounds of each variant. In a round, each bot plays one game or has a bye.",
    ),
    _setting(
        "variants",
        "--variant",
        metavar="ID",
        shell_complete=complete_variants,
        help="Play this variant; may be repeated. Default: all.",
    ),
    _setting(
        "games",
        "--game",
        metavar="ID",
        shell_complete=complete_games,
        help="Play all variants of this game; may be repeated.",
    ),
    _setting(
        "until",
        "--until",
        type=click.Choice(STOP_RULES),
        help="`certain` ends a variant when the order of its bots is certain: each two neighbours "
        "are separated by a line or closer than --epsilon. --rounds is then the most that is "
        "played.",
    ),
    _setting(
        "epsilon",
        "--epsilon",
        help="With --until: scores that differ by less are close. "
        f"Default: {StopRule().epsilon:g}.",
    ),
    _setting(
        "confidence",
        "--confidence",
        metavar="PERCENT",
        help="With --until: the probability, in percent, that all lines and close pairs of a "
        f"variant are right together. Default: {StopRule().confidence:g}.",
    ),
    _setting(
        "order",
        "--order",
        type=click.Choice(ORDERS),
        help="What the tables are ordered by. Default: rating; with --until, score.",
    ),
    _setting(
        "entrants.submissions",
        "--submissions",
        type=click.Path(exists=True, file_okay=False),
        help="A folder with the bots of students: for each a .py file, a .zip or a folder, or the "
        "submissions of `arena submit`. Students whose bot cannot play are left out.",
    ),
    _setting(
        "entrants.roster",
        "--roster",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="A CSV file of the students, with the columns id, name, e-mail and team. Others may "
        "not submit. Default: anybody may.",
    ),
    _setting(
        "entrants.check",
        "--check/--no-check",
        help="Check bots that were put into the folder of submissions before they play, as `arena "
        "submit` does.",
    ),
    _setting(
        "entrants.versions_a_day",
        "--versions-a-day",
        help="New versions that a student may submit in a day. Default: no limit.",
    ),
    _setting(
        "entrants.bots",
        "--bot",
        metavar="NAME|PATH",
        shell_complete=complete_bots,
        help="Enter a bot: a name of `arena bots`, a .py file or a folder with bot.toml; may be "
        "repeated. `quick`, the default without submissions, enters all quick bots.",
    ),
    _setting(
        "schedule",
        "--schedule",
        metavar="NAME",
        help="The schedule: round-robin (all bots meet), gauntlet (challengers meet others), "
        "versions (two challengers on the same deals), adaptive (with --until: more boards for "
        "bots whose order is undecided), or that of an installed plugin.",
    ),
    _setting(
        "entrants.challengers",
        "--challenger",
        metavar="NAME|PATH",
        shell_complete=complete_bots,
        help="Enter a bot as --bot does, or name a submission, as a challenger of the gauntlet; "
        "may be repeated.",
    ),
    _setting(
        "entrants.fill",
        "--fill/--no-fill",
        help="Fill variants that have fewer bots than seats with quick bundled bots as guests.",
    ),
    _setting(
        "entrants.interpreters",
        "--interpreter",
        metavar="PROGRAM",
        help="Allow the command in a bot.toml to start this program of the PATH, besides python "
        f"and its own files; may be repeated. Default: {', '.join(INTERPRETERS)}.",
    ),
    _setting(
        "secret",
        "--secret",
        type=click.Path(),
        metavar="FILE",
        help="The file of the secret from which all deals follow. Default: the run draws a secret "
        "and keeps it in its folder.",
    ),
    _setting(
        "seed",
        "--seed",
        help="Deals from this number instead, for experiments that can be repeated. Bots may "
        "predict them.",
    ),
    _setting(
        "machine.executor",
        "--executor",
        metavar="local|dask",
        help="Where the games are played: local (worker processes of this machine), dask (the "
        "workers of a Dask cluster), or an executor of an installed plugin.",
    ),
    _setting(
        "machine.scheduler",
        "--scheduler",
        metavar="ADDRESS",
        help="With `--executor dask`: the address of the Dask scheduler, such as "
        "tcp://HOST:8786. Default: a cluster on this machine.",
    ),
    _setting("machine.workers", "--workers", help="Worker processes. Default: one for each core."),
    _setting(
        "machine.tables",
        "--tables",
        help="Concurrent games in each worker. Default: many while all bots answer quickly, "
        "otherwise one.",
    ),
    _setting(
        "machine.waiting_games",
        "--waiting-games",
        help="Concurrent games in each worker of bots with `waits = true` in bot.toml, which wait "
        "for another machine. Each game has its own processes. 0 plays them like other bots.",
    ),
    _setting("machine.pin", "--pin/--no-pin", help="Keep each worker and its bots to one core."),
    _setting(
        "withdrawal",
        "--withdrawal/--no-withdrawal",
        help="Withdraw bots with too many faults from the run.",
    ),
    _setting(
        "name",
        "--name",
        shell_complete=complete_runs,
        help="Name of the run and its folder. Default: date and time.",
    ),
    _setting(
        "deadline.opens",
        "--opens",
        metavar="TIME",
        help="When submissions open, such as `2026-11-02 08:00`. Default: they are open.",
    ),
    _setting(
        "deadline.due",
        "--due",
        metavar="TIME",
        help="The deadline of submissions, such as `2026-12-01 18:00`. Default: none.",
    ),
    _setting(
        "deadline.grace_minutes",
        "--grace-minutes",
        help="Minutes after the deadline in which submissions are still on time.",
    ),
    _setting(
        "deadline.late",
        "--late",
        type=click.Choice(LATE_RULES),
        help="What becomes of late submissions: they are marked, or refused.",
    ),
    _setting("limits.move_ms", "--move-ms", help="Time limit for an action."),
    _setting(
        "limits.cpu_ms",
        "--cpu-ms",
        help="Limit for the processor time of an action, of all processes of a bot together. "
        "Default: as --move-ms.",
    ),
    _setting("limits.start_ms", "--start-ms", help="Time limit for a bot's start."),
    _setting(
        "limits.bank_ms",
        "--bank-ms",
        show_default=False,
        help="Time limit for all actions of a bot in a game together. Default: none.",
    ),
    _setting(
        "limits.increment_ms", "--increment-ms", help="Time added to the bank by each action."
    ),
    _setting("limits.line_bytes", "--line-bytes", help="Limit for the length of an output line."),
    _setting("limits.output_kib", "--output-kib", help="Limit for a bot's output in one game."),
    _setting(
        "limits.nesting",
        "--nesting",
        help="Limit for the nesting depth of lists and objects in a bot's messages.",
    ),
    _setting(
        "limits.stderr_bytes",
        "--stderr-bytes",
        help="Bytes kept from the end of a bot's log when it has a fault.",
    ),
    _setting(
        "sandbox.level",
        "--sandbox",
        metavar="none|limits|isolated|auto",
        help="The sandbox of the bots. `auto` selects the strongest that works here, and reports "
        "it.",
    ),
    _setting(
        "sandbox.readable",
        "--readable",
        type=click.Path(exists=True),
        help="A file or folder that bots may read in the sandbox `isolated`, in addition to their "
        "own; may be repeated.",
    ),
    _setting(
        "sandbox.memory_mib",
        "--memory-mib",
        help="Memory limit of a bot with all its processes.",
    ),
    _setting(
        "sandbox.processes",
        "--processes",
        help="Limit for the processes and threads of a bot.",
    ),
    _setting("sandbox.file_mib", "--file-mib", help="Size limit for a file that a bot writes."),
    _setting(
        "packages.allow",
        "--allow-package",
        metavar="PACKAGE",
        help="Allow submissions to require this Python package, which `arena packages` has "
        "fetched; may be repeated.",
    ),
    _setting(
        "packages.folder",
        "--packages",
        type=click.Path(),
        metavar="DIR",
        help="The folder of these packages.",
    ),
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
        help="Write the run as a web site, as `arena publish` does, repeatedly during the run and "
        "at its end.",
    ),
)
"""By key: the decorator that adds the option to a command."""


def setting_options(*chosen: str) -> Callable[[CommandT], CommandT]:
    """Add the options for the chosen tables and keys to a command; without any, all options."""

    def decorate(command: CommandT) -> CommandT:
        for key, option in reversed(SETTINGS):
            if not chosen or key in chosen or key.partition(".")[0] in chosen:
                command = option(command)
        return command

    return decorate


def given(context: click.Context) -> dict[str, Any]:
    """Return the settings given on the command line, by key."""
    return {
        option.key: context.params[option.name]
        for option in context.command.params
        if isinstance(option, Setting)
        and option.name
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
