"""Bots in files and folders, for tests."""

from pathlib import Path

from arena.base.record import Entrant
from arena.contest.entrants import find_entrants


def find(name: str | Path) -> Entrant:
    (entrant,) = find_entrants([str(name)])
    return entrant


def write_bot(folder: Path, toml: str | None, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    if toml is not None:
        (folder / "bot.toml").write_text(toml, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder
