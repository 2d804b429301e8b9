"""A run: create it or open it again, and play its missing games."""

from collections.abc import Callable
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
    from arena.tournament.comparison import ComparisonLooks


def open_or_create(
    folder: Path, settings: Settings, notice: Callable[[str], object], secret: Secret | None = None
) -> Store:
    """Return the store of a run with these settings, locked for this process.

    An existing run may have grown: it may get more rounds, variants or bots, and bots whose code
    has changed. It then gets a new schedule. Games that are in both schedules are kept.

    Args:
        folder: the folder of the run.
        settings: the settings to play.
        notice: called with a sentence for each change of an existing run.
        secret: the secret of `settings`, if they have one. The run keeps it in its folder.

    Raises:
        SettingsError: the run in `folder` cannot be resumed with `settings`.
        StoreError: the folder cannot be used, or another process is playing the run.
    """
    if not (folder / DATABASE).is_file():
        return Store.create(folder, settings, secret)
    store = Store.own(folder)
    try:
        _resume(store, settings, notice, secret)
    except BaseException:
        store.close()
        raise
    return store


def _resume(
    store: Store, settings: Settings, notice: Callable[[str], object], secret: Secret | None
) -> None:
    """Give an existing run these settings."""
    before = store.settings()
    if reasons := list(conflicts(before, settings)):
        raise SettingsError(
            f"the run {store.folder.name} exists with other settings (now {'; '.join(reasons)} as "
            "in the run): give it the run's values again, in contest.toml or as options; only "
            "rounds, variants and bots may be added. Or choose another name with --name"
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
        notice(f"{store.count()} of the {played} games played before stay")
    if aside := store.count_aside():
        notice(f"{aside} games of former schedules are kept but do not count")


def play_missing(  # noqa: PLR0913
    store: Store,
    settings: Settings,
    executor: Executor,
    progress: Callable[[int], object],
    looked: Callable[[str, "Certificate"], object] | None = None,
    weighed: Callable[["ComparisonLooks"], object] | None = None,
) -> None:
    """Play the games of a run that its store does not have, and store them as they end.

    A comparison is over at its verdict. Games after it are set aside by `finish`, so that the
    records that count do not depend on the executor. The last parameters are independent listeners.

    Args:
        store: gets the records as games end.
        settings: the settings of the run.
        executor: plays the games. The records do not depend on it.
        progress: called with the number of games that count now and did not before. It is negative
            for games of a former schedule that are set aside, to be played again.
        looked: called in a run with a stop rule, after each look, with the variant and what is
            certain about its order.
        weighed: called in a comparison instead of `progress`, also before the first game, with the
            evidence so far.

    Raises:
        RunStopped: the user pressed Ctrl-C, or a signal did the same. All games played so far
            are stored.
    """
    looks: ComparisonLooks | None = None
    try:
        with executor:  # before, it may not know its width
            queue = GameQueue(store, settings, executor.width, executor.games_at_once)
            queue.on_recount = progress
            queue.on_look = looked or queue.on_look
            looks = queue.looks
            if looks and weighed:
                weighed(looks)
            for played in executor.play_batches(queue.take):
                rows = [queue.finish(game) for game in played]
                try:
                    executor.hand_out()
                finally:
                    store.add_rows(rows)
                if looks and weighed:
                    weighed(looks)
                else:
                    progress(len(rows))
                queue.plan_ahead(len(rows))  # these have some times as many games
    except KeyboardInterrupt:
        played_so_far = f"{store.count()} of {games_to_play(settings)}"
        if looks:
            played_so_far = f"{looks.evidence.boards} boards, undecided"
        raise RunStopped(f"stopped after {played_so_far}") from None


def finish(store: Store) -> "Leaderboard":
    """Write the leaderboard of a run whose games are played, note its digest, and return it.

    The schedule of a comparison ends at its verdict, and its result is written too. The digest is
    noted last. A run that is killed before that is finished when it is resumed.

    Raises:
        StoreError: the folder cannot be written.
    """
    # Not above: the first game starts earlier without the ratings.
    from arena.rating.leaderboard_files import as_csv, as_json
    from arena.tournament.digest import public, run_digest
    from arena.tournament.standings import rank

    if store.settings().is_comparison:
        _end_at_verdict(store)
    board = rank(store)
    store.write("leaderboard.json", as_json(board))
    store.write("leaderboard.csv", as_csv(board))
    settings = public(store.settings(), is_over=True)
    store.note_digest(run_digest(settings, store.record_digests(), board))
    return board


def _end_at_verdict(store: Store) -> None:
    """End the schedule of a comparison at its verdict, and write what the boards up to it say."""
    from arena.tournament.comparison import COMPARISON_FILE, comparison_of, with_boards

    settings = store.settings()
    result = comparison_of(settings, store.results())
    final = with_boards(settings, result.boards)
    if final != settings:
        chance = final.chance(store.secret(final.secret))
        store.reschedule(final, kept_games(store, final, chance))
    store.write(COMPARISON_FILE, indented(result))
