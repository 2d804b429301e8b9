"""The command line as the tests use it: in this process or as one, and a run that it has played."""

import contextlib
import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

import msgspec
from click.testing import CliRunner, Result

from arena.base.record import GameRecord, read_record, write_record
from arena.cli import main
from arena.tournament.store import DATABASE, Store
from tests.arena.playing import PATIENT, WAIT_S
from tests.arena.runs import RUN_OPTIONS, bot_options, make_bots, run_arena

VARIANT = "pot-de-vin/3"


class Answer(NamedTuple):
    """What a process has answered."""

    returncode: int
    stdout: str
    stderr: str


def contest_text(*bots: str) -> str:
    """Return the contest.toml of a contest of three rounds, with an inbox and these bots."""
    named = ", ".join([f'"{bot}"' for bot in bots])
    return f"""\
name = "spring"
variants = ["{VARIANT}"]
rounds = 3
seed = 5

[entrants]
inbox = "."
bots = [{named}]

[limits]
move_ms = {PATIENT.move_ms}
start_ms = {PATIENT.start_ms}

[sandbox]
level = "none"

[machine]
workers = 1
"""


def arena(*arguments: object) -> Result:
    """Run `arena` in this process."""
    result = CliRunner().invoke(main, [str(one) for one in arguments], prog_name="arena")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def done(*arguments: object) -> Result:
    """Run `arena` in this process, which is to come to a good end."""
    result = arena(*arguments)
    assert result.exit_code == 0, result.stderr
    return result


def printed(*arguments: object) -> str:
    """Return what `arena` prints, which is to come to a good end."""
    return done(*arguments).stdout


def refusal(exit_code: int, stdout: str, stderr: str) -> str:
    """Check that a mistake was answered with one sentence, and return it."""
    assert exit_code == 1
    assert stdout == ""
    assert "Traceback" not in stderr
    *_, last = stderr.splitlines()
    assert stderr.count("Error: ") == 1
    assert last.startswith("Error: ")
    return last.removeprefix("Error: ")


def refused(*arguments: object) -> str:
    """Run `arena` in this process, and return the sentence with which it refuses."""
    result = arena(*arguments)
    return refusal(result.exit_code, result.stdout, result.stderr)


def records_in(folder: Path) -> list[bytes]:
    """Return the records of a run in schedule order."""
    with Store.open(folder) as store:
        return [game.record for game in store.counting_games()]


def stored(folder: Path) -> int:
    """Return how many games another process has stored by now."""
    if not (folder / DATABASE).is_file():
        return 0
    with contextlib.closing(sqlite3.connect(folder / DATABASE, timeout=WAIT_S)) as database:
        (number,) = database.execute("SELECT count(*) FROM games").fetchone()
    return int(number)


def tampered(folder: Path) -> GameRecord:
    """Give the first record of a run other points, and return it."""
    record = read_record(records_in(folder)[0])
    points = (record.points[0] + 1, *record.points[1:])
    record = msgspec.structs.replace(record, points=points)
    replace_record(folder, 0, write_record(record))
    return record


def replace_record(folder: Path, position: int, record: bytes) -> None:
    """Replace the record at a position of the schedule."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        query = "UPDATE games SET record = ? WHERE position = ?"
        database.execute(query, [record, position])
        database.commit()


class Played:
    """A run that a process has played, and the command that did."""

    def __init__(self, parent: Path, answer: Answer | None = None) -> None:
        """Play the run below `parent`, or take the one there that was played with this `answer`."""
        bots = parent / "bots"
        self.bots = sorted(bots.iterdir()) if answer else make_bots(bots, 4)
        self.results = parent / "results"
        self.folder = self.results / "spring"
        self.command = [
            "run", *bot_options(self.bots), "--variant", VARIANT, "--variant",
            "pot-de-vin/4-teams", "--rounds", "3", "--results", str(self.results),
            "--seed", "0", *RUN_OPTIONS,
        ]  # fmt: skip
        self.answer = answer or self._play()
        self.records = records_in(self.folder)

    def _play(self) -> Answer:
        done = run_arena(*self.command, "--name", "spring", "--workers", "2")
        return Answer(done.returncode, done.stdout, done.stderr)

    def copy(self, parent: Path) -> Path:
        """Return the folder of a copy, which may be spoiled."""
        return Path(shutil.copytree(self.folder, parent / "results" / "copy"))
