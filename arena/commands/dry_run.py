"""`arena run --dry-run`: what a run would play, how long that takes, and which bots are slow.

It plays the first boards of the run in a temporary folder, of which nothing is kept.
"""

import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.base.contracts import Executor
from arena.base.record import Timing
from arena.publish.shown_run import ShownRun
from arena.terminal.console import say, warning
from arena.terminal.text_table import Column, print_table
from arena.tournament.contest_run import RunRequest, play_contest
from arena.tournament.games import games_by_variant
from arena.tournament.store import Store

SLOWEST = 5
"""Bots that are listed."""
REFEREE_S = 0.006
"""The processor time of a game without the answers of its bots, in seconds."""


def rehearse(request: RunRequest, executor: Executor) -> None:
    """Play one round of each variant, and print what the whole run would be.

    Raises the errors of `play_contest`.
    """
    with tempfile.TemporaryDirectory() as results:
        contest = msgspec.structs.replace(
            request.contest, rounds=1, publish=None, results=results, until=None,
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
            answers = _Answers(store)
        planned = games_by_variant(whole)
        _print(planned, answers)
        out = {row.bot for rows in board.tables.values() for row in rows if row.withdrawn}
        if faulty := [f"{bot} ({number})" for bot, number in answers.faults.most_common()]:
            say(f"with faults, for which a bot may be withdrawn: {', '.join(faulty)}")
        if out:
            say(f"withdrawn already: {', '.join(sorted(out))}")
        start = max(0.0, took - sum(answers.busy.values()) / executor.width)
        busy = sum(
            [
                games * (REFEREE_S + answers.busy[variant] / max(1, answers.games[variant]))
                for variant, (_, games) in planned.items()
            ]
        )
        most = "at most " if request.contest.until else ""
        games = sum([games for _, games in planned.values()])
        say(f"{most}{games} games, about {_duration(start + busy / executor.width)}")


class _Answers:
    """The answer times of the bots of some games."""

    def __init__(self, store: Store) -> None:
        """Read the games of a run."""
        self.games, self.faults = Counter[str](), Counter[str]()
        """By variant; by bot."""
        self.busy: defaultdict[str, float] = defaultdict(float)
        """By variant, the seconds of all answers."""
        self.answers, self.spent, self.worst = Counter[str](), Counter[str](), Counter[str]()
        """By bot: the number of answers, their time and the longest one, in microseconds."""
        for record, seen in store.observed_records():
            self.games[record.variant] += 1
            self.faults.update([record.entrants[fault.seat] for fault in record.faults])
            for bot, timing in zip(record.entrants, seen.timings, strict=False):
                usual_us = _usual_us(timing)
                self.busy[record.variant] += usual_us / 1e6
                self.answers[bot] += timing.answers
                self.spent[bot] += usual_us
                self.worst[bot] = max(self.worst[bot], timing.worst_us)

    def mean_ms(self, bot: str) -> float:
        """Return the mean time of an answer."""
        return self.spent[bot] / 1e3 / max(1, self.answers[bot])


def _usual_us(timing: Timing) -> int:
    """Return the time of the answers in a game, with a usual one in place of the longest.

    In a process that has just begun, that is most often the first one, which may be as long as a
    hundred others.
    """
    others = timing.answers - 1
    if others < 1:
        return timing.total_us
    return (timing.total_us - timing.worst_us) * timing.answers // others


def _print(planned: Mapping[str, tuple[int, int]], answers: _Answers) -> None:
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


def _duration(seconds: float) -> str:
    """Return a time as people say it, rounded."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"
