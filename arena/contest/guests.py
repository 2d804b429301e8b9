"""Guests: bundled bots that fill the tables of a variant that has more seats than bots."""

from collections.abc import Sequence

import msgspec

from arena.contest.entrants import QUICK, find_entrants, introduce
from arena.contracts import SandboxSettings
from arena.protocol import Limits
from arena.record import GUEST_MARK, Entrant
from engine import get_variant


def find_guests(
    entrants: Sequence[Entrant], variants: Sequence[str], limits: Limits, sandbox: SandboxSettings
) -> list[Entrant]:
    """Return the guests with whom every variant has a bot for each seat, as far as there are.

    They are the first quick bots that are not entered themselves and play the game. Each name
    ends in `(guest)`.

    Raises:
        BotError: a bot does not start.
    """
    lacking: dict[str, int] = {}
    for variant in map(get_variant, variants):
        playing = sum([one.plays(variant.game) for one in entrants])
        lacking[variant.game] = max(variant.seats - playing, lacking.get(variant.game, 0))
    if not any(lacking.values()):
        return []
    entered = {one.fingerprint for one in entrants}
    bench = [one for one in find_entrants([QUICK]) if one.fingerprint not in entered]
    bench = introduce(bench, limits, sandbox)
    needed = {
        one.name
        for game, number in lacking.items()
        for one in [one for one in bench if one.plays(game)][:number]
    }
    return [
        msgspec.structs.replace(one, name=one.name + GUEST_MARK)
        for one in bench
        if one.name in needed
    ]
