"""Options for the settings of `contest.toml`."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from click.core import ParameterSource

from arena.commands.completion import (
    complete_bots,
    complete_games,
    complete_runs,
    complete_variants,
)
from arena.contest.settings import LATE_RULES, Contest, all_settings, value_of
from arena.plugins import schedules
from arena.rating.certificate import ORDERS, STOP_RULES, StopRule

CommandT = TypeVar("CommandT", bound=Callable[..., object])
Decorator = Callable[[click.decorators.FC], click.decorators.FC]
_FIELDS = all_settings()
_DEFAULTS = Contest()
RULE = StopRule()
LEVELS = "none|limits|isolated|auto"
CONTEST_TEMPLATE = Path(__file__).with_name("contest.toml")
"""Every setting with its default, or with a value for a first contest."""

_TABLE = re.compile(r"\[(\w+)\]")
_SETTING = re.compile(r"(?:# )?(\w+) = .*?(?: +# (.*))?$")
_MORE = re.compile(r"#? +# (.*)$")


def _comments() -> dict[str, str]:
    """Return what the comments in the contest.toml of `arena init` say of each setting, by key."""
    found: dict[str, str] = {}
    table = key = ""
    text = CONTEST_TEMPLATE.read_text("utf-8")
    for line in text.partition("\n# [[bot]]")[0].split("\n"):
        if heading := _TABLE.match(line):
            table, key = f"{heading[1]}.", ""
        elif setting := _SETTING.match(line):
            key = table + setting[1]
            found[key] = setting[2] or ""
        elif key and (more := _MORE.match(line)):
            found[key] = f"{found[key]} {more[1]}".lstrip()
    return found


HELP = {
    key: text for key, text in _comments().items() if not key.startswith(("serve.", "site."))
} | {
    "rounds": "Rounds of each variant. In a round, each bot plays one game or has a bye.",
    "variants": "Play this variant; may be repeated. Default: all.",
    "games": "Play all variants of this game; may be repeated.",
    "until": "`certain` ends a variant when the order of its bots is certain; --rounds is then the "
    "most that is played.",
    "epsilon": f"With --until: scores that differ by less are close. Default: {RULE.epsilon:g}.",
    "confidence": f"With --until: in percent. Default: {RULE.confidence:g}.",
    "order": "What the tables are ordered by. Default: rating; with --until, score.",
    "entrants.submissions": "A folder with the bots of students: for each a .py file, a .zip or a "
    "folder, or the submissions of `arena submit`.",
    "entrants.bots": "Enter a bot: a name of `arena games`, a .py file, a .zip or a folder; "
    "may be repeated. `quick`, the default without submissions, enters all quick bots.",
    "schedule": "The schedule of the run.",
    "entrants.challengers": "Enter a bot as --bot does, or name a submission, as a challenger of "
    "the gauntlet; may be repeated.",
    "secret": "The file of the secret from which all deals follow. Default: the run draws a "
    "secret and keeps it in its folder.",
    "seed": "Deals from this number instead, for experiments that can be repeated. Bots may "
    "predict them.",
    "machine.executor": "The executor: local, dask, or that of an installed plugin.",
    "machine.scheduler": "With --executor dask: the address of the Dask scheduler. Default: a "
    "cluster on this machine.",
    "name": "Name of the run and its folder. Default: date and time.",
    "entrants.check": "Check a bot that was put into the folder before it plays.",
    "deadline.opens": "The time before which submissions are refused.",
    "deadline.due": "The time at which submissions are due, in the zone of this machine unless it "
    "has one, such as +01:00.",
    "deadline.grace_minutes": "Minutes after the deadline in which a submission is still on time.",
    "deadline.late": "`accept` marks later submissions, `refuse` refuses them.",
    "limits.cpu_ms": "Processor time for an action. Default: that of --move-ms.",
    "packages.allow": "Allow a Python package, such as numpy; may be repeated.",
    "packages.folder": "The folder of the wheels and installed packages.",
    "sandbox.level": "The sandbox of the bots. `auto` selects the strongest that works here, and "
    "reports it.",
}
"""By setting, in the order of the help."""
NAMES = {
    "variants": "--variant",
    "games": "--game",
    "entrants.bots": "--bot",
    "entrants.challengers": "--challenger",
    "entrants.interpreters": "--interpreter",
    "sandbox.level": "--sandbox",
    "packages.allow": "--allow-package",
    "packages.folder": "--packages",
}
"""The options that are not called as their key."""
PATH = click.Path()
PRESENT_FILE = click.Path(exists=True, dir_okay=False)
_BOT: Mapping[str, Any] = {"metavar": "NAME|PATH", "shell_complete": complete_bots}
MORE: Mapping[str, Mapping[str, Any]] = {
    "variants": {"metavar": "ID", "shell_complete": complete_variants},
    "games": {"metavar": "ID", "shell_complete": complete_games},
    "until": {"type": click.Choice(STOP_RULES)},
    "confidence": {"metavar": "PERCENT"},
    "order": {"type": click.Choice(ORDERS)},
    "entrants.submissions": {"type": click.Path(exists=True, file_okay=False)},
    "entrants.roster": {"type": PRESENT_FILE, "metavar": "FILE"},
    "entrants.bots": _BOT,
    "schedule": {"metavar": "NAME"},
    "entrants.challengers": _BOT,
    "entrants.interpreters": {"metavar": "PROGRAM"},
    "secret": {"type": PATH, "metavar": "FILE"},
    "machine.executor": {"metavar": "local|dask"},
    "machine.scheduler": {"metavar": "ADDRESS"},
    "name": {"shell_complete": complete_runs},
    "deadline.opens": {"metavar": "TIME"},
    "deadline.due": {"metavar": "TIME"},
    "deadline.late": {"type": click.Choice(LATE_RULES)},
    "limits.bank_ms": {"show_default": False},
    "sandbox.level": {"metavar": LEVELS},
    "sandbox.readable": {"type": click.Path(exists=True)},
    "packages.allow": {"metavar": "PACKAGE"},
    "packages.folder": {"type": PATH, "metavar": "DIR"},
    "results": {"type": PATH},
    "publish": {"type": PATH, "metavar": "DIR"},
}
"""Arguments of click for an option, beside those from its field in `Contest`."""


MOST_USED = (
    "rounds",
    "games",
    "variants",
    "entrants.bots",
    "entrants.submissions",
    "name",
    "seed",
    "until",
    "machine.workers",
    "publish",
)
OTHERS = "Run"


def _place(key: str) -> int:
    return MOST_USED.index(key) if key in MOST_USED else len(MOST_USED)


class SettingsCommand(click.Command):
    """A command whose help lists the settings that are used most first, the others by table."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Most used": [], OTHERS: []}
        options = self.get_params(ctx)
        options.sort(key=lambda option: _place(getattr(option, "key", "")))
        for parameter in options:
            key = parameter.key if isinstance(parameter, Setting) else ""
            table = key.partition(".")[0].capitalize() if "." in key else OTHERS
            heading = "Most used" if key in MOST_USED else table
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                sections.setdefault(heading, []).append(record)
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


