"""Changes of runs that are over or stopped: a bot leaves, or runs are merged into one.

The games of a bot that leaves no longer count, and those of the others stay. The schedule still
has the bot, so that the boards of all others keep their players, deals and keys. Boards with it are
left out: games that were played are set aside, and others are not played. The settings of the run
say which bots have left, and `arena verify` and the digest use that.

Runs with the same settings, whose variants were played apart, are merged if they are as they were
played.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.base.errors import SettingsError, StoreError
from arena.base.record import read_result
from arena.contest.run_roster import ROSTER
from arena.tournament.database import StoredGame
from arena.tournament.game_queue import kept_games
from arena.tournament.games import with_dropped
from arena.tournament.resuming import changes, conflicts
from arena.tournament.run import finish
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import NewPosition, Row, Store
from arena.tournament.verification import verify_run
from engine import get_variant
from engine.errors import unknown


class Left(NamedTuple):
    """The games of a changed run."""

    before: int
    """Games that counted before."""
    now: int
    """Games that still count, or count again."""
    is_complete: bool
    """Whether no game is missing. Otherwise the command of the run plays on."""


def drop(store: Store, bots: Collection[str], *, fill: bool = False) -> Left:
    """Leave out the games of `bots`, and of no others, from a run that this process owns.

    With a bot fewer among `bots` than before, that bot is in the run again, with its games. With
    `fill`, the next command of the run fills empty seats.

    Raises:
        SettingsError: there is no such bot, too few would stay in a run without guests, or the
            schedule of the run depends on its games.
    """
    settings = store.settings()
    _check(settings, frozenset(bots), fill=fill)
    chance = settings.chance(store.secret(settings.secret))
    before = store.count()
    now = with_dropped(settings, bots, chance)
    store.reschedule(now, kept_games(store, now, chance))
    if complete := is_complete(store):
        finish(store)
    return Left(before, store.count(), complete)


def _check(settings: Settings, bots: frozenset[str], *, fill: bool) -> None:
    names = [entrant.name for entrant in settings.entrants if not entrant.guest]
    for bot in sorted(bots):
        if bot not in names:
            raise SettingsError(unknown("bot of the run", bot, names))
    if settings.stop_rule is not msgspec.UNSET or settings.boards_per_deal > 1:
        raise SettingsError(
            "which boards this run plays depends on the games before them, so no bot can leave it: "
            "play the contest without the bot under another name, with --name"
        )
    if fill or len(names) < len(settings.entrants):  # the next command of the run adds a guest
        return
    for variant in map(get_variant, settings.variants):
        staying = [name for name in settings.players(variant) if name not in bots]
        if len(staying) < variant.seats:
            raise SettingsError(
                f"{variant.id} has {variant.seats} seats, but only {len(staying)} bots would stay: "
                "play the contest without the bot under another name, with --name"
            )


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
