"""Every bot takes the same way into a contest, and the log knows which did not."""

import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from arena.base.errors import BotError, SubmissionError
from arena.base.record import Entrant
from arena.contest.admission import (
    Check,
    SubmissionRules,
    admit,
    another_student,
    check_daily_limit,
    failed_variants,
    find_receipt,
    hand_in,
    identify,
    refuse,
)
from arena.contest.roster import Student, read_roster
from arena.contest.settings import Deadline
from arena.contest.submission_log import OLD_LOG, StudentRecord, SubmissionLog, records_of
from arena.contest.submissions import students_in
from tests.arena.contest.submitted import PLAIN, LeftOut, write, write_zip

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Checks:
    """A check that refuses some bots, and remembers which it was given."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.seen: list[str] = []

    def __call__(self, bot: Entrant) -> None:
        self.seen.append(bot.name)
        if bot.name in self.refused:
            raise SubmissionError("it fails the check `starts`")


def admitted(
    folder: Path, checks: Checks, rules: SubmissionRules | None = None
) -> tuple[list[str], LeftOut]:
    """Return the ids of the bots of a folder that may play, and those left out."""
    left_out = LeftOut()
    rules = rules or SubmissionRules(folder)
    with admit(rules, checks, left_out) as bots:
        return [bot.name for bot in bots], left_out


@pytest.mark.slow
def test_a_name_in_any_script_is_kept_beside_its_id(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder)
    source = write(tmp_path / "bot.py")
    for name in ("李雷", "Zoë Müller"):
        student = identify(rules, name)
        receipt = hand_in(source, student, rules, NOON, None)
        assert receipt.version == folder / student.id / "1"
        other = another_student(rules, student)
        assert other == Student(f"{student.id}-2", student.name)
    shown = {one.student.name for one in students_in(folder).values()}
    assert shown == {"李雷", "Zoë Müller"}
    again = identify(rules, "", "Zoe-Muller")
    assert again.name == "Zoë Müller"
    write(source, f"{PLAIN}\n")
    assert hand_in(source, again, rules, NOON, None).version == folder / "Zoe-Muller" / "2"
    renamed = identify(rules, "Zoë M.", "Zoe-Muller")
    assert not hand_in(source, renamed, rules, NOON, None).is_new
    assert students_in(folder)["Zoe-Muller"].student.name == "Zoë M."


def test_the_log_has_each_attempt_with_its_time_and_reason(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder, deadline=Deadline(NOON, HOUR))
    ann = identify(rules, "ann")
    good, bad = write(tmp_path / "good.py"), write(tmp_path / "bad.txt")
    with pytest.raises(BotError):
        hand_in(bad, ann, rules, NOON, None)
    with pytest.raises(SubmissionError, match="fails the check"):
        hand_in(good, ann, rules, NOON, Checks("ann"))
    assert not hand_in(good, ann, rules, NOON + HOUR, Checks()).is_late
    write(good, f"{PLAIN}\n")
    assert hand_in(good, ann, rules, NOON + 2 * HOUR, Checks()).is_late
    hand_in(good, ann, rules, NOON + 3 * HOUR, Checks())
    attempts = SubmissionLog(folder).attempts()
    assert [attempt.outcome for attempt in attempts] == [
        *("refused", "refused", "accepted", "accepted", "unchanged")
    ]
    assert "is not a submission" in attempts[0].reason
    assert attempts[1].checked
    assert [attempt.file for attempt in attempts[:2]] == ["bad.txt", "good.py"]
    assert records_of(attempts) == {
        "ann": StudentRecord(
            "ann", "ann", versions=2, submitted=NOON + 2 * HOUR, late=True, refused=2
        )
    }
    refused = records_of(attempts[:2])["ann"]
    assert (refused.refusal, refused.refused_at) == (attempts[1].reason, NOON)
    assert rules.log.path.parent.stat().st_mode & 0o777 == 0o700


def test_before_the_opening_and_after_the_grace_a_contest_refuses(
    folder: Path, tmp_path: Path
) -> None:
    deadline = Deadline(NOON, HOUR, refuses=True, opens=NOON - HOUR)
    rules = SubmissionRules(folder, deadline=deadline)
    source = write(tmp_path / "bot.py")
    with pytest.raises(SubmissionError, match="and submissions open at 2026-12-01 11:00"):
        hand_in(source, identify(rules, "ann"), rules, NOON - 2 * HOUR, None)
    hand_in(source, identify(rules, "ann"), rules, NOON + HOUR, None)
    with pytest.raises(SubmissionError, match=r"it came at 2026-12-01 .* after the deadline at"):
        hand_in(source, identify(rules, "ben"), rules, NOON + 2 * HOUR, None)
    assert list(students_in(folder)) == ["ann"]
    ben = records_of(SubmissionLog(folder).attempts())["ben"]
    assert (ben.versions, ben.refused) == (0, 1)
    assert "after the deadline" in ben.refusal


def test_versions_of_a_day_are_limited(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder, versions_a_day=2)
    noon = NOON.replace(tzinfo=None).astimezone()
    ann, ben = identify(rules, "ann"), identify(rules, "ben")
    sources = [write(tmp_path / str(number) / "bot.py", f"{PLAIN}#{number}") for number in range(4)]
    for source in sources[:2]:
        assert hand_in(source, ann, rules, noon, None).is_new
    with pytest.raises(SubmissionError, match="fails the check"):
        hand_in(sources[0], ben, rules, noon, Checks("ben"))
    assert hand_in(sources[0], ben, rules, noon, None).is_new, "what is refused does not count"
    with pytest.raises(SubmissionError, match="got 2 new versions on 2026-12-01, and 2 a day"):
        hand_in(sources[2], ann, rules, noon + 11 * HOUR, None)
    assert hand_in(sources[0], ann, rules, noon, None).is_new, "an earlier bot is no new version"
    assert hand_in(sources[2], ann, rules, noon + 12 * HOUR, None).is_new, "the next day"
    check_daily_limit(rules, "ben", noon)
    with pytest.raises(SubmissionError, match=r"got 1 .* and 1 waiting for the check, and 2 a day"):
        check_daily_limit(rules, "ben", noon, waiting=1)


def test_times_are_those_of_the_zone_and_not_of_an_offset(
    folder: Path, tmp_path: Path, berlin: None
) -> None:
    offset = timezone(2 * HOUR)
    due = datetime(2026, 10, 25, 18, tzinfo=offset)  # 17:00 in Berlin, on the day of the change
    rules = SubmissionRules(folder, deadline=Deadline(due, refuses=True), versions_a_day=1)
    ann, source = identify(rules, "ann"), write(tmp_path / "bot.py")
    assert hand_in(source, ann, rules, datetime(2026, 10, 25, 0, 30, tzinfo=offset), None).is_new
    with pytest.raises(SubmissionError, match="got 1 new versions on 2026-10-25"):
        check_daily_limit(rules, "ann", datetime(2026, 10, 25, 16, tzinfo=timezone(HOUR)))
    with pytest.raises(SubmissionError) as refused:
        hand_in(source, ann, rules, datetime(2026, 10, 25, 16, 30, tzinfo=UTC), None)
    assert "2026-10-25 17:30 CET, after the deadline at 2026-10-25 17:00 CET" in str(refused.value)


def test_a_version_that_the_log_lacks_is_logged_when_it_comes(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder)
    source, ann = write(tmp_path / "bot.py"), identify(rules, "ann")
    write(folder / "ann" / "1" / "bot.py")
    assert hand_in(source, ann, rules, NOON, None).is_new
    assert not hand_in(source, ann, rules, NOON, None).is_new
    assert [(attempt.outcome, attempt.number) for attempt in SubmissionLog(folder).attempts()] == [
        ("accepted", 1),
        ("unchanged", 1),
    ]


def test_a_verdict_is_found_by_the_id_of_its_submission(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder, deadline=Deadline(NOON))
    source, ann = write(tmp_path / "bot.py"), identify(rules, "ann")
    assert find_receipt(rules, ann, "first") is None
    receipt = hand_in(source, ann, rules, NOON + HOUR, None, submission="first")
    assert find_receipt(rules, ann, "first") == receipt
    assert hand_in(source, ann, rules, NOON, None, submission="first") == receipt
    with pytest.raises(SubmissionError, match="fails the check"):
        hand_in(source, ann, rules, NOON, Checks("ann"), submission="second")
    for _ in range(2):
        with pytest.raises(SubmissionError, match="fails the check"):
            find_receipt(rules, ann, "second")
        with pytest.raises(SubmissionError, match="its checker was killed"):
            refuse(rules, ann, NOON, "bot.py", "third", "its checker was killed")
    assert [attempt.submission for attempt in SubmissionLog(folder).attempts()] == [
        "first",
        "second",
        "third",
    ]


def test_checks_that_outlast_the_deadline_change_no_time(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder, deadline=Deadline(NOON, refuses=True))
    names = ["ann", "ben", "cem", "dora"]
    sources = [write(tmp_path / f"bot{number}.py", f"{PLAIN}#{number}") for number in range(4)]
    is_over = threading.Event()

    def submit(name: str) -> None:
        """Hand in one version after the other, in the last minutes before the deadline."""
        for number, source in enumerate(sources):
            at = NOON - timedelta(minutes=4 - number)
            hand_in(source, Student(name, name), rules, at, lambda _: time.sleep(0.01))

    def admit_again_and_again() -> list[str]:
        """Play the part of the ladder: it looks for bots an hour after the deadline."""
        left_out = LeftOut()
        while not is_over.is_set():
            with admit(rules, Checks(), left_out, lambda: NOON + HOUR):
                pass
        return list(left_out)

    with ThreadPoolExecutor(5) as pool:
        ladder = pool.submit(admit_again_and_again)
        try:
            list(pool.map(submit, names))
        finally:  # else a failure would wait for the ladder
            is_over.set()
        assert not ladder.result()
    attempts = SubmissionLog(folder).attempts()
    logged = [(attempt.id, attempt.number, attempt.time, attempt.late) for attempt in attempts]
    assert sorted(logged) == [
        (name, number, NOON - timedelta(minutes=5 - number), False)
        for name in names
        for number in range(1, 5)
    ]


def test_what_is_put_into_the_folder_is_checked_once(folder: Path) -> None:
    write(folder / "ann.py")
    write_zip(folder / "ben.zip", bot=PLAIN)
    write(folder / "cem" / "bot.py")
    checks = Checks("ben")
    names, left_out = admitted(folder, checks)
    assert (names, checks.seen) == (["ann", "cem"], ["ann", "ben", "cem"])
    assert left_out == {"ben": "not submitted: it fails the check `starts`"}
    assert admitted(folder, checks)[0] == ["ann", "cem"]
    assert checks.seen[3:] == ["ben"], "only what nobody has accepted"
    assert len(SubmissionLog(folder).attempts()) == 3, "the same refusal is logged once"
    write(folder / "ann.py", f"{PLAIN}\n")
    assert admitted(folder, Checks())[0] == ["ann", "ben", "cem"]
    versions = {
        name: one.versions for name, one in records_of(SubmissionLog(folder).attempts()).items()
    }
    assert versions == {"ann": 2, "ben": 1, "cem": 1}


def test_the_time_of_a_bot_in_the_folder_is_when_it_was_first_seen(folder: Path) -> None:
    left_out = LeftOut()

    def names(at: datetime, *, refuses: bool = True) -> list[str]:
        rules = SubmissionRules(folder, deadline=Deadline(NOON, refuses=refuses))
        with admit(rules, None, left_out, lambda: at) as bots:
            return [bot.name for bot in bots]

    write(folder / "ann.py")
    assert names(NOON) == ["ann"]
    os.utime(write(folder / "ben.py"), (0, 0))
    assert names(NOON + HOUR) == ["ann"]
    assert "after the deadline" in left_out["ben"]
    assert names(NOON + 2 * HOUR) == names(NOON + 3 * HOUR) == ["ann"]
    assert names(NOON + 4 * HOUR, refuses=False) == ["ann", "ben"]
    assert [
        (attempt.id, attempt.outcome, attempt.time, attempt.late, attempt.checked)
        for attempt in SubmissionLog(folder).attempts()
    ] == [
        ("ann", "accepted", NOON, False, False),
        ("ben", "refused", NOON + HOUR, False, False),
        ("ben", "accepted", NOON + HOUR, True, False),
    ]


def test_a_check_that_was_killed_does_not_make_a_bot_late(folder: Path) -> None:
    def killed(bot: Entrant) -> None:
        raise KeyboardInterrupt

    rules = SubmissionRules(folder, deadline=Deadline(NOON, refuses=True))
    write(folder / "ann.py")
    with (
        pytest.raises(KeyboardInterrupt),
        admit(rules, killed, LeftOut(), lambda: NOON),
    ):
        pass
    with admit(rules, Checks(), LeftOut(), lambda: NOON + HOUR) as bots:
        assert bots


def test_with_a_roster_only_its_students_submit(folder: Path, tmp_path: Path) -> None:
    roster = read_roster("id,name\ns1,Zoë Müller\ns2,Ann\ns3,Ann\n", "roster.csv")
    rules = SubmissionRules(folder, roster=roster)
    write(folder / "Müller, Zoë.py")
    write(folder / "ann.py")
    write(folder / "eve.py")
    names, left_out = admitted(folder, Checks(), rules)
    assert names == ["s1"]
    assert "may be any of 2 students" in left_out["ann.py"]
    assert "unknown student of the roster 'eve'" in left_out["eve.py"]
    with pytest.raises(SubmissionError, match="unknown id of the roster"):
        identify(rules, "", "s9")
    source = write(tmp_path / "bot.py")
    assert hand_in(source, identify(rules, "x", "s2"), rules, NOON, None).student.name == "Ann"
    assert admitted(folder, Checks(), rules)[0] == ["s1", "s2"]


def test_a_roster_that_came_later_finds_students_by_their_kept_names(
    folder: Path, tmp_path: Path
) -> None:
    student = identify(SubmissionRules(folder), "Zoë Müller", "Zoe-Muller-123")
    hand_in(write(tmp_path / "bot.py"), student, SubmissionRules(folder), NOON, None)
    roster = read_roster("id,name\ns1,Zoë Müller\n", "roster.csv")
    assert admitted(folder, Checks(), SubmissionRules(folder, roster=roster))[0] == ["s1"]


def test_a_submission_is_not_called_like_an_installed_bot(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder)
    with pytest.raises(SubmissionError, match="greedy is the name of an installed bot"):
        hand_in(write(tmp_path / "x.py"), identify(rules, "greedy"), rules, NOON, None)
    (attempt,) = SubmissionLog(folder).attempts()
    assert attempt.outcome == "refused"


def test_a_log_of_another_version_is_refused_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    rules = SubmissionRules(folder)
    hand_in(write(tmp_path / "x.py"), identify(rules, "ann"), rules, NOON, None)
    with closing(sqlite3.connect(rules.log.path)) as database:
        database.execute("PRAGMA user_version = 1")
    with pytest.raises(SubmissionError, match="has version 1, expected 2"):
        rules.log.attempts()
    rules.log.path.write_text("{" * 5000)
    with pytest.raises(SubmissionError, match="cannot use the log"):
        rules.log.attempts()


@pytest.mark.parametrize("is_shared", [False, True])
def test_the_log_of_0_2_0_is_taken_over_once_if_no_student_can_have_written_it(
    folder: Path, tmp_path: Path, is_shared: bool
) -> None:
    old = folder / OLD_LOG
    old.write_text(
        '{"time":"2026-12-01T12:00:00Z","id":"ann","file":"bot.py","outcome":"accepted",'
        '"fingerprint":"v2x","number":1,"submission":"s1","schema":1}\n'
        "garbage\n"
    )
    old.chmod(0o666 if is_shared else 0o600)
    rules = SubmissionRules(folder)
    taken = [] if is_shared else [("ann", 1)]
    assert [(one.id, one.number) for one in rules.log.attempts()] == taken
    hand_in(write(tmp_path / "x.py"), identify(rules, "ben"), rules, NOON, None)
    assert [(one.id, one.number) for one in rules.log.attempts()] == [*taken, ("ben", 1)]


def test_variants_that_came_later_are_checked_once_and_failed_ones_named(folder: Path) -> None:
    write(folder / "ann.py")
    write(folder / "ben.py", f"{PLAIN}\n")
    first = SubmissionRules(folder, variants=("bribery/2",))
    more = first._replace(variants=("bribery/2", "bribery/3", "bribery/4"))
    tried: list[tuple[str, str]] = []

    def check_of(variant: str) -> Check:
        def check(bot: Entrant) -> None:
            tried.append((bot.name, variant))
            if (bot.name, variant) == ("ben", "bribery/3"):
                raise SubmissionError("it fails")

        return check

    with admit(first, Checks(), LeftOut()) as bots:
        pass
    assert failed_variants(bots, first, check_of) == {}
    assert not tried
    for rules, checks in ((more._replace(is_rehearsal=True), 4), (more, 4), (more, 1)):
        tried.clear()
        (failed,) = failed_variants(bots, rules, check_of).items()
        assert (failed[0], [*failed[1]]) == ("ben", ["bribery/3"])
        assert len(tried) == checks
    assert [*records_of(more.log.attempts()).values()][1].versions == 1
