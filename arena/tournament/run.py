"""Create or resume a run, and play its remaining games."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from arena.base.contracts import Executor
from arena.base.errors import RunStopped, SettingsError
from arena.base.protocol import indented
from arena.schedule.randomness import Secret
from arena.tournament.game_queue import GameQueue, kept_games
from arena.tournament.games import games_to_play
from arena.tournament.resuming import changes, conflicts
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.rating.leaderboard import Leaderboard
    from arena.tournament.comparison import SequentialComparison


def open_or_create(
    folder: Path,
    settings: Settings,
    notice: Callable[[str], object],
    secret: Secret | None = None,
) -> Store:
    """Create or resume a run, and lock it for this process.

    `notice` is called with a description of each setting that has changed since the run was
    created.

    Raises:
        SettingsError: The folder contains a run that can't be resumed with the given settings.
        StoreError: The folder can't be used, or another process has locked the run.
    """
    if not (folder / DATABASE).is_file():
        return Store.create(folder, settings, secret)
    with ExitStack() as opened:
        store = opened.enter_context(Store.own(folder))
        _resume(store, settings, notice, secret)
        opened.pop_all()
    return store


def _resume(
    store: Store,
    settings: Settings,
    notice: Callable[[str], object],
    secret: Secret | None,
) -> None:
    before = store.settings()
    if found := list(conflicts(before, settings)):
        raise SettingsError(
            f"cannot resume the run {store.folder.name} with other settings: "
            f"{'; '.join(found)}; to resume the run, use its settings, or choose another --name "
            "for a new run"
        )
    if secret:
        store.keep_secret(secret)
    chance = settings.chance(store.secret(settings.secret))
    if before == settings:
        return
    for change in changes(before, settings):
        notice(change)
    played = store.count()
    store.reschedule(settings, kept_games(store, settings, chance))
    if store.count() < played:
        notice(f"kept {store.count()} of the {played} games that were played before")
    if aside := store.count_aside():
        notice(f"{aside} games from earlier schedules are kept, but do not count")


def play_missing(  # noqa: PLR0913
    store: Store,
    settings: Settings,
    executor: Executor,
    progress: Callable[[int], object],
    on_ranking: Callable[[str, "Certificate"], object] | None = None,
    on_comparison: Callable[["SequentialComparison"], object] | None = None,
) -> None:
    """Play the remaining games of a run, and store each game when it ends.

    The callbacks are methods of a `RunObserver`, such as `RunObserver.advance` for `progress`.
    In a comparison, `on_comparison` is called instead of `progress` after games are stored.

    Raise `RunStopped` on Ctrl-C.
    """
    comparison: SequentialComparison | None = None
    try:
        with executor:  # the width may be unknown before
            queue = GameQueue(store, settings, executor.width, executor.games_at_once)
            queue.on_recount = progress
            queue.on_ranking = on_ranking or queue.on_ranking
            comparison = queue.comparison
            if comparison and on_comparison:
                on_comparison(comparison)
            for played in executor.play_batches(queue.take):
                for game in played:
                    queue.finish(game)
                try:
                    executor.hand_out()
                finally:
                    queue.store_finished()
                if comparison and on_comparison:
                    on_comparison(comparison)
                else:
                    progress(len(played))
                queue.plan_ahead(len(played))  # a generous number of boards
    except KeyboardInterrupt:
        played_so_far = f"{store.count()} of {games_to_play(settings)}"
        if comparison:
            played_so_far = f"{comparison.evidence.boards} boards, undecided"
        raise RunStopped(f"stopped after {played_so_far}") from None


def finish(store: Store) -> "Leaderboard":
    """Store the leaderboard and the digest of a complete run, and return the leaderboard."""
    # Imported here so that the first game starts earlier.
    from arena.rating.leaderboard_files import as_csv, as_json
    from arena.tournament.digest import public, records_hash, run_digest
    from arena.tournament.standings import rank

    if store.settings().is_comparison:
        _end_at_verdict(store)
    board = rank(store)
    store.write("leaderboard.json", as_json(board))
    store.write("leaderboard.csv", as_csv(board))
    settings = public(store.settings(), is_over=True)
    # The digest is stored last: without a digest, the run can be resumed.
    store.note_digest(run_digest(settings, records_hash(store.record_digests()), board))
    return board


def _end_at_verdict(store: Store) -> None:
    from arena.tournament.comparison import COMPARISON_FILE, comparison_of, with_boards

    settings = store.settings()
    result = comparison_of(settings, store.results())
    final = with_boards(settings, result.boards)
    if final != settings:
        chance = final.chance(store.secret(final.secret))
        store.reschedule(final, kept_games(store, final, chance))
    store.write(COMPARISON_FILE, indented(result))
