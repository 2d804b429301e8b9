"""`arena run --dry-run`: estimate the duration of a run and find slow bots.

The first boards of the run are played in a temporary folder.
"""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.base.contracts import Executor
from arena.terminal.console import say, warning
from arena.terminal.shown_run import ShownRun
from arena.terminal.text_table import Column, print_table
from arena.tournament.contest_run import RunRequest, play_contest
from arena.tournament.estimate import AnswerTimes, duration
from arena.tournament.games import games_by_variant
from arena.tournament.store import Store

SLOWEST = 5


def rehearse(request: RunRequest, executor: Executor) -> None:
    """Play one round of each variant and print the estimated duration of the whole run."""
    with tempfile.TemporaryDirectory() as results:
        contest = msgspec.structs.replace(
            request.contest, rounds=1, results=results, until=None,
            epsilon=None, confidence=None, name="dry-run", seed=0, secret=None,
            schedule="round-robin" if request.contest.until else request.contest.schedule,
        )  # fmt: skip
        sample = RunRequest(
            contest, Path(results, contest.name or ""), None, request.options, is_rehearsal=True
        )
        shown = ShownRun("", lambda _: None, warning)  # notices are about the temporary folder
        began = time.monotonic()
        settings, _, board = play_contest(sample, shown, executor)
        took = time.monotonic() - began
        whole = msgspec.structs.replace(settings, rounds=request.contest.rounds)
        with Store.open(sample.folder) as store:
            answers = AnswerTimes(store.observed_records())
        planned = games_by_variant(whole)
        _print(planned, answers)
        out = {row.bot for rows in board.tables.values() for row in rows if row.withdrawn}
        if faulty := [f"{bot} ({number})" for bot, number in answers.faults.most_common()]:
            say(f"bots with faults, which may be withdrawn: {', '.join(faulty)}")
        if out:
            say(f"bots withdrawn already: {', '.join(sorted(out))}")
        start = max(0.0, took - sum(answers.busy.values()) / executor.width)
        busy = answers.busy_s({variant: games for variant, (_, games) in planned.items()})
        most = "at most " if request.contest.until else ""
        games = sum([games for _, games in planned.values()])
        say(f"{most}{games} games, about {duration(start + busy / executor.width)}")


def _print(planned: Mapping[str, tuple[int, int]], answers: AnswerTimes) -> None:
    print_table(
        [
            Column("variant", [*planned], kind="text"),
            Column("bots", [str(bots) for bots, _ in planned.values()]),
            Column("games", [str(games) for _, games in planned.values()]),
        ]
    )
    slowest = sorted(answers.spent, key=answers.mean_ms, reverse=True)[:SLOWEST]
    print_table(
        [
            Column("slowest bots", slowest, kind="text"),
            Column("ms a move", [f"{answers.mean_ms(bot):.1f}" for bot in slowest]),
            Column("worst ms", [f"{answers.worst[bot] / 1e3:.0f}" for bot in slowest]),
            Column("faults", [str(answers.faults[bot]) for bot in slowest]),
        ]
    )
