"""Tests of the inbox: submissions are stored completely, judged once, and survive kills."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from arena.base.errors import BotError, StoreError
from arena.contest.inbox import (
    DATABASE,
    CheckStep,
    Inbox,
    Sent,
    State,
    Terms,
    TooManySubmissions,
    in_words,
)
from arena.contest.roster import Student
from tests.arena.contest.submitted import NOON, PLAIN, accept, receive, write

ANN = Student("ann", "Ann Lee")


def test_stores_files_read_only_under_their_fingerprint(folder: Path, inbox: Inbox) -> None:
    files = {"mybot/bot.py": PLAIN, "mybot/weights.txt": "1"}
    submission = receive(folder, "ann", files)
    place = inbox.bots / submission.fingerprint
    assert {path.name for path in place.iterdir()} == {"bot.py", "weights.txt"}
    assert not (place / "bot.py").stat().st_mode & 0o222
    assert not inbox.bots.stat().st_mode & 0o077
    assert not inbox.path.stat().st_mode & 0o077
    entrant = inbox.bot_of(submission).entrant
    assert (entrant.name, entrant.folder) == ("ann", str(place))
    assert (entrant.command[0], entrant.command[-1]) == (sys.executable, "bot.py")
    again = receive(folder, "ben", files)
    assert again.fingerprint == submission.fingerprint
    assert inbox.others_with(submission) == ("ben",)
    assert [path for path in inbox.bots.iterdir() if path.name != place.name] == []


def test_records_rejected_submissions(folder: Path, inbox: Inbox) -> None:
    submission = receive(folder, "ann", {"a.txt": ""})
    assert (submission.state, submission.fingerprint) == ("refused", "")
    assert "there is no bot in" in submission.reason
    assert receive(folder, "random").state == "refused", "the name of an installed bot"
    assert not list(inbox.bots.iterdir())
    assert inbox.next_waiting() is None


def test_numbers_versions_and_restores_earlier_ones(folder: Path, inbox: Inbox) -> None:
    codes = [PLAIN, PLAIN, f"{PLAIN}\n", PLAIN]
    became = [accept(folder, "ann", code) for code in codes]
    assert [(one.state, one.version) for one in became] == [
        ("accepted", 1),
        ("unchanged", 1),
        ("accepted", 2),
        ("accepted", 3),
    ]
    assert [one.version for one in inbox.versions("ann")] == [1, 2, 3]
    again = inbox.play_again(became[2], Sent(ANN, NOON))
    assert (again.state, again.version, again.file) == ("accepted", 4, became[2].file)
    assert [one.fingerprint for one in inbox.lineup()] == [became[2].fingerprint]
    assert inbox.play_again(became[2], Sent(ANN, NOON)).state == "unchanged"


def test_failed_change_leaves_nothing_behind(folder: Path, inbox: Inbox) -> None:
    version = accept(folder, "ann")
    accept(folder, "ann", f"{PLAIN}\n")
    before = inbox.all()
    with contextlib.closing(sqlite3.connect(inbox.path)) as database:
        database.execute(
            "CREATE TRIGGER fails BEFORE UPDATE ON submissions BEGIN SELECT RAISE(FAIL, 'no'); END"
        )
    with pytest.raises(StoreError, match="no"):
        inbox.play_again(version, Sent(ANN, NOON))
    assert inbox.all() == before


def test_trial_becomes_a_version_when_submitted(folder: Path, inbox: Inbox) -> None:
    source = write(folder.parent / "bot.py")
    trial = inbox.receive(source, Sent(ANN, NOON, against=("greedy",)))
    assert inbox.next_waiting()
    assert inbox.judge(trial.id).state == "accepted"
    assert not inbox.lineup()
    handed_in = inbox.hand_in_trial(trial, Sent(ANN, NOON), Terms())
    assert inbox.next_waiting()
    assert inbox.judge(handed_in.id).version == 1


def test_excludes_removed_owners(folder: Path, inbox: Inbox) -> None:
    accept(folder, "ann")
    accept(folder, "ben")
    receive(folder, "ben", f"{PLAIN}\n")
    assert inbox.set_removed(["ben", "cem"], is_removed=True) == ["ben", "cem"]
    assert [one.owner for one in inbox.lineup()] == ["ann"]
    assert inbox.next_waiting() is None
    assert receive(folder, "ben").state == "refused"
    assert inbox.set_removed(["ben", "ann"], is_removed=False) == ["ben"]
    assert [one.owner for one in inbox.lineup()] == ["ann", "ben"]
    assert inbox.next_waiting()


def test_forgets_an_owners_files(folder: Path, inbox: Inbox) -> None:
    own = accept(folder, "ann", {"bot.py": PLAIN})
    shared = accept(folder, "ann", {"bot.py": f"# 2\n{PLAIN}"})
    named = accept(folder, "ann", {"bot.py": f"# 3\n{PLAIN}"})
    accept(folder, "ben", {"bot.py": f"# 2\n{PLAIN}"})
    inbox.forget_files("ann", [named.fingerprint])
    assert {path.name for path in inbox.bots.iterdir()} == {shared.fingerprint, named.fingerprint}
    with pytest.raises(BotError, match="are missing from"):
        inbox.bot_of(own)
    rows = inbox.all("owner = 'ann'")
    assert {(row.file, row.fingerprint, row.reason) for row in rows} == {("", "", "")}


# -- terms -------------------------------------------------------------------------------------


def test_limits_versions_per_day(folder: Path, inbox: Inbox) -> None:
    terms = Terms(versions_a_day=2)
    sources = [write(folder.parent / f"{number}.py", f"# {number}\n{PLAIN}") for number in range(3)]

    def hand_in(number: int, at: datetime, reason: str = "") -> State:
        submission = inbox.receive(sources[number], Sent(ANN, at), terms)
        assert inbox.next_waiting()
        return inbox.judge(submission.id, reason).state

    assert hand_in(0, NOON) == "accepted"
    assert hand_in(1, NOON, "no") == "refused", "which does not count"
    assert hand_in(1, NOON) == "accepted"
    assert hand_in(0, NOON) == "accepted", "it was accepted before"
    with pytest.raises(
        TooManySubmissions, match=r"got 2 new versions on .*, and the limit is 2 a day"
    ):
        hand_in(2, NOON)
    with pytest.raises(TooManySubmissions):
        inbox.require_room(Sent(ANN, NOON), terms)
    assert hand_in(2, NOON + timedelta(days=1)) == "accepted"


def test_limits_waiting_submissions(folder: Path, inbox: Inbox) -> None:
    source = write(folder.parent / "bot.py")
    first = inbox.receive(source, Sent(ANN, NOON))
    terms = Terms(most_waiting=5)

    def hand_in(_: int) -> bool:
        try:
            inbox.hand_in_trial(first, Sent(ANN, NOON), terms)
        except TooManySubmissions:
            return False
        return True

    with ThreadPoolExecutor(40) as pool:
        taken = list(pool.map(hand_in, range(40)))
    assert sum(taken) == 4
    assert len(inbox.unchecked()) == 5


# -- checks ------------------------------------------------------------------------------------


def test_owners_take_turns(folder: Path, inbox: Inbox) -> None:
    for owner in ("ann", "ann", "ann", "ben", "cem", "ben"):
        receive(folder, owner)
    assert inbox.checks_before(3) == 5
    order = []
    while waiting := inbox.next_waiting():
        order.append(waiting.id)
        inbox.judge(waiting.id, "no")
    assert order == [1, 4, 5, 2, 6, 3]


def test_requeues_submission_of_dead_checker(folder: Path, inbox: Inbox) -> None:
    receive(folder, "ann")
    with Inbox(folder) as other:
        begun = other.next_waiting()
        assert begun
        other.add_step(begun.id, CheckStep("starts", "passed", "it does"))
        assert inbox.next_waiting() is None, "it is being checked"
        assert [step.text for step in inbox.steps(begun.id)] == ["it does"]
    again = inbox.next_waiting()
    assert again
    assert (again.id, again.tries, inbox.steps(again.id)) == (begun.id, 2, [])
    inbox.wait_again(again.id, counts=False)
    inbox.explain_wait("the disk is full")
    now = inbox.get(again.id)
    assert now
    assert (now.state, now.tries, now.reason) == ("waiting", 1, "the disk is full")


def test_verdict_is_final(folder: Path, inbox: Inbox) -> None:
    number = receive(folder, "ann").id
    assert inbox.next_waiting()
    assert inbox.judge(number, "no").state == "refused"
    assert inbox.judge(number).state == "refused"


def test_describes_states_in_words() -> None:
    assert in_words("accepted", 2, is_late=True) == "accepted as version 2, late"
    assert in_words("unchanged", 2, is_late=False) == "unchanged, the same as version 2"
    assert in_words("waiting", 0, is_late=False) == "waiting for its check"


# -- the disk ----------------------------------------------------------------------------------

RECEIVES = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from arena.contest.inbox import Inbox, Sent
from arena.contest.roster import Student
folder, source = map(Path, sys.argv[1:])
for number in range(1000):
    code = f"# {number}\\n" + source.read_text()
    source.with_name("x.py").write_text(code)
    with Inbox(folder) as inbox:
        sent = Sent(Student("ann", "Ann"), datetime.now(UTC))
        received = inbox.receive(source.with_name("x.py"), sent)
        print(received.id, flush=True)
        inbox.judge(inbox.next_waiting().id)
        print(received.id, flush=True)
"""


