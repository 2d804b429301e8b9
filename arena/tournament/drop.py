"""Bots that leave a run: their games no longer count, and those of the others stay.

The schedule still has the bot that has left, so that the boards of all others keep their players,
deals and keys. Boards with it are left out: games that were played are set aside, and others are
not played. The settings of the run say who has left, so `arena verify` and the digest know it.
"""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from arena.errors import SettingsError
from arena.tournament.backlog import kept_games
from arena.tournament.games import with_dropped
from arena.tournament.run import finish
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import Store
from engine import get_variant
from engine.errors import unknown


class Left(NamedTuple):
    """What became of the games of a run."""

    before: int
    """Games that counted before."""
    now: int
    """Games that still count, or count again."""
    is_complete: bool
    """Whether no game is missing. Otherwise the command of the run plays on."""


def drop(store: Store, bots: Collection[str]) -> Left:
    """Leave out the games of `bots`, and of no others, from a run that this process owns.

    With a bot fewer among `bots` than before, that bot is in the run again, with its games.

    Raises:
        SettingsError: there is no such bot, too few would stay, or the schedule of the run depends
            on its games.
    """
    settings = store.settings(Settings)
    _check(settings, frozenset(bots))
    chance = settings.chance(store.secret(settings.secret))
    before = store.count()
    now = with_dropped(settings, bots, chance)
    store.reschedule(now, kept_games(store, now, chance))
    if complete := is_complete(store):
        finish(store)
    return Left(before, store.count(), complete)


def _check(settings: Settings, bots: frozenset[str]) -> None:
    names = [one.name for one in settings.entrants if not one.guest]
    for bot in sorted(bots):
        if bot not in names:
            raise SettingsError(unknown("bot of the run", bot, names))
    if settings.stop_rule is not msgspec.UNSET or settings.boards_per_deal > 1:
        raise SettingsError(
            "which boards this run plays depends on the games before them, so no bot can leave it: "
            "play the contest without the bot under another name, with --name"
        )
    for variant in map(get_variant, settings.variants):
        staying = [name for name in settings.players(variant) if name not in bots]
        if len(staying) < variant.seats:
            raise SettingsError(
                f"{variant.id} has {variant.seats} seats, but only {len(staying)} bots would stay: "
                "play the contest without the bot under another name, with --name"
            )
