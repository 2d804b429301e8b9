"""The output of `arena run`: progress, looks, site, leaderboard.

It is imported while the workers start.
"""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.commands.common import DEFAULT_RESULTS
from arena.contracts import Executor
from arena.publish.layout import INDEX
from arena.publish.refresh import refreshing
from arena.terminal.console import Progress, notice, progress_bar, terminal, warning
from arena.tournament.contest_run import RunObserver, RunRequest, StartedRun, play_contest
from arena.tournament.games import count_games
from arena.tournament.store import Store

if TYPE_CHECKING:
    from arena.rating.certificate import Certificate
    from arena.rating.leaderboard import Leaderboard


def play(request: RunRequest, executor: Executor, *, all_tables: bool) -> None:
    """Play a run with the workers of `executor`, and print its leaderboard.

    With `all_tables`, the table of each variant is printed too.
    """
    contest, folder = request.contest, request.folder
    named = [] if contest.name else ["--name", folder.name]
    played = play_contest(request, ShownRun(shlex.join([*sys.argv[1:], *named])), executor)
    with Store.open(folder) as store:
        _print_results(store, played.board, Path(contest.results), all_tables)
    if contest.site:
        notice(f"site of the run: {contest.site / INDEX}")
    if played.lineup and (left_out := played.lineup.left_out):
        warning(
            f"{len(left_out)} submissions left out, for the reasons above: {', '.join(left_out)}"
        )


class ShownRun(RunObserver):
    """Shows a run on stderr, with a progress bar if that is a terminal, and refreshes its site."""

    def __init__(self, again: str) -> None:
        """Take the arguments of `arena` that resume the run."""
        self.again = f"`arena {again}`"
        self._progress = Progress(None)
        self._refresh: Callable[[], object] = lambda: None
        self._variants = 0
        self._certain: set[str] = set()

    def notice(self, text: str) -> None:
        notice(text)

    def warning(self, text: str) -> None:
        warning(text)

    @contextmanager
    def playing(self, run: StartedRun) -> Iterator[None]:
        store, settings = run.store, run.settings
        has_rule, self._variants = settings.stop_rule is not msgspec.UNSET, len(settings.variants)
        with (
            refreshing(store.folder, run.contest.site, notice) as self._refresh,
            progress_bar(count_games(settings), store.count(), has_text=has_rule) as progress,
        ):
            self._progress = progress
            yield
            progress.complete()  # with a stop rule it may be less

    def advance(self, games: int) -> None:
        self._progress.update(games)
        self._refresh()

    def looked(self, variant: str, certificate: "Certificate") -> None:
        """Show a look on the progress bar, or else as a line."""
        from arena.rating.certificate import certainty_text

        text = certainty_text(certificate)
        if certificate.is_certain:
            self._certain.add(variant)
            notice(f"{variant}: certain after {certificate.boards} boards: {text}")
        elif not self._progress.is_shown:
            notice(f"{variant}: after {certificate.boards} boards {text}")
        if self._variants > 1:  # a line has room for one of them
            text = f"{len(self._certain)} of {self._variants} certain; {variant}: {text}"
        self._progress.add_text(text)


def _print_results(store: Store, board: "Leaderboard", results: Path, all_tables: bool) -> None:
    # Not above: the first game starts earlier without ratings and tables.
    from arena.terminal.leaderboard_table import print_leaderboard
    from arena.tournament.digest import digest_lines
    from arena.tournament.run_names import names_of, with_names
    from arena.tournament.standings import digest_of

    print_leaderboard(with_names(board, names_of(store)), terminal(), all_tables=all_tables)
    for variant, certificate in (board.certificate or {}).items():
        if variant in board.variants and not certificate.is_certain:
            notice(f"{variant} is not certain within all its rounds: more --rounds play on")
    if any(row.faults for row in board.first_rows):
        run = store.folder.name if results == DEFAULT_RESULTS else str(store.folder)
        notice(f"see the faults with `arena faults {shlex.quote(run)}`")
    notice("digest of the run, which `arena verify` checks:")
    for line in digest_lines(digest_of(store, board).value):
        notice(f"  {line}")
