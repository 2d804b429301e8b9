"""A model of a server's life for random testing.

Teachers and students use pages. The checker, the ladder and its boards take turns in this
process, in any order and at any speed, because the clock stands still until a step moves it. A
kill is an exception that nothing catches.
"""

import contextlib
import csv
import io
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
)

from arena.base.errors import SettingsError
from arena.contest.admission import rules_of
from arena.contest.inbox import Inbox
from arena.extras.serve import checker
from arena.extras.serve.checker import Checker
from arena.extras.serve.class_overview import Overview
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    STATE,
    FinalFile,
    closing_time,
    is_final_due,
    requested_final,
)
from arena.extras.serve.ladder.ladder_player import ChangeWatcher, Interrupts, Ladder
from arena.extras.serve.ladder.ladder_standings import StandingsWriter
from arena.extras.serve.server import prepare
from arena.extras.serve.server_database import local_time
from arena.extras.serve.web.contest_site import ContestSite, open_site
from arena.tournament.standings import noted_digest
from arena.tournament.store import DATABASE, Store
from tests.arena.command import arena
from tests.arena.extras.serve.life_world import (
    ANY_RATE,
    CODES,
    EDITS,
    HOLDS_UP,
    HOUR,
    STUDENTS,
    UNREADABLE,
    Dice,
    Killed,
    Known,
    shown,
)
from tests.arena.extras.serve.visiting import (
    START,
    Browser,
    Clock,
    Woken,
    make_contest,
    make_random_bytes,
)


