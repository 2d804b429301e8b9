"""A run: create it or open it again, and play its missing games."""

from collections.abc import Callable
from pathlib import Path

from arena.contracts import Executor
from arena.errors import RunStopped, SettingsError
from arena.record import GameRecord
from arena.tournament.backlog import Backlog
from arena.tournament.games import count_games, scheduled_games
from arena.tournament.settings import Settings
from arena.tournament.settings_diff import changes, conflicts
from arena.tournament.store import DATABASE, Store


def open_or_create(folder: Path, settings: Settings, notice: Callable[[str], object]) -> Store:
    """Return the store of a run with these settings, locked for this process.

    An existing run may have grown: it may get more rounds, variants or bots, and bots whose code
    has changed. It then gets a new schedule. Games that are in both schedules are kept.

    Args:
        folder: the folder of the run.
        settings: the settings to play.
        notice: called with a sentence for each change of an existing run.

    Raises:
        SettingsError: the run in `folder` cannot be resumed with `settings`.
        StoreError: the folder cannot be used, or another process is playing the run.
    """
    if not (folder / DATABASE).is_file():
        return Store.create(folder, settings)
    store = Store.own(folder)
    try:
        _resume(store, settings, notice)
    except BaseException:
        store.close()
        raise
    return store


def _resume(store: Store, settings: Settings, notice: Callable[[str], object]) -> None:
    """Give an existing run these settings."""
    before = store.settings(Settings)
    if reasons := list(conflicts(before, settings)):
        raise SettingsError(
            f"the run {store.folder.name} exists with other settings ({'; '.join(reasons)}): "
            "resume it with its own settings, to which you may add rounds, variants and bots, or "
            "choose another name with --name"
        )
    if before == settings:
        return
    for change in changes(before, settings):
        notice(change)
    keys = (game.key for game in scheduled_games(settings))
    # The withdrawals of a game depend on the whole schedule before it.
    without = [record.key for record in store.all_records() if _has_withdrawn_bot(record)]
    if left_out := store.reschedule(settings, keys, without):
        notice(f"{left_out} games of former schedules are kept but do not count")


def _has_withdrawn_bot(record: GameRecord) -> bool:
    return any(fault.kind == "withdrawn" for fault in record.faults)


def play_missing(
    store: Store, settings: Settings, executor: Executor, progress: Callable[[int], object]
) -> None:
    """Play the games of a run that its store does not have.

    Args:
        store: gets the records as games end.
        settings: the settings of the run.
        executor: plays the games. The records do not depend on it.
        progress: called with the number of games that were added.

    Raises:
        RunStopped: the user pressed Ctrl-C, or a signal did the same. All games played so far
            are stored.
    """
    backlog = Backlog(store, settings)
    try:
        with executor:
            for played in executor.play(backlog.batches(executor.width)):
                store.add(
                    [(one.key, backlog.finish(one), bytes(one.record), one.seen) for one in played]
                )
                progress(len(played))
    except KeyboardInterrupt:
        raise RunStopped(
            f"stopped after {store.count()} of {count_games(settings)} games"
        ) from None
