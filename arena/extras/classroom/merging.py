"""Runs with the same settings, whose variants were played apart, are merged into one.

They are merged if they are as they were played.
"""

from collections.abc import Callable, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.base.record import read_result
from arena.contest.run_roster import ROSTER
from arena.tournament.database import StoredGame
from arena.tournament.game_queue import kept_games
from arena.tournament.resuming import changes, conflicts
from arena.tournament.run import finish
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import NewPosition, Row, Store
from arena.tournament.verification import verify_run

ADDED_TOGETHER = 1_000
"""Games that are stored in one transaction."""


def united_settings(all_settings: Sequence[Settings]) -> Settings:
    """Return the settings of a run with the variants of all, in their order.

    Raises:
        SettingsError: they differ in more than their variants, two have the same variant, or a run
            ends by a stop rule or has lost bots.
    """
    first, variants = all_settings[0], all_settings[0].variants
    for other in all_settings[1:]:
        if again := [variant for variant in other.variants if variant in variants]:
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
    if any(settings.may_end_early or settings.dropped_bots for settings in all_settings):
        raise SettingsError(
            "got a run with a stop rule, a comparison or a run that bots have left: only runs "
            "whose schedules are fixed can be merged"
        )
    return msgspec.structs.replace(first, variants=variants)


def merge(folder: Path, runs: Sequence[Store], notice: Callable[[str], object]) -> Store:
    """Return a new run in `folder` with the games of `runs`, which are verified and stay as they
    are.

    A game counts if the withdrawn bots in it are those of the united schedule. If games are
    missing, playing the run plays them; otherwise it gets its leaderboard.

    Args:
        folder: the folder of the new run.
        runs: at least one.
        notice: called with a sentence about what is taken of each run.

    Raises:
        SettingsError: the runs do not fit together.
        StoreError: a run cannot be read or is not as it was played, or the new one cannot be
            written.
    """
    settings = united_settings([run.settings() for run in runs])
    secret = runs[0].secret(settings.secret)
    for run in runs:
        notice(_verified(run))
    store = Store.create(folder, settings, secret)
    try:
        games = enumerate(chain.from_iterable([run.counting_games() for run in runs]))
        while some := [_row(*stored) for stored in islice(games, ADDED_TOGETHER)]:
            store.add_rows(some)
        moves: list[NewPosition] = list(kept_games(store, settings, settings.chance(secret)))
        store.reschedule(settings, moves)
        if (runs[0].folder / ROSTER).is_file():
            store.write(ROSTER, runs[0].read(ROSTER))
        if is_complete(store):
            finish(store)
    except BaseException:
        store.close()
        raise
    return store


def _verified(run: Store) -> str:
    """Verify a run, and return what is taken of it. Raises `StoreError` if it has differences."""
    verified = verify_run(run)
    differences = [*verified.in_games, *verified.in_run]
    if differences:
        raise StoreError(
            f"the run {run.name} is not as it was played, so nothing was merged: {differences[0]}; "
            f"`arena verify {run.name}` lists all {len(differences):,} differences"
        )
    variants = ", ".join(run.settings().variants)
    return f"took {run.count()} games of {variants} from {run.name}, which match their records"


def _row(position: int, game: StoredGame) -> Row:
    """Return a stored game for another run, in which it has this position."""
    result = read_result(game.result)
    return Row(game.key, position, result, game.record, game.seen)
