"""A submission is logged once and has one version, whatever runs beside it, and whatever is killed.

A model of the processes: students' submissions are checked and accepted, the ladder looks for bots,
a teacher puts bots into the folder. The test interleaves them, kills them before changes of the
disk, and lets the teacher do something there.
"""

import random
from collections import Counter
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.contest.bot_files import versions
from arena.contest.roster import Student
from arena.contest.submission_log import ADOPTED, ARRIVED, Attempt, SubmissionLog, accepted_bots

DEADLINE = datetime(2026, 12, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
STUDENTS = ("ann", "ben")
CODES = ("a", "b")

Process = Generator[None, None, None]


class Killed(BaseException):
    """Ends a process at a change of the disk, as SIGKILL does."""


class World:
    """A folder of submissions, a clock, and what happens at each change of the disk."""

    def __init__(self, folder: Path, kills: int, rng: random.Random, *, refuses: bool) -> None:
        self.refuses, self.kills, self.rng = refuses, kills, rng
        self.folder = folder / "submissions"
        self.scratch = folder / ".submissions" / "scratch"
        self.folder.mkdir()
        self.scratch.mkdir(parents=True)
        self.log = SubmissionLog(self.folder, self.before_change)
        self.teacher: Process = iter_nothing()
        self.now = DEADLINE - 20 * SECOND
        self.bots = 0
        """Folders of bots that were made."""
        self.put: dict[tuple[str, str], datetime] = {}
        """By student and code, when the teacher has put the bot into the folder first."""
        self.put_places: set[tuple[str, int]] = set()
        self.seen: dict[tuple[str, str], datetime] = {}
        """By student and code, when a look has noted that the bot is there, at the latest."""

    def before_change(self) -> None:
        """Let the teacher do something, or kill the process that changes the disk."""
        if self.rng.random() < TEACHER:
            next(self.teacher, None)
        if self.kills and self.rng.random() < KILLED:
            self.kills -= 1
            raise Killed

    def make_bot(self, code: str) -> Path:
        """Make the folder of a bot that has passed its check, in a scratch folder of its own."""
        self.bots += 1
        bot = self.scratch / str(self.bots) / "copied"
        bot.mkdir(parents=True)
        (bot / "code").write_text(code)
        return bot


def iter_nothing() -> Process:
    yield from ()


def code_in(folder: Path) -> str:
    return (folder / "code").read_text()


def hand_in(world: World, attempt: Attempt, *, is_fit: bool) -> Process:
    """Check a submission and accept or refuse it, as the checker of a server does."""
    yield
    if world.log.find(attempt.submission):
        return
    yield  # the check takes its time
    if not is_fit:
        refused = msgspec.structs.replace(attempt, fingerprint="", reason="it fails")
        world.log.note(refused)
        return
    code = attempt.fingerprint
    student, bot = Student(attempt.id, attempt.id), world.make_bot(code)
    world.log.accept(attempt, student, bot, lambda folder: code_in(folder) == code)


def look_for_bots(world: World) -> Process:
    """Admit the bots of the folder, as the ladder does: first look at them, then at the log."""
    found = []
    for name in STUDENTS:
        yield
        if numbers := versions(world.folder / name):
            found.append((name, numbers[-1], code_in(world.folder / name / str(numbers[-1]))))
    yield
    accepted = accepted_bots(world.log.attempts())
    for name, number, code in found:
        if (name, code) in accepted:
            continue
        attempt = Attempt(world.now, name, str(number), "refused", code, number)
        seen = world.log.first_seen(attempt)
        if seen.outcome == "accepted":
            continue
        world.seen.setdefault((name, code), seen.time)
        yield  # the check takes its time
        is_late = seen.time > DEADLINE
        if is_late and world.refuses:
            verdict = msgspec.structs.replace(seen, reason=f"it came at {seen.time}")
        else:
            verdict = msgspec.structs.replace(seen, outcome="accepted", late=is_late)
        world.log.note(verdict)


def put_bots(world: World, codes: list[tuple[str, str]]) -> Process:
    """Put bots into the folder, as a teacher does, who knows of no lock."""
    for name, code in codes:
        yield
        (world.folder / name).mkdir(exist_ok=True)
        number = (versions(world.folder / name) or [0])[-1] + 1
        world.make_bot(code).rename(world.folder / name / str(number))
        world.put.setdefault((name, code), world.now)
        world.put_places.add((name, number))


SUBMITTED = st.lists(
    st.tuples(
        st.sampled_from(STUDENTS), st.sampled_from(CODES), st.sampled_from([True, True, False])
    ),
    min_size=1,
    max_size=4,
)
PUT = st.lists(st.tuples(st.sampled_from(STUDENTS), st.sampled_from([*CODES, "put"])), max_size=2)
KILLED, TEACHER = 0.07, 0.05
"""The share of steps at which a process is killed, and at which the teacher does something."""


@settings(max_examples=50)
@given(SUBMITTED, PUT, st.booleans(), st.integers(0, 6), st.integers(0, 2**32))
@example([("ann", "a", True)] * 3, [("ben", "a")], True, 1, 1)  # seen in time by one look only
def test_each_submission_is_logged_once_at_its_time(
    submitted: list[tuple[str, str, bool]],
    put: list[tuple[str, str]],
    refuses: bool,
    kills: int,
    seed: int,
) -> None:
    with TemporaryDirectory() as folder:
        rng = random.Random(seed)
        world = World(Path(folder), kills, rng, refuses=refuses)
        attempts = [
            Attempt(world.now, name, "bot.py", "refused", code, submission=f"s{number}")
            for number, (name, code, _) in enumerate(submitted)
        ]
        processes: list[Callable[[], Process]] = [
            partial(hand_in, world, attempt, is_fit=is_fit)
            for attempt, (*_, is_fit) in zip(attempts, submitted, strict=True)
        ]
        processes += [partial(look_for_bots, world)] * 3
        world.teacher = put_bots(world, put)
        interleave(world, processes, rng)
        check_end(world, {attempt.submission: attempt for attempt in attempts})


def interleave(world: World, starts: list[Callable[[], Process]], rng: random.Random) -> None:
    """Let processes take turns at random to their end. Start those that are killed again."""
    running = [(start, start()) for start in starts]
    while running:
        world.now += SECOND
        place = rng.randrange(len(running))
        start, process = running[place]
        try:
            world.before_change()
            is_over = next(process, "over") == "over"
        except Killed:
            process.close()
            running[place] = (start, start())
        else:
            if is_over:
                running.pop(place)
    world.kills = 0
    for _ in (*world.teacher, *look_for_bots(world)):
        world.now += SECOND


def check_end(world: World, attempts: dict[str, Attempt]) -> None:
    """Compare the log with what was submitted, and with the versions."""
    world.log.settle()
    log = world.log.attempts()
    entries = [entry for entry in log if entry.submission]
    assert Counter(entry.submission for entry in entries) == Counter(list(attempts))
    for entry in entries:
        attempt = attempts[entry.submission]
        assert (entry.id, entry.time, entry.late) == (attempt.id, attempt.time, False)
        if entry.outcome != "refused":
            assert entry.fingerprint == attempt.fingerprint
    known: set[tuple[str, str]] = set()
    for entry in log:
        bot = (entry.id, entry.fingerprint)
        if not entry.submission:
            assert bot not in known, "a submitted bot is not accepted again"
            assert world.put[bot] <= entry.time <= world.seen[bot]
            assert entry.late == (entry.time > DEADLINE and not world.refuses)
            assert (entry.outcome == "refused") == (entry.time > DEADLINE and world.refuses)
        if entry.outcome == "accepted":
            known.add(bot)
        if entry.number:
            assert code_in(world.folder / entry.id / str(entry.number)) == entry.fingerprint
    accepted = [(entry.id, entry.number) for entry in log if entry.outcome == "accepted"]
    assert len(accepted) == len(set(accepted))
    there = {(name, number) for name in STUDENTS for number in versions(world.folder / name)}
    assert there == {*accepted, *world.put_places}
    arrived = world.log.path.with_name(ARRIVED)
    assert not arrived.is_dir() or not [*arrived.iterdir()]


def test_what_a_killed_process_has_left_is_completed_or_deleted(tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    log = SubmissionLog(submissions)
    assert log.attempts() == []
    assert not log.path.parent.exists(), "to look makes nothing"
    with log.settled():
        pass
    log.path.write_bytes(b"")
    assert log.attempts() == [], "the process that made the table was killed"
    private = log.path.parent
    (private / ARRIVED / "no-row" / "1").mkdir(parents=True)
    (private / ADOPTED / "ben" / "1").mkdir(parents=True)
    log.settle()
    assert not [*(private / ARRIVED).iterdir()]
    assert [path.relative_to(submissions) for path in submissions.rglob("*")] == [
        Path("ben"),
        Path("ben/1"),
    ]
    attempt = Attempt(DEADLINE, "ann", "1", "refused", "code", 1)
    for later in (SECOND, 2 * SECOND):
        now = msgspec.structs.replace(attempt, time=DEADLINE + later)
        assert log.first_seen(now).time == DEADLINE + SECOND
    assert log.attempts() == [], "it has no verdict"
    accepted = msgspec.structs.replace(attempt, outcome="accepted")
    assert [log.note(one) for one in (accepted, accepted, attempt)] == [accepted] * 3
    assert log.attempts() == [accepted]
