"""The run of a comparison: create it or open it again, and play until there is a verdict."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.contracts import Executor
from arena.errors import RunStopped, SettingsError
from arena.schedule.chance import Secret
from arena.tournament.backlog import Backlog, kept_games
from arena.tournament.comparison import (
    COMPARISON_FILE,
    ComparisonResult,
    Looks,
    boards_in,
    comparison_json,
    comparison_of,
    with_boards,
)
from arena.tournament.games import count_games
from arena.tournament.portion_sizes import PortionSizes
from arena.tournament.run import finish, open_or_create, play_backlog
from arena.tournament.settings import Settings
from arena.tournament.settings_diff import changes, conflicts
from arena.tournament.store import DATABASE, Store

PORTIONS = PortionSizes(initial=16, largest=64)
"""Small, since what is played after the verdict does not count."""


def open_comparison(folder: Path, settings: Settings, secret: Secret | None) -> Store:
    """Return the store of a comparison, locked for this process.

    An existing one is resumed. It may get more boards while there is no verdict.

    Raises:
        SettingsError: `folder` has another comparison, or a run.
        StoreError: the folder cannot be used, or another process is playing the comparison.
    """
    if (folder / DATABASE).is_file():
        with Store.open(folder) as store:
            settings = _resumed(store, settings)
    return open_or_create(folder, settings, lambda _: None, secret)


def _resumed(store: Store, settings: Settings) -> Settings:
    """Return the settings with which the comparison in `store` goes on."""
    before = store.settings(Settings)
    if not before.is_comparison:
        raise SettingsError(
            f"{store.folder} is a run that compares no versions: choose another folder with --out"
        )
    alike = msgspec.structs.replace(settings, rounds=before.rounds)
    grown = [change.partition(";")[0] for change in changes(before, alike)]  # not what follows
    if reasons := [*conflicts(before, alike), *grown]:
        raise SettingsError(
            f"{store.folder} has another comparison ({'; '.join(reasons)}): choose another folder "
            "with --out"
        )
    if _looks_at(store, before).is_decided:
        return alike
    if settings.rounds < before.rounds:
        boards = boards_in(before)
        raise SettingsError(
            f"the comparison in {store.folder} has a budget of {boards} boards: got "
            f"--budget {boards_in(settings)}, expected {boards} or more"
        )
    return settings


def _looks_at(store: Store, settings: Settings) -> Looks:
    looks = Looks(settings)
    for result in store.results():
        looks.add(result)
    return looks


def play_comparison(
    store: Store, executor: Executor, progress: Callable[[Looks], object]
) -> ComparisonResult:
    """Play the missing games of a comparison until there is a verdict, and return its result.

    Games after the verdict are set aside, so the result, the records that count and their digest do
    not depend on the executor.

    Args:
        store: gets the records as games end, and `comparison.json`.
        executor: plays the games.
        progress: called after games have ended.

    Raises:
        RunStopped: the user pressed Ctrl-C, or a signal did the same. All games played so far
            are stored.
    """
    settings = store.settings(Settings)
    looks = _looks_at(store, settings)
    progress(looks)
    if not looks.is_decided and store.count() < count_games(settings):
        try:
            backlog = Backlog(store, settings)
            play_backlog(store, backlog, executor, lambda _: progress(looks), looks)
        except KeyboardInterrupt:
            raise RunStopped(f"stopped after {looks.evidence.boards} boards, undecided") from None
    return _settle(store, settings, looks)


def _settle(store: Store, settings: Settings, looks: Looks) -> ComparisonResult:
    """End the schedule at the verdict, and write what the boards up to it say."""
    final = with_boards(settings, looks.evidence.boards)
    if final != settings:
        chance = final.chance(store.secret(final.secret))
        store.reschedule(final, kept_games(store, final, chance))
    result = comparison_of(final, store.results())
    store.write(COMPARISON_FILE, comparison_json(result))
    finish(store)
    return result
