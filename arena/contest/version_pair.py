"""Two versions of a bot, and the field of the bots that both meet."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

import msgspec

from arena.contest.entrants import each_once, introduce, named_bots
from arena.contest.settings import QUICK, Contest
from arena.contest.snapshots import Snapshots
from arena.contracts import SandboxSettings
from arena.errors import BotError
from arena.record import NEW_MARK, OLD_MARK, Entrant
from engine import Variant


class Wanted(NamedTuple):
    """The bots of a comparison as a person names them."""

    old: str
    new: str
    against: Sequence[str]
    """No name stands for all quick registered bots with other code than the versions."""
    variant: Variant


class VersionPair(NamedTuple):
    """The bots of a comparison, introduced."""

    old: Entrant
    new: Entrant
    field: list[Entrant]
    idle: list[str]
    """The names of those that do not play the game. They are not in the field."""


def find_pair(
    wanted: Wanted, contest: Contest, sandbox: SandboxSettings, snapshots: Snapshots
) -> VersionPair:
    """Find and copy two versions of a bot and their field, and start each bot once.

    Raises:
        BotError: a bot cannot be found or does not start, the versions have the same code, or one
            of them does not play the game.
    """
    with ExitStack() as unpacked:
        interpreters = contest.entrants.interpreters
        versions = [wanted.old, wanted.new]
        if QUICK in versions:
            raise BotError(f"{QUICK!r} stands for many bots: name one of them")
        copies = []
        for names in (versions[:1], versions[1:], wanted.against or [QUICK]):
            found = unpacked.enter_context(named_bots(names, interpreters))
            copies += [snapshots.take(bot) for bot in found]
        old, new, *field = copies
    codes = (old.fingerprint, new.fingerprint)
    if old.fingerprint == new.fingerprint:
        raise BotError(
            f"{wanted.old} and {wanted.new} have the same code, so there is nothing to compare: "
            "name two versions that differ"
        )
    if not wanted.against:
        field = [bot for bot in field if bot.fingerprint not in codes]
    old = msgspec.structs.replace(old, name=old.name + OLD_MARK)
    new = msgspec.structs.replace(new, name=new.name + NEW_MARK)
    old, new, *field = introduce([old, new, *each_once(field)], contest.limits, sandbox)
    game = wanted.variant.game
    for bot in (old, new):
        if not bot.plays(game):
            raise BotError(
                f"{bot.name} does not play {game}, only {', '.join(bot.games)}: choose another "
                "variant with --variant"
            )
    idle = [bot.name for bot in field if not bot.plays(game)]
    return VersionPair(old, new, [bot for bot in field if bot.plays(game)], idle)
