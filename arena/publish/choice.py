"""Choice of the games that are published with replays."""

import re
from typing import Literal

import msgspec

from arena.errors import SettingsError

DEFAULT_SAMPLE = 48


class Choice(msgspec.Struct, frozen=True):
    """All games, those with faults, or those with faults and a sample.

    Notable games of each bot always get a replay, because its page links to them.
    """

    kind: Literal["all", "faults", "sample"] = "sample"
    number: int = DEFAULT_SAMPLE
    """The size of the sample."""


def read_choice(text: str) -> Choice:
    """Return the choice that the option `--games` names.

    Raises:
        SettingsError: `text` is not a choice.
    """
    if text == "all":
        return Choice("all", 0)
    if text == "faults":
        return Choice("faults", 0)
    if found := re.fullmatch(r"sample:([0-9]{1,7})", text, re.ASCII):
        return Choice("sample", int(found[1]))
    raise SettingsError(
        f"--games: got {text[:40]!r}, expected all, faults or sample:N, as sample:{DEFAULT_SAMPLE}"
    )
