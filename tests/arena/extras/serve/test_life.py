"""The life of a server, walked at random: after each step, all that it shows agrees.

Teachers and students act by pages. The checker, the ladder and its boards take turns in this
process, at any order and speed: the clock stands until a step moves it, no bot is started, and
games are played by dice. A kill is an exception that nothing catches.
"""

import contextlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from limits import RateLimitItemPerSecond

from arena.base.contracts import Batch, ExecutorKind
from arena.base.errors import SettingsError, SubmissionError
from arena.base.record import Entrant, Game, GameRecord
from arena.contest import lineup, reader
from arena.contest.bot_files import versions
from arena.contest.submission_log import SubmissionLog
from arena.extras.serve.background import Background
from arena.extras.serve.class_overview import Overview
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    PUBLIC,
    STATE,
    LadderTimes,
    times_of,
)
from arena.extras.serve.ladder.ladder_player import Interrupts, Ladder, News
from arena.extras.serve.ladder.ladder_standings import StandingsWriter
from arena.extras.serve.server import prepare
from arena.extras.serve.server_database import local_time
from arena.extras.serve.submissions import checker
from arena.extras.serve.submissions.checker import Checker
from arena.extras.serve.submissions.submission_store import MAX_TRIES, SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.plugins import hookimpl
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store
from tests.arena.extras.serve.visiting import START, Browser, Clock, make_contest, make_random_bytes
from tests.arena.playing import plug_in
from tests.arena.runs import Crew, play_with_faults

STUDENTS = ("ann", "ben", "cat")
HOUR = 3600.0
ANY_RATE = RateLimitItemPerSecond(10**9)
BAD = "# bad"
CODES = [f"# version {number}\n" for number in range(3)] + [f"{BAD}\n"]
EDITS = {
    "a mistake": ("rounds = ", "rounds = = "),
    "another seed": ("seed = 5", "seed = 6"),
    "more rounds": ("rounds = 1", "rounds = 2"),
    "no such bot": ('"random"', '"nobody"'),
    "another variant": ("pot-de-vin/3", "pot-de-vin/4"),
    "no guests": ("fill = true", "fill = false"),
    "a weak sandbox": ("accepted_risk", "# accepted_risk"),
    "no final": ("[serve]\n", "[serve]\nfinal = false\n"),
    "pseudonyms": ("[serve]\n", "[serve]\npseudonyms = true\n"),
}
"""What somebody changes in the contest file while the server runs."""
UNREADABLE = {"a mistake", "no such bot"}
HOLDS_UP = UNREADABLE | {"a weak sandbox"}
"""With these changes, the server does not start, and says so in the terminal."""


class Killed(BaseException):
    """The process is killed here."""


class Woken(Background):
    """A process beside the pages that is told to look for work."""

    is_woken = True

    def wake(self) -> None:
        self.is_woken = True


@dataclass
class Known:
    """What is known of a student: the truth that pages, log and runs have to show."""

    is_removed: bool = False
    due: float = 0.0
    """The deadline that was extended, or 0."""
    waiting: list[tuple[int, str]] = field(default_factory=list)
    """By id, the submissions without a verdict, with their code."""
    versions: list[str] = field(default_factory=list)
    """The code of each version that was accepted."""
    verdicts: dict[int, str] = field(default_factory=dict)

    def judge(self, number: int, code: str) -> None:
        """Note the verdict of a submission."""
        verdict = "refused" if BAD in code else "accepted"
        if self.versions[-1:] == [code]:
            verdict = "unchanged"
        elif verdict == "accepted":
            self.versions.append(code)
        self.verdicts[number] = verdict


class Dice(Crew):
    """Plays games by dice, in this process, until it is killed or stopped."""

    left = -1
    """The games that it still plays before `ending` is raised; -1 is no limit."""
    ending: BaseException = Killed()

    def play_game(self, game: Game, batch: Batch) -> GameRecord:
        if Dice.left == 0:
            Dice.left = -1
            raise Dice.ending
        Dice.left -= 1
        return play_with_faults(game, {})


class Player:
    """The plugin of the executor."""

    @hookimpl
    def register_executors(self) -> Sequence[ExecutorKind]:
        return [ExecutorKind("dice", "plays by dice", lambda *_: Dice())]


def check_here(*_: Any) -> Callable[[Entrant], None]:
    """Return the check of a bot that is not started."""

    def check(bot: Entrant) -> None:
        if BAD in "".join([path.read_text() for path in Path(bot.folder).rglob("*.py")]):
            raise SubmissionError("it is bad")

    return check


def read_here(_: object, __: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Read the files of a student in this process."""
    return function(*arguments)


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start no bot and no process that reads one."""
    monkeypatch.setattr(reader.Reader, "run", read_here)
    monkeypatch.setattr(reader.Reader, "scratch", property(scratch_of))
    monkeypatch.setattr(reader.Reader, "__exit__", lambda self, *_: end(self))
    monkeypatch.setattr(lineup, "introduce", lambda bots, *_: list(bots))
    monkeypatch.setattr(checker, "checker", check_here)
    with plug_in(Player()):
        yield


def scratch_of(self: Any) -> Path:
    if not hasattr(self, "here"):
        if self._scratch_in:
            self._scratch_in.mkdir(parents=True, exist_ok=True)
        self.here = Path(tempfile.mkdtemp(prefix=".incoming-", dir=self._scratch_in))
    return Path(self.here)


def end(self: Any) -> None:
    if hasattr(self, "here"):
        shutil.rmtree(self.here)
        del self.here


def shown(seconds: float) -> str:
    """Return a time as contest.toml has it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


class Life(RuleBasedStateMachine):
    """A server, its people, and what they know."""

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.random_bytes = make_random_bytes()
        self.due, self.refuses = START + 48 * HOUR, False
        table = f'[deadline]\ndue = "{shown(self.due)}"\n'
        self.file = make_contest(Path(self.place.name, "contest"), table)
        text = self.file.read_text().replace("rounds = 3", "rounds = 1")
        self.file.write_text(text.replace("workers = 1\n", 'workers = 1\nexecutor = "dice"\n'))
        self.site = self.opened()
        self.known = {name: Known() for name in STUDENTS}
        self.digests: dict[str, object] = {}
        self.edited: list[str] = []
        self.frozen: tuple[LadderTimes, int] | None = None
        self.teacher = Browser(self.site).sign_in(self.site.people.add_teacher())
        names = {"text": "\n".join(STUDENTS), "confirmed": "yes"}
        assert self.teacher.post("/teacher/roster/csv", names).status_code == 200
        self.browsers = {name: self.signed_in(name) for name in STUDENTS}
        self.start_ladder()
        self.boards = StandingsWriter(self.file, self.clock)

    def teardown(self) -> None:
        self.site.tables.stop()
        self.site.database.close()
        self.place.cleanup()

    def opened(self) -> ContestSite:
        """Start the server."""
        site = open_site(self.file, clock=self.clock, random_bytes=self.random_bytes)
        prepare(site, lambda _: None)
        return replace(site, ladder=Woken(), checker=Woken(), person_rate=ANY_RATE)

    def start_ladder(self) -> None:
        """Start the process of the ladder."""
        self.news = News(self.file, self.clock)
        self.ladder = Ladder(self.file, None, Interrupts(self.clock), self.clock)
        self.plays_at: float | None = 0.0

    def signed_in(self, name: str) -> Browser:
        return Browser(self.site).sign_in(self.site.people.require(name))

    def deadline_of(self, name: str) -> float:
        return max(self.due, self.known[name].due)

    # -- students ----------------------------------------------------------------------------------

    def present(self) -> dict[str, Known]:
        """Return the students who are on the roster."""
        return {name: known for name, known in self.known.items() if not known.is_removed}

    @precondition(lambda self: bool(self.present()))
    @rule(data=st.data(), code=st.sampled_from(CODES))
    def hand_in(self, data: st.DataObject, code: str) -> None:
        self.send(data.draw(st.sampled_from(sorted(self.present()))), code)

    def send(self, name: str, code: str = CODES[0]) -> None:
        """Let a student who is on the roster hand in."""
        known, now = self.known[name], self.clock.now
        is_late = now > self.deadline_of(name)
        answer = self.browsers[name].post("/submissions", {"code": code})
        if is_late and self.refuses:
            assert answer.status_code == 403
        elif len(known.waiting) >= 5:
            assert answer.status_code == 429
        else:
            number = int(answer.url.path.rpartition("/")[2])
            submission = SubmissionStore(self.site.database).get(number)
            assert submission
            assert submission.is_late == is_late
            known.waiting.append((number, code.strip() + "\n"))

    @precondition(lambda self: bool(self.present()))
    @rule(data=st.data(), number=st.integers(1, 3))
    def play_an_earlier_version(self, data: st.DataObject, number: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.present())))
        known = self.known[name]
        is_closed = self.refuses and self.clock.now > self.deadline_of(name)
        answer = self.browsers[name].post("/versions", {"version": str(number)})
        if is_closed:
            assert answer.status_code == 403
        elif number > len(known.versions):
            assert answer.status_code == 404
        else:
            assert answer.status_code == 200
            known.judge(0, known.versions[number - 1])

    # -- the teacher -------------------------------------------------------------------------------

    @rule(name=st.sampled_from(STUDENTS))
    def remove(self, name: str) -> None:
        answer = self.teacher.post(f"/teacher/roster/{name}/remove", {"confirmed": "yes"})
        states = [one.state for one in SubmissionStore(self.site.database).unchecked(name)]
        if self.known[name].is_removed:
            assert answer.status_code == 404
        elif "checking" in states:  # until the checker is there again
            assert answer.status_code == 400
        else:
            assert answer.status_code == 200
            self.known[name].is_removed = True

    @rule(name=st.sampled_from(STUDENTS))
    def undo_removal(self, name: str) -> None:
        answer = self.teacher.post(f"/teacher/roster/{name}/restore")
        assert answer.status_code == (200 if self.known[name].is_removed else 404)
        if self.known[name].is_removed:
            self.known[name].is_removed = False
            self.known[name].due = 0.0
            self.browsers[name] = self.signed_in(name)

    @rule(name=st.sampled_from(STUDENTS), hours=st.sampled_from([None, -20, 5, 50]))
    def extend(self, name: str, hours: int | None) -> None:
        due = "" if hours is None else shown(self.clock.now + hours * HOUR)
        answer = self.teacher.post(f"/teacher/students/{name}/due", {"due": due})
        if self.known[name].is_removed:
            assert answer.status_code == 404
        else:
            self.known[name].due = 0.0 if hours is None else self.clock.now + hours * HOUR

    @rule(
        hours=st.sampled_from([-30, 1, 30]),
        late=st.sampled_from(["accept", "refuse"]),
        freeze=st.sampled_from([0, 120]),
    )
    def change_dates(self, hours: int, late: str, freeze: int) -> None:
        due = self.clock.now + hours * HOUR
        dates = {"due": shown(due), "late": late, "freeze_minutes": str(freeze)}
        answer = self.teacher.post("/teacher/dates", {**dates, "confirmed": "yes"})
        if {*self.edited} & UNREADABLE:
            assert answer.status_code == 400
        else:
            assert answer.status_code == 200
            self.due, self.refuses = due, late == "refuse"

    @rule()
    def play_final(self) -> None:
        answer = self.teacher.post("/teacher/final", {"confirmed": "yes"})
        assert answer.status_code == 200

    @rule()
    def forget_final(self) -> None:
        assert self.teacher.post("/teacher/ladder").status_code in (200, 409)

    # -- the operator ------------------------------------------------------------------------------

    @rule(hours=st.sampled_from([0.01, 1, 10, 30]))
    def wait(self, hours: float) -> None:
        self.clock.now += hours * HOUR

    @rule(what=st.sampled_from(sorted(EDITS)))
    def edit_the_file(self, what: str) -> None:
        before, after = EDITS[what]
        text = self.file.read_text()
        if what in self.edited:
            self.file.write_text(text.replace(after, before))
            self.edited.remove(what)
        elif before in text and not self.edited:
            self.file.write_text(text.replace(before, after))
            self.edited.append(what)

    @rule()
    def kill_the_server(self) -> None:
        if {*self.edited} & HOLDS_UP:
            return
        cookies = [browser.client.cookies for browser in (self.teacher, *self.browsers.values())]
        self.site.tables.stop()
        self.site.database.close()
        self.site = self.opened()
        self.teacher, *browsers = [Browser(self.site) for _ in cookies]
        self.browsers = dict(zip(STUDENTS, browsers, strict=True))
        for browser, kept in zip((self.teacher, *browsers), cookies, strict=True):
            browser.client.cookies = kept
        self.start_ladder()
        self.boards = StandingsWriter(self.file, self.clock)

    # -- the processes beside the pages ------------------------------------------------------------

    @rule(killed_at=st.sampled_from(["", "", "check", "accept"]))
    def check(self, killed_at: str = "") -> None:
        """Let the checker do its work; or kill it during a check, or just after one."""
        with pytest.MonkeyPatch.context() as patch:
            if killed_at == "check":
                patch.setattr(checker, "checker", lambda *_: kill)
            elif killed_at:
                patch.setattr(SubmissionStore, "accept", kill)
            folder = self.site.folder / "submissions"
            files = UploadedFiles(folder, self.random_bytes)
            try:
                work = Checker(self.site.current, self.site.database, files)
                work.resume()
                work.check_all(self.site.ladder.wake)
            except Killed:
                pass
            except Exception as error:  # the process ends and starts again
                self.checker_says = str(error)
            else:
                self.checker_says = ""
        self.read_verdicts()

    def read_verdicts(self) -> None:
        """Read which submissions have a verdict, and hold that it is the right one."""
        store = SubmissionStore(self.site.database)
        logged = {a.submission for a in SubmissionLog(self.site.folder / "submissions").attempts()}
        for known in self.known.values():
            while known.waiting:
                number, code = known.waiting[0]
                submission = store.get(number)
                assert submission, f"submission {number} is lost"
                if number not in known.verdicts and (
                    submission.is_done or submission.key in logged
                ):
                    known.judge(number, code)
                if not submission.is_done:  # also if its checker was killed with a verdict
                    break
                known.waiting.pop(0)
                assert submission.state == known.verdicts[number], submission

    @rule(
        games=st.sampled_from([-1, -1, 0, 2]), ending=st.sampled_from([Killed, KeyboardInterrupt])
    )
    def play(self, games: int = -1, ending: type[BaseException] = Killed) -> None:
        """Let the ladder play if something tells it to; or kill or stop it after some games."""
        woken = self.site.ladder
        assert isinstance(woken, Woken)
        is_time = self.plays_at is not None and self.clock.now >= self.plays_at
        has_news = self.news.has_come()
        if not (woken.is_woken or has_news or is_time):
            return
        woken.is_woken = False
        Dice.left, Dice.ending = games, ending()
        try:
            wait_s = self.ladder.play_or_wait()
            self.plays_at = None if wait_s is None else self.clock.now + wait_s
        except Killed:
            self.start_ladder()
        finally:
            Dice.left = -1

    @rule()
    def update_boards(self) -> None:
        with contextlib.suppress(SettingsError):  # the contest file has a mistake, as pages say
            self.boards.update()

    @rule()
    def restart_boards(self) -> None:
        self.boards = StandingsWriter(self.file, self.clock)

    # -- what holds after each step ----------------------------------------------------------------

    @invariant()
    def pages_open(self) -> None:
        for path in ("/", "/teacher", "/teacher/roster", "/teacher/grades"):
            answer = self.teacher.get(path)
            assert answer.status_code == 200, (path, answer.text)
        for name, known in self.known.items():
            assert self.browsers[name].get("/me").status_code == (401 if known.is_removed else 200)

    @invariant()
    def log_folders_and_class_page_agree(self) -> None:
        folder = self.site.folder / "submissions"
        logged: dict[str, int] = {}
        for attempt in SubmissionLog(folder).attempts():
            if attempt.outcome == "accepted":
                logged[attempt.id] = logged.get(attempt.id, 0) + 1
                assert attempt.number == logged[attempt.id], "versions are numbered in their order"
        lines = {line.owner.id: line.log.versions for line in Overview(self.site).lines}
        for name, known in self.known.items():
            place = folder / (".removed" if known.is_removed else "") / name
            number = len(known.versions)
            assert logged.get(name, 0) == number
            assert len(versions(place)) == number
            assert lines.pop(name, None) == (None if known.is_removed else number)
            for version, code in enumerate(known.versions, 1):
                assert (place / str(version) / "bot.py").read_text() == code
        assert not lines

    @invariant()
    def a_final_never_changes(self) -> None:
        for run in (self.site.folder / "results").glob("*-final*"):
            if (run / DATABASE).is_file():
                with Store.open(run) as store:
                    digest = noted_digest(store)
                if digest:
                    assert self.digests.setdefault(run.name, digest) == digest

    @invariant()
    def a_frozen_board_stays(self) -> None:
        times, now = times_of(self.site.contest, self.site.folder), local_time(self.clock.now)
        public = PUBLIC.read(self.site.folder)
        is_frozen = times.is_frozen(now, is_final_over=False) and public and not public.is_final
        shown = (times, public.stored) if public and is_frozen else None
        if shown and self.frozen and shown[0] == self.frozen[0]:
            assert shown == self.frozen
        self.frozen = shown

    @rule()
    def settle(self) -> None:
        """Let all processes do what there is to do, and hold that all of it agrees."""
        self.let_all_work()
        if self.waits():
            self.end_waits()
        self.a_final_never_changes()
        assert not [known.waiting for known in self.present().values() if known.waiting]
        ladder, final = self.entrants("spring"), FINAL.read(self.site.folder)
        fit = {name: known.versions[-1] for name, known in self.known.items() if known.versions}
        fit = {name: code for name, code in fit.items() if not self.known[name].is_removed}
        assert set(ladder) == {*fit}
        for name, code in fit.items():
            assert ladder[name] == code
        if self.is_final_due():
            assert final
            assert not final.is_replaced
            assert final.run in self.digests
        board, public = BOARD.read(self.site.folder), PUBLIC.read(self.site.folder)
        assert board
        counts = final and not final.is_replaced
        assert board.run == (final.run if final and counts else "spring")
        assert board.is_over
        if counts:
            assert public
            assert public.run == board.run
        grades = self.teacher.get("/teacher/grades.csv").text.splitlines()
        graded = [line.partition(",")[0] for line in grades[1:]]
        assert len(graded) == len(set(graded))
        assert {n for n, known in self.known.items() if not known.is_removed} <= {*graded}

    def let_all_work(self) -> None:
        self.check()
        for _ in range(4):
            self.play()
            self.update_boards()

    def waits(self) -> str:
        state = STATE.read(self.site.folder)
        return state.text if state else ""

    def end_waits(self) -> None:
        """Hold that the class page says why something waits, with buttons of which one ends it."""
        assert self.waits()
        for _ in range(4):
            page = self.teacher.get("/teacher").text
            assert "The ladder waits" in page
            for path in re.findall(r'<form [^>]*action="/(teacher/[a-z-]+)"', page):
                assert self.teacher.post(f"/{path}", {"confirmed": "yes"}).status_code == 200
            self.read_edits()
            self.let_all_work()
            if not self.waits():
                return
        raise AssertionError(f"no button ends this: {self.waits()}")

    def read_edits(self) -> None:
        text = self.file.read_text()
        self.edited = [what for what in self.edited if EDITS[what][1] in text]
        deadline = self.site.contest.deadline.deadline()  # the ladder may not have played with it
        assert deadline
        assert deadline.due
        self.due, self.refuses = deadline.due.timestamp(), deadline.refuses

    def is_final_due(self) -> bool:
        times = times_of(self.site.contest, self.site.folder)
        return times.is_final_due(local_time(self.clock.now))

    def entrants(self, run: str) -> dict[str, str]:
        """Return by name the code of the students' bots that play a run."""
        with Store.open(self.site.folder / "results" / run) as store:
            settings = store.settings()
        return {
            bot.name: Path(bot.folder, "bot.py").read_text()
            for bot in settings.entrants
            if bot.name in STUDENTS and bot.name not in settings.dropped_bots
        }


def kill(*_: object, **__: object) -> None:
    raise Killed


def walk(walks: int, steps: int) -> None:
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=walks,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


HISTORIES: dict[str, Sequence[Callable[[Life], object]]] = {
    "removed with a submission that waits": [
        lambda life: life.send("ann"),
        lambda life: life.remove("ann"),
        Life.settle,
        lambda life: life.undo_removal("ann"),
        Life.settle,
    ],
    "removed at the deadline": [
        lambda life: life.send("ann"),
        lambda life: life.remove("ann"),
        lambda life: life.wait(50),
        Life.settle,
    ],
    "all are removed": [
        lambda life: life.send("ann"),
        Life.settle,
        *[lambda life, name=name: life.remove(name) for name in STUDENTS],
        Life.settle,
    ],
    "killed between the log and the database": [
        lambda life: life.send("ann"),
        lambda life: life.check("accept"),
        lambda life: life.send("ann", CODES[1]),
        Life.kill_the_server,
        Life.settle,
    ],
    "extended after the final": [
        lambda life: life.send("ann"),
        lambda life: life.wait(50),
        Life.settle,
        lambda life: life.extend("ben", 5),
        lambda life: life.send("ben"),
        Life.settle,
        lambda life: life.wait(10),
        Life.settle,
    ],
    "dates stay when the settings go back": [
        Life.settle,
        lambda life: life.change_dates(-30, "refuse", 0),
        lambda life: life.edit_the_file("another seed"),
        Life.settle,
        lambda life: life.send("ann"),
    ],
    "frozen, then unfrozen": [
        lambda life: life.send("ann"),
        Life.settle,
        lambda life: life.change_dates(1, "accept", 120),
        lambda life: life.send("ben"),
        Life.let_all_work,
        Life.restart_boards,
        lambda life: life.send("ann", CODES[1]),
        Life.let_all_work,
        lambda life: life.wait(10),
        Life.settle,
    ],
    "no check while the contest has a mistake": [
        lambda life: life.edit_the_file("a weak sandbox"),
        lambda life: life.send("ann"),
        *[Life.check] * (MAX_TRIES + 1),
        Life.settle,
    ],
}
"""Lives in which something was wrong once."""


@pytest.mark.slow
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_what_was_wrong_once_agrees(history: Sequence[Callable[[Life], object]]) -> None:
    live(history)


@pytest.mark.slow
@pytest.mark.parametrize("what", EDITS)
def test_what_an_edit_of_the_file_stops_goes_on_by_a_button(what: str) -> None:
    first, second = lambda life: life.send("ann"), lambda life: life.send("ann", CODES[1])
    live([first, Life.settle, lambda life: life.edit_the_file(what), second, Life.settle])


def live(history: Sequence[Callable[[Life], object]]) -> None:
    """Take steps, and hold after each that all agrees."""
    life = Life()
    try:
        for step in history:
            step(life)
            life.pages_open()
            life.log_folders_and_class_page_agree()
            life.a_final_never_changes()
            life.a_frozen_board_stays()
    finally:
        life.teardown()


@pytest.mark.slow
def test_all_that_a_server_shows_agrees() -> None:
    walk(walks=4, steps=15)


@pytest.mark.long
def test_all_that_a_server_shows_agrees_for_long() -> None:
    walk(walks=40, steps=50)
