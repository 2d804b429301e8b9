"""Print the progress of a run, its leaderboard, and suggestions for what to do next."""

import shlex
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import msgspec

from arena.base.contracts import Executor
from arena.commands.common import DEFAULT_RESULTS, sandbox_notice
from arena.contest.contest_file import DEFAULT_SITE
from arena.contest.lineup import WITHOUT_BOT
from arena.contest.settings import Contest
from arena.narration.telling import counted
from arena.terminal.console import notice, terminal, warning
from arena.terminal.shown_run import ShownRun
from arena.tournament.contest_run import RunRequest, play_contest
from arena.tournament.estimate import estimate
from arena.tournament.runs import settings_of_run
from arena.tournament.store import Store

if TYPE_CHECKING:
    from arena.rating.leaderboard import Leaderboard


def play(request: RunRequest, executor: Executor, *, full: bool) -> None:
    """Play the games of a run, print its leaderboard, and suggest what to do next."""
    contest, folder = request.contest, request.folder
    named = [] if contest.name else ["--name", folder.name]
    again = f"`arena {shlex.join([*sys.argv[1:], *named])}`"
    detail = notice if full else lambda _: None
    observer = ShownRun(again, notice, warning, detail=detail)
    observer.on_sandbox = sandbox_notice(full=full)
    played = play_contest(request, observer, executor)
    with Store.open(folder) as store:
        _print_results(store, played.board, full)
    run = folder.name if Path(contest.results) == DEFAULT_RESULTS else str(folder)
    if any(row.faults for row in played.board.first_rows):
        notice(f"saved in {folder}; next: see the faults with `arena logs {quote(run)}`")
    else:
        site = f"arena publish {quote(run)} --to {quote(contest.publish or DEFAULT_SITE)}"
        notice(f"saved in {folder}; next: view the games in a browser with `{site}`")
    if request.is_final:
        notice(
            f"the final keeps these versions of the bots; to play another final with newer ones, "
            f"delete {folder} or choose another --name"
        )
    for text in played.lineup.notices if played.lineup else ():
        if text.startswith(WITHOUT_BOT):  # repeated, because the first message has scrolled away
            notice(text)
    if played.lineup and (excluded := played.lineup.excluded):
        students = played.lineup.students
        names = [students[id].title if id in students else id for id in excluded]
        warning(
            f"{counted(len(excluded), 'submission')} excluded for the reasons above: "
            f"{', '.join(names)}"
        )


def print_plan(final: Contest, ladder: str | None, executor: Executor) -> None:
    """Print how many rounds a contest's final has and how long it will take."""
    plan = f"the final plays {counted(final.rounds, 'round')}"
    run = ladder and Path(final.results, ladder)
    if run and (settings := settings_of_run(run)):
        with Store.open(run) as store:
            whole = msgspec.structs.replace(settings, rounds=final.rounds)
            plan += f": {estimate(store, whole, executor.width)}, with the bots of {ladder}"
    notice(f"{plan}; change the number of rounds with --rounds")


def _print_results(store: Store, board: "Leaderboard", full: bool) -> None:
    # Imported here, so that the first game starts before ratings and tables are imported.
    from arena.terminal.leaderboard_table import print_leaderboard
    from arena.tournament.digest import digest_lines
    from arena.tournament.display_names import names_of, with_names
    from arena.tournament.standings import digest_of

    print_leaderboard(with_names(board, names_of(store)), terminal(), full=full)
    for variant, certificate in (board.certificate or {}).items():
        if variant in board.variants and not certificate.is_certain:
            notice(f"the order of {variant} is not certain after all its rounds; add --rounds")
    if full:
        notice("digest of the run, for `arena verify`:")
        for line in digest_lines(digest_of(store, board).value):
            notice(f"  {line}")
