"""The output of `arena run`: progress, looks, site, leaderboard.

It is imported while the workers start.
"""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from arena.base.contracts import Executor
from arena.commands.common import DEFAULT_RESULTS
from arena.publish.layout import INDEX
from arena.publish.shown_run import ShownRun
from arena.terminal.console import notice, terminal, warning
from arena.tournament.contest_run import RunRequest, play_contest
from arena.tournament.store import Store

if TYPE_CHECKING:
    from arena.rating.leaderboard import Leaderboard


def play(request: RunRequest, executor: Executor, *, all_tables: bool) -> None:
    """Play a run with the workers of `executor`, and print its leaderboard.

    With `all_tables`, the table of each variant is printed too.
    """
    contest, folder = request.contest, request.folder
    named = [] if contest.name else ["--name", folder.name]
    played = play_contest(request, shown_run(*named), executor)
    with Store.open(folder) as store:
        _print_results(store, played.board, Path(contest.results), all_tables)
    if contest.site:
        notice(f"site of the run: {contest.site / INDEX}")
    if played.lineup and (left_out := played.lineup.left_out):
        warning(
            f"{len(left_out)} submissions left out, for the reasons above: {', '.join(left_out)}"
        )


def shown_run(*more: str) -> ShownRun:
    """Return what shows a run that the arguments of this command, and some `more`, resume."""
    return ShownRun(f"`arena {shlex.join([*sys.argv[1:], *more])}`", notice, warning)


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
