"""A contest in open formats, for keeping and for other programs: a zip of CSV, JSON and files.

It has no secrets: no deals of games to come, no links, tokens or sessions. A backup has them all.
"""

import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from arena.base.errors import ArenaError, SettingsError
from arena.base.protocol import indented
from arena.contest.contest_file import read_contest
from arena.contest.grades import as_csv as grades_csv
from arena.contest.grades import text_cell
from arena.contest.run_roster import ROSTER
from arena.contest.submission_log import SubmissionLog
from arena.extras.serve.backup import archive_file, contest_files
from arena.extras.serve.server_database import DATABASE as SERVER_DATABASE
from arena.extras.serve.submissions.uploaded_files import FOLDER
from arena.rating.leaderboard_files import as_csv, as_json, csv_text
from arena.tournament.export import export_lines
from arena.tournament.runs import run_names
from arena.tournament.standings import grades_of, rank
from arena.tournament.store import Store
from engine.errors import EngineError

EXPORTED = (
    "people",
    "submissions",
    "check_steps",
    "version_ratings",
    "browser_games",
    "changes",
    "drafts",
)
"""The tables of the server that are exported."""
KEPT_BACK = ("server", "keys", "accounts", "sessions", "similarity", "launches")
"""The other tables: they have secrets, or can be made again."""
README = "README.txt"
TEXT = """\
The contest {name}, exported by bribe-arena.

contest.toml        its settings
submissions/        what students have handed in, a folder for each, with their versions
submissions.jsonl   each attempt to hand in, as a line of JSON
server/             the tables of the server, as CSV
runs/NAME/          a run:
    leaderboard.csv, leaderboard.json
    grades.csv, grades.json     a row for each student
    roster.json                 its students, when it was last started
    records.jsonl               its games of finished boards; `arena verify` checks this file,
                                `arena leaderboard` and others read it

It names students. It has no secrets: to go on with the contest elsewhere, use `arena admin backup`.
"""


class Exported(NamedTuple):
    """The contents of an export."""

    runs: int
    submitted_files: int
    left_out: tuple[str, ...]
    """Sentences about runs that cannot be read."""


def export_contest(contest_file: Path, target: Path) -> Exported:
    """Write everything of a contest but its secrets to a zip, which only its owner may read.

    A server or a run may use the contest at the same time. A run under way is exported with its
    finished boards.

    Raises:
        StoreError: a file cannot be written.
        SettingsError: the contest file cannot be read.
    """
    contest, folder = read_contest(contest_file), contest_file.resolve().parent
    left_out = []
    runs = submitted = 0
    with (
        archive_file(target) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive,
    ):
        root = folder.name
        archive.writestr(f"{root}/{README}", TEXT.format(name=root))
        archive.write(contest_file, f"{root}/contest.toml")
        for name, text in _tables(folder / SERVER_DATABASE):
            archive.writestr(f"{root}/server/{name}.csv", text)
        if contest.entrants.submissions:
            submitted = _add_submissions(archive, Path(contest.entrants.submissions), root)
        results = Path(contest.results)
        for run in sorted(run_names(results)):
            try:
                _add_run(archive, results / run, f"{root}/runs/{run}")
                runs += 1
            except (ArenaError, EngineError) as error:
                left_out.append(f"{run}: {error}")
        if left_out:
            archive.writestr(f"{root}/runs/LEFT-OUT.txt", "\n".join([*left_out, ""]))
    return Exported(runs, submitted, tuple(left_out))


def _tables(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the tables of the server that are exported, as CSV."""
    if not path.is_file():
        return
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database:
        database.execute("BEGIN")  # all tables as they are at one moment
        there = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        for table in EXPORTED:
            if table in there:
                rows = database.execute(f"SELECT * FROM {table}")
                yield table, _as_csv([column[0] for column in rows.description], rows)


def _as_csv(header: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    """Return a table as CSV, in which no text is a formula."""
    return csv_text([header, *[map(_cell, row) for row in rows]])


def _cell(value: object) -> object:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return text_cell(value) if isinstance(value, str) else value


def _add_submissions(archive: zipfile.ZipFile, folder: Path, root: str) -> int:
    """Add the folder of submissions, without links in it, and return how many files it has."""
    if not folder.is_dir():
        return 0
    hidden = {folder / FOLDER}  # what waits for its check, or was refused
    number = 0
    log = SubmissionLog(folder)
    with log.settled():  # so that the log agrees with the versions
        lines = b"".join([msgspec.json.encode(attempt) + b"\n" for attempt in log.attempts()])
        archive.writestr(f"{root}/submissions.jsonl", lines)
        for path in contest_files(folder):
            if path.is_symlink() or not path.is_file() or not hidden.isdisjoint(path.parents):
                continue
            name = path.relative_to(folder).as_posix()
            place = f"{root}/submissions/{name}"
            archive.write(path, place.encode(errors="replace").decode())
            number += 1
    return number


def _add_run(archive: zipfile.ZipFile, folder: Path, place: str) -> None:
    """Add a run, as it is at one moment.

    Raises:
        ArenaError, EngineError: it cannot be read.
    """
    with Store.open(folder) as store, store.snapshot():
        board = rank(store)
        archive.writestr(f"{place}/leaderboard.json", as_json(board))
        archive.writestr(f"{place}/leaderboard.csv", as_csv(board))
        try:
            rows = grades_of(store)
        except SettingsError:  # it has no students
            rows = []
        if rows:
            archive.writestr(f"{place}/grades.csv", grades_csv(rows))
            archive.writestr(f"{place}/grades.json", indented(rows))
            archive.write(folder / ROSTER, f"{place}/{ROSTER}")
        with archive.open(f"{place}/records.jsonl", "w", force_zip64=True) as file:
            _write_lines(file, export_lines(store, board))


def _write_lines(file: IO[bytes], lines: Iterable[bytes]) -> None:
    for line in lines:
        file.write(line + b"\n")
