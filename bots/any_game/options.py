"""Command-line options that limit a bot's simulations."""

import argparse
from collections.abc import Sequence
from typing import TypeVar

from arena.bot import Bot

_Bot = TypeVar("_Bot", bound=type[Bot])


def with_options(bot_class: _Bot, description: str, arguments: Sequence[str] | None) -> _Bot:
    """Return a subclass of the bot whose search limits are set by command-line options."""
    parser = argparse.ArgumentParser(prog=f"bots {bot_class.name}", description=description)
    limits = {
        "iterations": "simulated games for a decision",
        "milliseconds": "time limit for a decision",
    }
    for name, text in limits.items():
        default = getattr(bot_class, name)
        shown = f"{text} (default: {'no limit' if default is None else default})"
        parser.add_argument(f"--{name}", type=_positive, default=default, help=shown)
    chosen = vars(parser.parse_args(arguments))
    return type(bot_class.__name__, (bot_class,), chosen)  # type: ignore[return-value]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {number}")
    return number
