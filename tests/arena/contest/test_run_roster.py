"""Tests of a run's roster: its students and their submissions."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from arena.contest.admission import rules_of
from arena.contest.inbox import Sent
from arena.contest.roster import Student
from arena.contest.run_roster import records_of, run_roster
from arena.contest.settings import Contest, DeadlineTable, EntrantsTable
from tests.arena.contest.submitted import PLAIN, accept

DUE = datetime(2026, 12, 1, 18, tzinfo=UTC)
EARLY, LATE = DUE - timedelta(hours=1), DUE + timedelta(hours=1)


def contest_due(folder: Path, due: datetime) -> Contest:
    deadline = DeadlineTable(due=due.isoformat())
    return Contest(entrants=EntrantsTable(inbox=str(folder)), deadline=deadline)


def test_lateness_is_that_of_the_playing_version(folder: Path) -> None:
    times = {1: EARLY, 2: LATE, 3: EARLY}
    prints = {
        number: accept(folder, "ann", f"# {number}\n{PLAIN}", at).fingerprint
        for number, at in times.items()
    }
    rules = rules_of(contest_due(folder, DUE))
    assert rules
    for playing, number in ((prints[1], 1), (prints[2], 2), (prints[3], 3), ("?", 3)):
        (ann,) = run_roster(rules, playing={"ann": playing}).students
        assert (ann.versions, ann.submitted) == (3, times[number])
        assert ann.late == (times[number] > DUE)


def test_lateness_follows_the_current_deadline(folder: Path) -> None:
    accept(folder, "ann", at=LATE)
    accept(folder, "ben", at=LATE)
    rules = rules_of(contest_due(folder, DUE))
    moved = rules_of(contest_due(folder, LATE))
    assert rules
    assert moved
    rules.inbox.extend("ben", LATE.timestamp())
    assert {name: one.late for name, one in records_of(rules).items()} == {
        "ann": True,
        "ben": False,
    }
    assert not any(one.late for one in records_of(moved).values())
    rules.inbox.extend("ben", None)
    assert records_of(rules)["ben"].late


def test_refusal_stays_until_the_next_verdict(folder: Path) -> None:
    rules = rules_of(contest_due(folder, DUE))
    assert rules
    sent = Sent(Student("ann", "Ann Lee"), EARLY)
    rules.inbox.refuse(Path("bot.py"), sent, "no bot")
    ann = records_of(rules)["ann"]
    assert (ann.name, ann.versions, ann.refused, ann.refusal) == ("Ann Lee", 0, 1, "no bot")
    accept(folder, "ann")
    ann = records_of(rules)["ann"]
    assert (ann.versions, ann.refused, ann.refusal, ann.refused_at) == (1, 1, "", None)