class Life(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.random_bytes = make_random_bytes()
        self.due, self.refuses = START + 48 * HOUR, False
        deadline = f'[deadline]\ndue = "{shown(self.due)}"\nlate = "accept"\n'
        table = f"{deadline}[serve]\n"
        self.file = make_contest(Path(self.place.name, "contest"), table)
        text = self.file.read_text().replace("rounds = 3", "rounds = 1")
        self.file.write_text(text.replace("workers = 1\n", 'workers = 1\nexecutor = "dice"\n'))
        self.site = self.opened()
        self.known = {name: Known() for name in STUDENTS}
        self.digests: dict[str, object] = {}
        self.seen: dict[str, dict[str, int]] = {}
        """For each run, the number of versions that each student had when it started."""
        self.edited: list[str] = []
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
        site = open_site(self.file, clock=self.clock, random_bytes=self.random_bytes)
        prepare(site, lambda _: None)
        return replace(site, ladder=Woken(), checker=Woken(), person_rate=ANY_RATE)

    def start_ladder(self) -> None:
        self.watcher = ChangeWatcher(self.file, self.clock)
        self.ladder = Ladder(self.file, 1, Interrupts(self.clock), self.clock)
        self.plays_at: float | None = 0.0

    def signed_in(self, name: str) -> Browser:
        return Browser(self.site).sign_in(self.site.people.require(name))

    def deadline_of(self, name: str) -> float:
        return max(self.due, self.known[name].due)

    # -- students ----------------------------------------------------------------------------------

    def present(self) -> dict[str, Known]:
        return {name: known for name, known in self.known.items() if not known.is_removed}

    @precondition(lambda self: bool(self.present()))
    @rule(data=st.data(), code=st.sampled_from(CODES))
    def hand_in(self, data: st.DataObject, code: str) -> None:
        self.send(data.draw(st.sampled_from(sorted(self.present()))), code)

    def send(self, name: str, code: str = CODES[0]) -> None:
        """Submit a bot of a student on the roster."""
        known, now = self.known[name], self.clock.now
        is_late = now > self.deadline_of(name)
        answer = self.browsers[name].post("/submissions", {"code": code})
        if is_late and self.refuses:
            assert answer.status_code == 403
        elif len(known.waiting) >= 5:
            assert answer.status_code == 429
        else:
            number = int(answer.url.path.rpartition("/")[2])
            rules = rules_of(self.site.contest)
            assert rules
            submission = rules.inbox.get(number)
            assert submission
            assert bool(rules.late([submission])) == is_late
            known.waiting.append((number, code.strip() + "\n", now))

    # -- the teacher -------------------------------------------------------------------------------

    @rule(name=st.sampled_from(STUDENTS))
    def remove(self, name: str) -> None:
        answer = self.teacher.post(f"/teacher/roster/{name}/remove", {"confirmed": "yes"})
        if self.known[name].is_removed:
            assert answer.status_code == 404
        else:
            assert answer.status_code == 200
            self.known[name].is_removed = True

    @rule(name=st.sampled_from(STUDENTS))
    def undo_removal(self, name: str) -> None:
        answer = self.teacher.post(f"/teacher/roster/{name}/restore")
        assert answer.status_code == (200 if self.known[name].is_removed else 404)
        if self.known[name].is_removed:
            self.known[name].is_removed = False
            self.browsers[name] = self.signed_in(name)

    @rule(name=st.sampled_from(STUDENTS), hours=st.sampled_from([None, -20, 5, 50]))
    def extend(self, name: str, hours: int | None) -> None:
        due = "" if hours is None else shown(self.clock.now + hours * HOUR)
        answer = self.teacher.post(f"/teacher/students/{name}/due", {"due": due})
        if self.known[name].is_removed:
            assert answer.status_code == 404
        else:
            self.known[name].due = 0.0 if hours is None else self.clock.now + hours * HOUR

    @rule(hours=st.sampled_from([-30, 1, 30]))
    def move_deadline(self, hours: int) -> None:
        due = self.clock.now + hours * HOUR
        page = self.teacher.get("/teacher/deadline").text
        (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
        form = {"due": shown(due), "seen": seen, "confirmed": "yes"}
        answer = self.teacher.post("/teacher/deadline", form)
        if {*self.edited} & UNREADABLE:
            assert answer.status_code == 409
        else:
            assert answer.status_code == 200
            self.due = due

    @rule()
    def play_final(self) -> None:
        answer = self.teacher.post("/teacher/final", {"confirmed": "yes"})
        assert answer.status_code == 200

    @rule()
    def stop_rehearsal(self) -> None:
        assert self.teacher.post("/teacher/rehearsal/stop").status_code == 200

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

    @rule(late=st.sampled_from(["accept", "refuse"]))
    def set_lateness(self, late: str) -> None:
        if not {*self.edited} & UNREADABLE:
            text = re.sub('late = "[a-z]+"', f'late = "{late}"', self.file.read_text())
            self.file.write_text(text)
            self.refuses = late == "refuse"

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
        """Run the checker, or kill it during or just after a check."""
        with pytest.MonkeyPatch.context() as patch:
            if killed_at == "check":
                patch.setattr(checker, "checker", lambda *_: kill)
            elif killed_at:
                patch.setattr(Inbox, "judge", kill)
            try:
                Checker(self.site.current).check_all()
            except Killed:
                pass
            except Exception as error:  # the process ends and starts again
                self.checker_says = str(error)
            else:
                self.checker_says = ""
        self.read_verdicts()

    def read_verdicts(self) -> None:
        """Read the new verdicts, and check that they are correct."""
        inbox = Inbox(self.site.folder)
        for known in self.known.values():
            while known.waiting:
                number, code, received = known.waiting[0]
                submission = inbox.get(number)
                assert submission, f"submission {number} is lost"
                if not submission.is_done:
                    break
                known.judge(number, code, received)
                known.waiting.pop(0)
                assert submission.state == known.verdicts[number], submission

    @rule(
        games=st.sampled_from([-1, -1, 0, 2]), ending=st.sampled_from([Killed, KeyboardInterrupt])
    )
    def play(self, games: int = -1, ending: type[BaseException] = Killed) -> None:
        """Run the ladder if it has been woken, or kill or stop it after some games."""
        woken = self.site.ladder
        assert isinstance(woken, Woken)
        is_time = self.plays_at is not None and self.clock.now >= self.plays_at
        has_changes = self.watcher.has_changed()
        if not (woken.times or has_changes or is_time):
            return
        woken.times = 0
        Dice.left, Dice.ending = games, ending()
        try:
            wait_s = self.ladder.play_or_wait()
            self.plays_at = None if wait_s is None else self.clock.now + wait_s
        except Killed:
            self.start_ladder()
        finally:
            Dice.left = -1
        for run in self.results.glob(f"*/{DATABASE}"):
            now = {name: len(known.versions) for name, known in self.known.items()}
            self.seen.setdefault(run.parent.name, now)

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
    def inbox_and_class_page_agree(self) -> None:
        inbox = Inbox(self.site.folder)
        lineup = {version.owner: version for version in inbox.lineup()}
        lines = {line.owner.id: line.log.versions for line in Overview(self.site).lines}
        for name, known in self.known.items():
            versions = inbox.versions(name)
            number = len(known.versions)
            assert [version.version for version in versions] == [*range(1, number + 1)]
            assert lines.pop(name, None) == (None if known.is_removed else number)
            for version, code in zip(versions, known.versions, strict=True):
                assert (inbox.bots / version.fingerprint / "bot.py").read_text() == code
            plays = versions[-1] if versions and not known.is_removed else None
            assert lineup.get(name) == plays
        assert not lines

    @invariant()
    def a_final_never_changes(self) -> None:
        for run in (self.site.folder / "results").glob("*-final*"):
            if (run / DATABASE).is_file():
                with Store.open(run) as store:
                    digest = noted_digest(store)
                if digest:
                    assert self.digests.setdefault(run.name, digest) == digest

    @rule()
    def settle(self) -> None:
        """Run all processes until there is nothing left to do, and check that everything is
        consistent.
        """
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
            self.check_final(final)
        board = BOARD.read(self.site.folder)
        assert board
        counting = requested_final(self.site.contest, self.site.folder)
        is_shown = counting and not counting.is_rehearsal
        assert board.run == (counting.run if counting and is_shown else "spring")
        assert board.is_over
        self.seen["spring"] = {name: len(known.versions) for name, known in self.known.items()}
        self.check_grades("")
        for run in self.seen:
            self.check_grades(run)

    def check_final(self, final: FinalFile) -> None:
        """Check that the final after a past deadline counts, and that no other final follows."""
        assert not final.is_rehearsal
        assert final.run in self.digests
        closes = closing_time(self.site.contest)
        assert closes
        assert local_time(final.asked) > closes
        for name, known in self.present().items():
            due = self.deadline_of(name)
            on_time = [number for number, at in enumerate(known.received, 1) if at <= due]
            assert max(on_time, default=0) <= self.seen[final.run].get(name, 0)
        self.let_all_work()
        assert FINAL.read(self.site.folder) == final

    def check_grades(self, run: str) -> None:
        """Check that the page, the file and `arena grades` agree on the grades of a run.

        Each student must be as late as the version that plays.
        """
        query = f"?run={run}" if run else ""
        answer = self.teacher.get(f"/teacher/grades.csv{query}")
        text = answer.content.decode("utf-8-sig")
        rows = {row["id"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
        assert len(rows) == len(text.splitlines()) - 1
        name = str(self.results / run) if run else str(self.site.folder)
        by_command = arena("grades", name, "--partial")
        if rows:
            assert by_command.stdout.splitlines() == text.splitlines()
        else:
            assert "has no students" in by_command.stderr
        late = {one: row["late"] for one, row in rows.items()}
        page = self.teacher.get(f"/teacher/grades{query}").text
        assert page.count('"late">late</td>') == [*late.values()].count("yes")
        found = re.search(r"grades-(\S+)\.csv", answer.headers["Content-Disposition"])
        assert found
        playing = self.entrants(found[1])
        assert {*rows} == {*self.present(), *playing}
        for one, code in playing.items():
            known, seen = self.known[one], self.seen[found[1]][one]
            newest = max([at for at in range(seen) if known.versions[at] == code])
            is_late = known.received[newest] > self.deadline_of(one)
            assert late[one] == ("yes" if is_late else "no")

    def let_all_work(self) -> None:
        self.check()
        for _ in range(4):
            self.play()
            self.update_boards()

    def waits(self) -> str:
        state = STATE.read(self.site.folder)
        return state.text if state else ""

    def end_waits(self) -> None:
        """Check that the class page explains why something waits, until the file is repaired."""
        assert "The ladder is waiting" in self.teacher.get("/teacher").text
        for what in [*self.edited]:
            self.edit_the_file(what)
        self.clock.now += HOUR
        self.let_all_work()
        assert not self.waits()

    @property
    def results(self) -> Path:
        return self.site.folder / "results"

    def is_final_due(self) -> bool:
        return is_final_due(self.site.contest, local_time(self.clock.now))

    def entrants(self, run: str) -> dict[str, str]:
        """Return the code of the students' bots in a run, by name."""
        with Store.open(self.site.folder / "results" / run) as store:
            settings = store.settings()
        return {
            bot.name: Path(bot.folder, "bot.py").read_text()
            for bot in settings.entrants
            if bot.name in STUDENTS and bot.name not in settings.dropped_bots
        }


def kill(*_: object, **__: object) -> None:
    raise Killed