class Setting(click.Option):
    """The option for a setting, with the bounds and default of the field in `Contest`."""

    def __init__(self, declared: list[str], key: str, **more: Any) -> None:
        self.key = key
        default = value_of(_DEFAULTS, key)
        is_list = isinstance(default, tuple)
        settings = {
            "type": _type_of(key),
            "show_default": not (is_list or default is None),
            "help": f"{HELP[key][:1].upper()}{HELP[key][1:].rstrip('.')}.",
        }
        super().__init__(declared, default=default, multiple=is_list, **{**settings, **more})

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help, which names the schedules that are registered."""
        if self.key == "schedule":
            known = [f"{name} ({schedule.summary})" for name, schedule in schedules().items()]
            self.help = f"The schedule: {', '.join(known)}."
        return super().get_help_record(ctx)


def setting_option(key: str, parameter: str = "") -> Decorator[Any]:
    """Return the option for a setting; `parameter` is its name in the command, if not the key."""
    name = NAMES.get(key) or f"--{key.rpartition('.')[2].replace('_', '-')}"
    if isinstance(value_of(_DEFAULTS, key), bool):
        name = f"{name}/--no-{name[2:]}"
    parameter = parameter or key.replace(".", "__")
    return click.option(name, parameter, cls=Setting, key=key, **MORE.get(key, {}))


def setting_options(*chosen: str) -> Callable[[CommandT], CommandT]:
    """Add the options for the chosen tables and keys to a command; without any, all options."""

    def decorate(command: CommandT) -> CommandT:
        for key in reversed(HELP):
            if not chosen or key in chosen or key.partition(".")[0] in chosen:
                command = setting_option(key)(command)
        return command

    return decorate


sandbox_option = setting_option("sandbox.level", "level")
interpreters_option = setting_option("entrants.interpreters", "interpreters")
readable_option = setting_option("sandbox.readable", "readable")


def given(context: click.Context) -> dict[str, Any]:
    """Return the settings given on the command line, by key."""
    return {
        option.key: context.params[option.name]
        for option in context.command.params
        if isinstance(option, Setting)
        and option.name
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def _type_of(key: str) -> click.ParamType[Any] | None:
    """Return the type of an option, a number with its bounds, or None for click's default."""
    kind = msgspec.inspect.type_info(_FIELDS[key].type)
    if isinstance(kind, msgspec.inspect.UnionType):
        kinds = [kind for kind in kind.types if not isinstance(kind, msgspec.inspect.NoneType)]
        kind = kinds[0]
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
