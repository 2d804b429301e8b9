"""Command-line options for contest settings."""

import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from arena.base.errors import SettingsError
from arena.commands.completion import (
    Items,
    complete_bots,
    complete_games,
    complete_runs,
    complete_variants,
)
from arena.contest.contest_file import checked_setting
from arena.contest.settings import Contest, all_settings, value_of
from engine.errors import guess

Decorator = Callable[[click.decorators.FC], click.decorators.FC]
CONTEST_TEMPLATE = Path(__file__).with_name("contest.toml")
OF_A_BOT = ("limits", "sandbox", "entrants.interpreters")
"""Contest settings that also apply to commands such as `arena try`."""
OPTIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "games": ("--game", {
        "metavar": "ID", "shell_complete": complete_games,
        "help": "Play all variants of this game. Repeat the option to add more games.",
    }),
    "variants": ("--variant", {
        "metavar": "ID", "shell_complete": complete_variants,
        "help": "Play this variant. Repeat the option to add more variants. Default: all variants.",
    }),
    "rounds": ("--rounds", {"metavar": "N", "help": "Games per bot and variant. Default: 60."}),
    "entrants.bots": ("--bot", {
        "metavar": "NAME|PATH", "shell_complete": complete_bots,
        "help": "A bot's name, .py file, .zip file or folder. Repeat the option to add more bots. "
        "Use `quick` to add all bundled bots that are marked as quick. Default: all submissions, "
        "or `quick` if there are no submissions.",
    }),
    "name": ("--name", {
        "metavar": "RUN", "shell_complete": complete_runs,
        "help": "Name of the run. Default: the date and time.",
    }),
    "results": ("--results", {"metavar": "DIR", "help": "Folder of all runs. Default: results."}),
    "seed": ("--seed", {"metavar": "N", "help": "Seed for deals that can be repeated."}),
    "until": ("--until", {"metavar": "certain", "help": "Stop when the order is certain."}),
    "machine.workers": ("--workers", {"metavar": "N", "help": "Worker processes. Default: cores."}),
    "sandbox.level": ("--sandbox", {
        "metavar": "LEVEL", "help": "isolated, none, or auto (default).",
    }),
}  # fmt: skip


class Setting(click.Option):
    """A command-line option for a contest setting."""

    def __init__(self, declared: list[str], key: str, **more: Any) -> None:
        self.key = key
        super().__init__(declared, multiple=_is_list(key), **more)


def setting_option(key: str, parameter: str = "") -> Decorator[Any]:
    """Return the command-line option for a contest setting."""
    name, more = OPTIONS[key]
    return click.option(name, parameter or key.replace(".", "__"), cls=Setting, key=key, **more)


def set_option(*chosen: str) -> Decorator[Any]:
    """Return a `--set` option that accepts only the chosen settings and all settings in the chosen
    tables. By default, the option accepts all settings.
    """

    def known() -> list[str]:
        return [
            key
            for key in all_settings()
            if not chosen or key in chosen or key.partition(".")[0] in chosen
        ]

    def read(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
        settings: dict[str, Any] = {}
        for text in texts:
            key, equals, value = text.partition("=")
            key = key.strip()
            if not equals:
                raise click.BadParameter(
                    f"got {text!r}, expected KEY=VALUE, such as limits.move_ms=500"
                )
            if key not in known():
                raise SettingsError(
                    f"unknown setting {key!r}{guess(key, known())} `arena init` writes a "
                    "contest.toml with all settings"
                )
            setting = read_setting(key, value.strip())
            settings[key] = (*settings.get(key, ()), *setting) if _is_list(key) else setting
        return settings

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> Items:
        return [CompletionItem(f"{key}=") for key in known()
                if key.startswith(incomplete)]  # fmt: skip

    return click.option(
        "--set",
        "settings",
        metavar="KEY=VALUE",
        multiple=True,
        callback=read,
        shell_complete=complete,
        help="Change a setting of contest.toml, as in `--set limits.move_ms=500`.",
    )


def read_setting(key: str, text: str) -> Any:
    """Parse the value of a setting. Values can be TOML or plain text.

    Raise `SettingsError` if the value is invalid.
    """
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        value = text
    if _is_list(key) and not isinstance(value, list):
        value = [word.strip() for word in text.split(",") if word.strip()]
    try:
        return checked_setting(key, value)
    except SettingsError:
        with suppress(SettingsError):  # text that looks like a number
            return checked_setting(key, text)
        raise


def given(context: click.Context) -> dict[str, Any]:
    """Return the settings given on the command line. Raise `SettingsError` if one is invalid."""
    settings: dict[str, Any] = dict(context.params.get("settings", {}))
    for option in context.command.params:
        typed = context.params.get(option.name or "")
        if isinstance(option, Setting) and typed not in (None, ()):
            key, many = option.key, isinstance(typed, tuple)
            settings[key] = checked_setting(key, [*typed]) if many else read_setting(key, typed)
    return settings


def _is_list(key: str) -> bool:
    return isinstance(value_of(Contest(), key), tuple)
