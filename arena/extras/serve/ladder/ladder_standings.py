"""Compute a contest's leaderboards from its games."""

import contextlib
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from arena.base.errors import ArenaError, StoreError
from arena.contest.run_roster import read_run_roster
from arena.extras.serve.background import watch_input
from arena.extras.serve.current_contest import read_served
from arena.extras.serve.ladder.bot_results import LatestGames, results_of
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    StandingsFile,
    finished_final,
    frozen_since,
    has_begun,
    run_name,
)
from arena.extras.serve.server_database import local_time
from arena.process.host import stop_signals_as_ctrl_c
from arena.publish.run_statistics import collect_statistics
from arena.tournament.games import count_games
from arena.tournament.standings import compare, noted_digest, rank, shown_games
from arena.tournament.store import Store
from engine import EngineError, get_variant


def standings_of(folder: Path, made: float, *, is_final: bool) -> StandingsFile:
    with Store.open(folder) as store, store.snapshot():
        settings = store.settings()
        digest = noted_digest(store)
        secret = store.secret(settings.secret) if is_final else None
        board = rank(store)
        pairs = compare(store)
        latest = LatestGames()
        variants = {name: get_variant(name) for name in settings.variants}
        try:
            games = latest.pass_on(shown_games(store))
            statistics = collect_statistics(games, variants)
        except ValueError as error:
            raise StoreError(f"cannot read a record of {folder}: {error}") from None
    shown = [entrant for entrant in settings.entrants if entrant.name not in settings.dropped_bots]
    return StandingsFile(
        run=folder.name,
        is_final=is_final,
        is_over=digest is not None,
        made=made,
        scheduled=count_games(settings),
        may_end_early=settings.may_end_early,
        board=board,
        students={student.id: student.bot_name for student in read_run_roster(folder).students},
        bots={entrant.name: results_of(entrant, statistics, pairs, latest) for entrant in shown},
        latest=latest.all(),
        digest=digest,
        secret=secret.text if secret else "",
    )


class StandingsWriter:
    def __init__(self, contest_file: Path, clock: Callable[[], float]) -> None:
        self._contest_file = contest_file
        self._clock = clock
        self._written: tuple[object, ...] = ()

    def update(self) -> bool:
        """Update the leaderboard file. Return whether the leaderboard may have changed."""
        contest, folder = read_served(self._contest_file), self._contest_file.parent
        final, now = finished_final(contest, folder), self._clock()
        run = Path(contest.results, final.run if final else run_name(contest))
        is_frozen = frozen_since(contest, folder, local_time(now)) is not None
        if not has_begun(run) or (state := (*_state_of(run), is_frozen)) == self._written:
            return False
        shown = BOARD.read(folder) if is_frozen else None
        if shown is None or shown.is_final:
            board = standings_of(run, now, is_final=final is not None)
            if board.board.games:  # otherwise all bots are new, and the former leaderboard is shown
                BOARD.write(folder, board)
        self._written = state
        return True


def _state_of(run: Path) -> tuple[object, ...]:
    with Store.open(run) as store:
        return str(run), store.count_stored(), store.raw_settings(), store.noted_digest()


# -- the process that computes the boards of the ladder, so that neither games nor pages wait for it


POLL_S = 1.0
REST = 3  # the process uses a quarter of a core
MAX_REST_S = 60.0


def main() -> None:
    ended = threading.Event()
    watch_input(ended.set)
    with contextlib.suppress(KeyboardInterrupt), stop_signals_as_ctrl_c():
        _update_until(ended, StandingsWriter(Path(sys.argv[1]), time.time))


def _update_until(ended: threading.Event, boards: StandingsWriter) -> None:
    reported = ""
    while not ended.is_set():
        began = time.monotonic()
        try:
            has_worked, problem = boards.update(), ""
        except (ArenaError, EngineError, sqlite3.Error) as error:
            has_worked, problem = True, str(error)
        if problem and problem != reported:
            print(f"cannot update the board: {problem}", file=sys.stderr, flush=True)
        reported = problem
        rest_s = REST * (time.monotonic() - began) if has_worked else 0.0
        ended.wait(max(POLL_S, min(MAX_REST_S, rest_s)))


if __name__ == "__main__":
    main()