@pytest.mark.parametrize("lines", [0, 1, 2, 3])
def test_acknowledged_submissions_survive_a_kill(folder: Path, inbox: Inbox, lines: int) -> None:
    source = write(folder.parent / "bot.py")
    command = [sys.executable, "-c", RECEIVES, str(folder), str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        message = [int(process.stdout.readline()) for _ in range(lines)]
        os.kill(process.pid, signal.SIGKILL)
    known = {one.id: one for one in inbox.all()}
    assert {*message} <= known.keys()
    assert all(known[one].is_done for one in {*message} if message.count(one) == 2)
    for one in known.values():
        assert (Path(inbox.bot_of(one).entrant.folder) / "x.py").is_file()
    with Inbox(folder) as other:
        while waiting := other.next_waiting():
            other.judge(waiting.id)
    assert len(inbox.versions("ann")) == len(known)
    for number in range(20):  # the reader of the killed process may go on for a moment
        receive(folder, "ann", f"# last {number}\n{PLAIN}")
        if not (left := [path.name for path in inbox.bots.glob(".*")]):
            break
    assert left == [], "what killed processes left is gone"


def test_creates_nothing_before_first_submission(folder: Path, inbox: Inbox) -> None:
    assert [*inbox.all(), *inbox.lineup(), *inbox.removed(), *inbox.steps(1)] == []
    assert inbox.set_removed(["ann"], is_removed=False) == []
    assert not list(folder.iterdir())


def test_rejects_damaged_inbox_or_other_schema(folder: Path, inbox: Inbox) -> None:
    receive(folder, "ann")
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("PRAGMA user_version = 9")
    with pytest.raises(StoreError, match="has version 9, expected 3"):
        inbox.lineup()
    (folder / DATABASE).write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="cannot use"):
        inbox.lineup()
