"""Submitted bots, and lineups with them, for tests."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.base.contracts import SandboxSettings
from arena.base.record import Entrant
from arena.contest.inbox import Inbox, Sent, Submission
from arena.contest.lineup import Lineup, find_lineup
from arena.contest.roster import Student
from arena.contest.settings import Contest
from arena.contest.snapshots import Snapshots

PLAIN = "class MyBot:\n    def act(self, view, legal):\n        return legal[0]\n"
TOML = 'name = "my_bot"\ncommand = ["python", "play.py"]\n'
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
Files = Mapping[str, str]


def write(path: Path, text: str = PLAIN) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def zipped(files: Files) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return data.getvalue()


def receive(
    folder: Path, owner: str, code: str | Files = PLAIN, at: datetime = NOON, name: str = ""
) -> Submission:
    """Submit a bot to the inbox in a folder: a program, or files in a zip."""
    with TemporaryDirectory() as place:
        if isinstance(code, str):
            source = write(Path(place, f"{owner}.py"), code)
        else:
            source = Path(place, f"{owner}.zip")
            source.write_bytes(zipped(code))
        return Inbox(folder).receive(source, Sent(Student(owner, name or owner), at))


def accept(folder: Path, owner: str, code: str | Files = PLAIN, at: datetime = NOON) -> Submission:
    """Submit a bot and accept it without a check."""
    with Inbox(folder) as inbox:
        submission = receive(folder, owner, code, at)
        while waiting := inbox.next_waiting(owner):
            inbox.judge(waiting.id)
        return inbox.get(submission.id) or submission


def line_up(
    contest: Contest,
    variants: Sequence[str],
    run: Path | None = None,
    former: Sequence[Entrant] = (),
) -> Lineup:
    """Return the lineup of a run, which keeps the copies. By default, nothing is kept."""
    with TemporaryDirectory() as other, Snapshots(run or Path(other, "run")) as snapshots:
        lineup = find_lineup(contest, variants, SandboxSettings(), snapshots, former)
        settled = [snapshots.settled(bot) for bot in lineup.entrants]
        (run or Path(other, "run")).mkdir(parents=True, exist_ok=True)
        snapshots.keep(settled)
    return lineup._replace(entrants=settled)
