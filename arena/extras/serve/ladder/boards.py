"""The boards of the ladder, computed from the games of its run."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.contest.contest_file import read_contest
from arena.contest.run_roster import read_run_roster
from arena.errors import StoreError
from arena.extras.serve.database import DATABASE, Database
from arena.extras.serve.ladder.bot_results import LatestGames, results_of
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    PUBLIC,
    BoardFile,
    FinalFile,
    read_file,
    run_name,
    write_file,
)
from arena.extras.serve.ladder.ladder_times import times_of
from arena.extras.serve.submissions.version_history import note_ratings
from arena.extras.serve.times import local_time
from arena.publish.run_statistics import collect_statistics
from arena.tournament.games import count_games
from arena.tournament.settings import Settings
from arena.tournament.standings import compare, extra_boards, noted_digest, rank, shown_games
from arena.tournament.store import DATABASE as RUN_DATABASE
from arena.tournament.store import Store
from engine import get_variant


def board_of(folder: Path, made: float, *, is_final: bool) -> BoardFile:
    """Return the board of a run, from the boards of games that are over.

    Args:
        folder: the run.
        made: the time of the board, in seconds since 1970.
        is_final: whether the run is a final.

    Raises:
        StoreError: the run cannot be read.
    """
    with Store.open(folder) as store, store.snapshot():
        settings = store.settings(Settings)
        stored, digest = store.journal().games, noted_digest(store)
        is_public = is_final and digest is not None
        secret = store.secret(settings.secret) if is_public else None
        board = rank(store)
        pairs = compare(store)
        latest = LatestGames()
        variants = {one: get_variant(one) for one in settings.variants}
        try:
            games = latest.pass_on(shown_games(store))
            statistics = collect_statistics(games, variants, 0, extra_boards(store))
        except ValueError as error:
            raise StoreError(f"cannot read a record of {folder}: {error}") from None
    shown = [one for one in settings.entrants if one.name not in settings.dropped_bots]
    return BoardFile(
        run=folder.name,
        is_final=is_final,
        is_over=digest is not None,
        made=made,
        stored=stored,
        scheduled=count_games(settings),
        may_end_early=settings.may_end_early,
        board=board,
        students={one.id: one.name for one in read_run_roster(folder).students},
        bots={
            one.name: msgspec.structs.replace(
                results_of(one.name, statistics, pairs, latest),
                author=one.author,
                is_guest=one.guest,
            )
            for one in shown
        },
        latest=latest.all(),
        digest=digest,
        secret=secret.text if secret else "",
    )


class Boards:
    """Writes the boards of a contest whenever its run has other games."""

    def __init__(self, contest_file: Path, clock: Callable[[], float]) -> None:
        """Take the contest, and a `clock` of seconds since 1970."""
        self._contest_file = contest_file
        self._folder = contest_file.parent
        self._clock = clock
        self._known: tuple[object, ...] = ()
        """The state of the run for which the last board was made."""

    def update(self) -> bool:
        """Write the boards that have changed, and return whether there were any.

        Raises:
            ArenaError: the run cannot be read, or the folder cannot be written.
        """
        contest = read_contest(self._contest_file)
        final = read_file(self._folder, FINAL, FinalFile)
        results = Path(contest.results)
        run = results / (final.run if final else run_name(contest))
        is_final = final is not None and (run / RUN_DATABASE).is_file()
        if not is_final:  # no final is requested, or it has not begun
            run = results / run_name(contest)
        if not (run / RUN_DATABASE).is_file():
            return False
        now = local_time(self._clock())
        is_frozen = times_of(contest).is_frozen(now, is_final_over=False)
        known = (*_state_of(run), is_frozen)
        if known == self._known:
            return False
        board = board_of(run, self._clock(), is_final=is_final)
        write_file(self._folder, BOARD, board)
        if not is_final:
            self._note_ratings(run, board)
        if (is_final and board.is_over) if final else not is_frozen:
            write_file(self._folder, PUBLIC, board)
        self._known = known
        return True

    def _note_ratings(self, run: Path, board: BoardFile) -> None:
        """Store the ratings of the versions that play now, for the pages of their students."""
        with Store.open(run) as store:
            entrants = store.settings(Settings).entrants
        fingerprints = {one.name: one.fingerprint for one in entrants}
        with contextlib.closing(Database(self._folder / DATABASE)) as database:
            note_ratings(database, board.board.overall, fingerprints, board.made)


def _state_of(run: Path) -> tuple[object, ...]:
    """Return a value that changes when a run gets games or another schedule, or ends."""
    with Store.open(run) as store:
        journal = store.journal()
        return str(run), journal.head, journal.games, hash(journal.settings), journal.digest
