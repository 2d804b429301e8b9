"""Guests: bundled bots that fill the tables of a variant that has more seats than bots."""

from collections.abc import Sequence

import msgspec

from arena.contest.entrants import find_entrants, introduce
from arena.contest.settings import QUICK
from arena.contracts import SandboxSettings
from arena.protocol import Limits
from arena.record import GUEST_MARK, Entrant
from engine import get_variant


def find_guests(
    entrants: Sequence[Entrant], variants: Sequence[str], limits: Limits, sandbox: SandboxSettings
) -> list[Entrant]:
    """Return guests to fill the empty seats of each variant, as far as there are enough bots.

    Guests are the first quick bots that play the game and are not entered themselves. Their names
    end in `(guest)`.

    Raises:
        BotError: a bot does not start.
    """
    missing: dict[str, int] = {}
    for variant in map(get_variant, variants):
        playing = sum([one.plays(variant.game) for one in entrants])
        missing[variant.game] = max(variant.seats - playing, missing.get(variant.game, 0))
    if not any(missing.values()):
        return []
    entered = {one.fingerprint for one in entrants}
    candidates = [one for one in find_entrants([QUICK]) if one.fingerprint not in entered]
    lacking = [game for game, number in missing.items() if number]
    candidates = [one for one in candidates if any(map(one.plays, lacking))]
    candidates = introduce(candidates, limits, sandbox)
    needed = {
        one.name
        for game, number in missing.items()
        for one in [one for one in candidates if one.plays(game)][:number]
    }
    return [
        msgspec.structs.replace(one, name=one.name + GUEST_MARK)
        for one in candidates
        if one.name in needed
    ]
