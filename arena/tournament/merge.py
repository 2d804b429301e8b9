"""One run from several with the same settings, whose variants were played apart."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from arena.contest.run_roster import ROSTER
from arena.errors import SettingsError
from arena.record import NO_OBSERVATIONS, Observations
from arena.tournament.backlog import kept_games
from arena.tournament.run import finish
from arena.tournament.settings import Settings
from arena.tournament.settings_diff import changes, conflicts
from arena.tournament.standings import is_complete
from arena.tournament.store import Move, Store

ADDED_TOGETHER = 1_000
"""Games that are stored in one transaction."""


class _Stored(msgspec.Struct, frozen=True):
    """A game on its way into another run."""

    key: str
    record: bytes
    seen: Observations


def united_settings(all_settings: Sequence[Settings]) -> Settings:
    """Return the settings of a run with the variants of all, in their order.

    Raises:
        SettingsError: they differ in more than their variants, two have the same variant, or a run
            ends by a stop rule or has lost bots.
    """
    first, variants = all_settings[0], all_settings[0].variants
    for other in all_settings[1:]:
        if again := [one for one in other.variants if one in variants]:
            raise SettingsError(
                f"got {', '.join(again)} in two of the runs, expected each variant in one of them"
            )
        variants += other.variants
        alike = msgspec.structs.replace(other, variants=first.variants)
        if differences := [*conflicts(first, alike), *conflicts(alike, first)]:
            raise SettingsError(
                f"the runs have different settings ({'; '.join(differences)}): expected runs that "
                "differ in their variants only"
            )
        if differences := [*changes(first, alike)]:
            raise SettingsError(
                f"the runs have different bots ({'; '.join(differences)}): expected runs that "
                "differ in their variants only"
            )
    if any(one.may_end_early or one.dropped_bots for one in all_settings):
        raise SettingsError(
            "got a run with a stop rule, a comparison or a run that bots have left: only runs "
            "whose schedules are fixed can be merged"
        )
    return msgspec.structs.replace(first, variants=variants)


def merge(folder: Path, runs: Sequence[Store]) -> Store:
    """Return a new run in `folder` with the games of `runs`, which stay as they are.

    A game counts if the withdrawn bots in it are those of the united schedule. If games are
    missing, playing the run plays them; otherwise it gets its leaderboard.

    Raises:
        SettingsError: the runs do not fit together.
        StoreError: a run cannot be read, or the new one cannot be written.
    """
    settings = united_settings([one.settings(Settings) for one in runs])
    secret = runs[0].secret(settings.secret)
    store = Store.create(folder, settings, secret)
    try:
        position = 0
        for run in runs:
            for some in _in_groups(run):
                store.add(
                    [
                        (one.key, place, one.record, one.seen)
                        for place, one in enumerate(some, position)
                    ]
                )
                position += len(some)
        moves: list[Move] = list(kept_games(store, settings, settings.chance(secret)))
        store.reschedule(settings, moves)
        if (runs[0].folder / ROSTER).is_file():
            store.write(ROSTER, runs[0].read(ROSTER))
        if is_complete(store):
            finish(store)
    except BaseException:
        store.close()
        raise
    return store


def _in_groups(run: Store) -> Iterator[list[_Stored]]:
    """Yield the games of a run that count, some at a time."""
    group: list[_Stored] = []
    for game in run.counting_games():
        seen = NO_OBSERVATIONS
        if game.seen:
            seen = msgspec.json.decode(game.seen, type=Observations)
        group.append(_Stored(game.key, game.record, seen))
        if len(group) == ADDED_TOGETHER:
            yield group
            group = []
    if group:
        yield group
