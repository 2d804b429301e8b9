"""Submissions of students, and what is found of them."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.contest.lineup import Lineup, RunBots, find_lineup
from arena.contest.settings import Contest
from arena.contest.snapshots import Snapshots
from arena.contest.submissions import LeaveOut, find_submissions, students_in

PLAIN = "class MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"


TOML = 'name = "my_bot"\ncommand = ["python", "play.py"]\n'


def write(path: Path, text: str = PLAIN) -> Path:
    """Write a file, and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_zip(path: Path, **files: str) -> Path:
    """Write a zip of files; `__` in a name stands for `/`, and each ends in .py."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, text in files.items():
            made.writestr(f"{name.replace('__', '/')}.py", text)
    path.write_bytes(data.getvalue())
    return path


class LeftOut(dict[str, str]):
    """Who is left out, and why."""

    def __call__(self, who: str, reason: BotError) -> None:
        self[who] = str(reason)


def find_in(folder: Path, leave_out: LeaveOut) -> list[Entrant]:
    """Return the bots of all students, of which the copies are gone."""
    students = students_in(folder, leave_out)
    with find_submissions(folder, students, leave_out) as bots:
        return bots


def found(folder: Path) -> dict[str, Entrant]:
    """Return the bots of all students by name. No student is left out."""
    left_out = LeftOut()
    bots = find_in(folder, left_out)
    assert not left_out
    return {bot.name: bot for bot in bots}


def line_up(
    contest: Contest,
    variants: Sequence[str],
    run: Path | None = None,
    former: Sequence[Entrant] = (),
) -> Lineup:
    """Return the lineup of a run, which keeps the copies. By default it leaves nothing."""
    with TemporaryDirectory() as other, Snapshots(run or Path(other, "run")) as snapshots:
        bots = RunBots(snapshots, former)
        lineup = find_lineup(contest, variants, SandboxSettings(), bots)
        settled = [snapshots.settled(bot) for bot in lineup.entrants]
        (run or Path(other, "run")).mkdir(parents=True, exist_ok=True)
        snapshots.keep(settled)
    return lineup._replace(entrants=settled)


def visible(folder: Path) -> Iterator[str]:
    """Yield the files of a folder."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            yield name
