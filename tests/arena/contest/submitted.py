"""Submissions of students, and what is found of them."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from arena.base.errors import BotError
from arena.base.record import Entrant
from arena.contest.submissions import find_submissions

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


def found(folder: Path) -> dict[str, Entrant]:
    """Return the bots of all students by name. No student is left out."""
    left_out = LeftOut()
    bots = find_submissions(folder, left_out)
    assert not left_out
    return {bot.name: bot for bot in bots}


def visible(folder: Path) -> Iterator[str]:
    """Yield the files of a folder."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            yield name
