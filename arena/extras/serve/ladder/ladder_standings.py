"""Compute the ladder's leaderboards from its games."""

import contextlib
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, StoreError
from arena.contest.run_roster import read_run_roster
from arena.extras.serve.background import watch_input
from arena.extras.serve.current_contest import read_served
from arena.extras.serve.ladder.bot_results import LatestGames, results_of
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    PUBLIC,
    StandingsFile,
    has_begun,
    run_name,
    times_of,
)
from arena.extras.serve.ladder.version_ratings import note_ratings
from arena.extras.serve.server_database import DATABASE, ServerDatabase, local_time
from arena.process.host import stop_signals_as_ctrl_c
from arena.publish.run_statistics import collect_statistics
from arena.tournament.games import count_games
from arena.tournament.standings import compare, noted_digest, rank, shown_games
from arena.tournament.store import Store
from engine import EngineError, get_variant


def standings_of(folder: Path, made: float, *, is_final: bool) -> StandingsFile:
    with Store.open(folder) as store, store.snapshot():
        settings = store.settings()
        stored, digest = store.count_stored(), noted_digest(store)
        is_public = is_final and digest is not None
        secret = store.secret(settings.secret) if is_public else None
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
        stored=stored,
        scheduled=count_games(settings),
        may_end_early=settings.may_end_early,
        board=board,
        students={student.id: student.bot_name for student in read_run_roster(folder).students},
        bots={
            entrant.name: msgspec.structs.replace(
                results_of(entrant.name, statistics, pairs, latest),
                author=entrant.author,
                is_guest=entrant.guest,
            )
            for entrant in shown
        },
        latest=latest.of(),
        fingerprints={entrant.name: entrant.fingerprint for entrant in shown},
        digest=digest,
        secret=secret.text if secret else "",
    )


KEPT_SHARE = 0.5
"""A new leaderboard is shown once each bot has at least this share of the games it had before. Bots
with a new version are exempt."""


def next_board(shown: StandingsFile | None, new: StandingsFile) -> StandingsFile:
    """Choose between the leaderboard that is shown now and a new leaderboard.

    When a bot gets a new version, the games of its old version no longer count, so its opponents
    also lose games. The old leaderboard is shown until enough of these games have been replaced.
    """
    is_same_run = shown and (shown.run, shown.is_final) == (new.run, new.is_final)
    if shown is None or not is_same_run or new.is_over:
        return new
    games = {row.bot: row.games for row in new.board.first_rows}
    code = shown.fingerprints
    kept = [
        row for row in shown.board.first_rows if new.fingerprints.get(row.bot) == code.get(row.bot)
    ]
    if new.board.games and all(games.get(row.bot, 0) >= KEPT_SHARE * row.games for row in kept):
        return new
    rows = {row.bot: row for row in shown.newcomers if row.bot in new.fingerprints}
    for row in new.board.first_rows:
        if row.games and new.fingerprints[row.bot] != code.get(row.bot):
            rows[row.bot] = row
    return msgspec.structs.replace(
        shown,
        newcomers=tuple(sorted(rows.values(), key=lambda row: (row.rank, row.bot))),
        bots={**shown.bots, **{bot: new.bots[bot] for bot in rows}},
        students={**shown.students, **new.students},
    )


class StandingsWriter:
    def __init__(self, contest_file: Path, clock: Callable[[], float]) -> None:
        self._contest_file = contest_file
        self._folder = contest_file.parent
        self._clock = clock
        self._known: tuple[object, ...] = ()
        self._run: Path | None = None
        self.awaits_rank = False

    def update(self) -> bool:
        contest = read_served(self._contest_file)
        final = FINAL.read(self._folder)
        results = Path(contest.results)
        run = results / (final.run if final else run_name(contest))
        stays = self._mark_replaced() if final and final.is_replaced else False
        is_final = bool(final and not final.is_replaced) and has_begun(run)
        if not is_final:  # no final is requested, or it has not begun, or it is replaced
            run = results / run_name(contest)
        if not has_begun(run):
            return False
        now = local_time(self._clock())
        is_frozen = times_of(contest).is_frozen(now, is_final_over=False)
        known = (*_state_of(run), is_frozen, stays)
        if known == self._known:
            return False
        board = standings_of(run, self._clock(), is_final=is_final)
        if is_final and final and final.is_rehearsal:
            board = msgspec.structs.replace(board, is_rehearsal=True)
        if not is_final:
            self._note_ratings(board)
        if final and not final.is_replaced:
            is_public = is_final and board.is_over
        else:
            is_public = not is_frozen and not stays
        for file in (BOARD, PUBLIC) if is_public else (BOARD,):
            file.write(self._folder, next_board(file.read(self._folder), board))
        self._known, self._run = known, run
        self.awaits_rank = not board.is_over and any(
            not row.games for row in board.board.first_rows
        )
        return True

    def _mark_replaced(self) -> bool:
        public = PUBLIC.read(self._folder)
        if public is None or not public.is_final:
            return False
        if not public.is_replaced:
            PUBLIC.write(self._folder, msgspec.structs.replace(public, is_replaced=True))
        return True

    def has_other_bots(self) -> bool:
        return self._run is not None and _settings_of(self._run) not in self._known

    def _note_ratings(self, board: StandingsFile) -> None:
        with contextlib.closing(ServerDatabase(self._folder / DATABASE)) as database:
            note_ratings(database, board.board.first_rows, board.fingerprints, board.made)


def _state_of(run: Path) -> tuple[object, ...]:
    with Store.open(run) as store:
        return str(run), store.count_stored(), store.raw_settings(), store.noted_digest()


def _settings_of(run: Path) -> object:
    with Store.open(run) as store:
        return store.raw_settings()


# -- the process that computes the boards of the ladder, so that neither games nor pages wait for it


LOOK_S = 1.0
REST = 3
"""Ratio of pauses to working time. At a ratio of 3, the process uses a quarter of a core."""
MAX_REST_S = 60.0


def main() -> None:
    ended = threading.Event()
    watch_input(ended.set)
    with contextlib.suppress(KeyboardInterrupt), stop_signals_as_ctrl_c():
        _update_until(ended, StandingsWriter(Path(sys.argv[1]), time.time))


def _update_until(ended: threading.Event, boards: StandingsWriter) -> None:
    said = ""
    while not ended.is_set():
        began = time.monotonic()
        try:
            has_worked, problem = boards.update(), ""
        except (ArenaError, EngineError, sqlite3.Error) as error:
            has_worked, problem = True, str(error)
        if problem and problem != said:
            print(f"cannot update the board: {problem}", file=sys.stderr, flush=True)
        said = problem
        rest = (1 if boards.awaits_rank else REST) * (time.monotonic() - began)
        rests_until = time.monotonic() + (min(MAX_REST_S, rest) if has_worked else 0.0)
        while not ended.wait(LOOK_S) and time.monotonic() < rests_until:
            with contextlib.suppress(ArenaError, sqlite3.Error):  # `update` reports it
                if boards.has_other_bots():
                    break


if __name__ == "__main__":
    main()
