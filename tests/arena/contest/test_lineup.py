"""Tests of the lineup: every working bot plays, and broken bots don't stop a run."""

import re
import sys
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.contest.lineup import Lineup
from arena.contest.settings import Contest, EntrantsTable, Program
from arena.contest.snapshots import COPIES
from arena.plugins import RegisteredBot
from tests.arena.contest.submitted import PLAIN, accept, line_up, receive, write
from tests.arena.playing import PATIENT, Bots, plug_in

CHESS = PLAIN.replace("    def", "    games = ['chess']\n\n    def", 1)
DEAD = "raise SystemExit(3)\n"
VARIANTS = ("pot-de-vin/3", "pot-de-vin/4", "bribery/2")


class Class:
    """The inbox of a class, and messages about the lineup."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.programs: tuple[Program, ...] = ()

    def hand_in(self, **codes: str) -> None:
        """Accept a bot from each student."""
        for name, code in codes.items():
            accept(self.folder, name, code)

    def lineup(
        self,
        *bots: str,
        variant: str = "pot-de-vin/3",
        before: tuple[Entrant, ...] = (),
        challengers: tuple[str, ...] = (),
        fill: bool = False,
    ) -> Lineup:
        entrants = EntrantsTable(str(self.folder), bots, challengers, fill)
        contest = Contest(
            entrants=entrants,
            limits=PATIENT,
            programs=self.programs,
            variants=VARIANTS,
            results=str(self.folder / "results"),
        )
        found = line_up(contest, [variant], self.folder / "results" / "x", before)
        self.said = [*found.notices, *found.warnings]
        return found


@pytest.fixture
def students(folder: Path) -> Class:
    made = Class(folder)
    made.hand_in(ann=PLAIN, ben=PLAIN)
    return made


def names(found: Lineup) -> list[str]:
    return [one.name for one in found.entrants]


def test_lineup_contains_students_and_named_bots(students: Class) -> None:
    assert names(students.lineup()) == ["ann", "ben"]
    found = students.lineup("random")
    assert (names(found), found.excluded, students.said) == (["random", "ann", "ben"], {}, [])
    folders = [Path(one.folder).parent for one in found.entrants[1:]]
    assert folders == [students.folder / "bots"] * 2, "they need no copies"


def test_copies_bots_to_remote_results(students: Class, tmp_path: Path) -> None:
    entrants = EntrantsTable(str(students.folder))
    results = tmp_path / "results"
    contest = Contest(entrants=entrants, limits=PATIENT, variants=VARIANTS, results=str(results))
    found = line_up(contest, ["pot-de-vin/3"], results / "x")
    assert [Path(one.folder).parent for one in found.entrants] == [results / "x" / COPIES] * 2


def test_quick_bots_play_without_submissions() -> None:
    contest = Contest(limits=PATIENT)
    found = line_up(contest, ["pot-de-vin/3"])
    assert {"random", "greedy"} <= {*names(found)}


def test_starts_registered_bots_for_their_games_only(students: Class) -> None:
    dead = (sys.executable, "-c", DEAD)
    with plug_in(Bots(RegisteredBot("dead", dead, ".", "", games=("bribery",), code=("none",)))):
        assert names(students.lineup("dead")) == ["ann", "ben"]
        assert [line.rpartition(": ")[2] for line in students.said] == ["dead"]
        with pytest.raises(BotError, match="'dead'"):
            students.lineup("dead", variant="bribery/2")


def test_excludes_failing_bots_with_the_reason(students: Class) -> None:
    students.hand_in(cem=DEAD, dora=CHESS)
    found = students.lineup("random")
    assert names(found) == ["random", "ann", "ben"]
    assert [*found.excluded] == ["cem"]
    said = "\n".join(students.said)
    assert re.search(": dora$", said, re.MULTILINE)
    assert re.search("excluded: cem: .*code 3", said)


def test_reports_waiting_submissions(students: Class) -> None:
    receive(students.folder, "gus", name="Gus")
    assert names(students.lineup()) == ["ann", "ben"]
    assert students.said[1:] == ["submissions waiting for their check: Gus"]


def test_reports_bots_put_into_the_folder_by_hand(students: Class) -> None:
    named, *others = [write(students.folder / "bots" / f"{name}.py") for name in ("eve", "hal")]
    assert names(students.lineup(str(named))) == ["eve", "ann", "ben"]
    assert [text for text in students.said if "not submitted" in text] == [
        f"files in {others[0].parent} that were not submitted do not play: hal.py; submit them "
        "with `arena submit`"
    ]


def test_lists_students_without_a_bot(students: Class, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,team\nann,Ann,red\ncem,Cem,red\ndora,Dora,\n")
    entrants = EntrantsTable(str(students.folder), roster=str(roster))
    contest = Contest(entrants=entrants, limits=PATIENT, variants=VARIANTS)
    found = line_up(contest, ["pot-de-vin/3"])
    assert found.notices == ["students without a bot: Dora (dora)"]
    assert [*found.excluded] == ["ben"], "who is not on the roster"


def test_earlier_version_replaces_broken_bot(students: Class) -> None:
    before = tuple(students.lineup().entrants)
    students.hand_in(ann=DEAD)
    found = students.lineup(before=before)
    assert found.excluded == {}
    assert {*found.entrants} == {*before}
    assert any("an earlier version keeps playing: ann: " in text for text in students.said)
    gone = tuple([msgspec.structs.replace(bot, folder="/gone") for bot in before])
    assert names(students.lineup(before=gone)) == ["ben"]


def test_challengers_are_students_or_other_bots(students: Class, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(PLAIN)
    students.hand_in(cem=DEAD)
    found = students.lineup("random", challengers=("ann", str(mine), "cem"))
    assert {*names(found)} == {"random", "mine", "ann", "ben"}
    assert {*found.challengers} == {"ann", "mine"}
    with pytest.raises(BotError, match="'nobody'"):
        students.lineup(challengers=("nobody",))


@pytest.mark.slow
def test_programs_of_the_contest_may_use_any_command(students: Class, tmp_path: Path) -> None:
    boss = tmp_path / "boss"
    boss.mkdir()
    (boss / "boss.py").write_text(PLAIN)
    outside = tmp_path / "tool"
    outside.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m arena.bot "$1"\n')
    outside.chmod(0o755)
    program = Program("boss", (str(outside), "boss.py"), str(boss))
    students.programs = (program,)
    found = students.lineup(challengers=("boss", "ann"))
    assert names(found) == ["boss", "ann", "ben"]
    assert {*found.challengers} == {"boss", "ann"}
    assert found.entrants[0].command == (str(outside), "boss.py")
    (boss / "boss.py").write_text(f"{PLAIN}\n")
    again = students.lineup()
    assert again.entrants[0].fingerprint != found.entrants[0].fingerprint
    students.hand_in(boss=PLAIN)
    assert [*students.lineup().excluded] == ["boss"]


def test_contest_with_programs_has_no_quick_bots(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PLAIN)
    command = ("python", "-P", "-m", "arena.bot", "bot.py")
    programs = tuple([Program(name, command, str(tmp_path)) for name in ("one", "two")])
    contest = Contest(limits=PATIENT, programs=programs)
    assert names(line_up(contest, ["bribery/2"])) == ["one", "two"]
