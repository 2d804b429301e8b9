"""Bots in files and folders, and the entrants that they are."""

from pathlib import Path

from arena.base.record import Entrant
from arena.contest.entrants import find_entrants


def find(name: str | Path) -> Entrant:
    """Return the one entrant that this stands for."""
    (entrant,) = find_entrants([str(name)])
    return entrant


def write_bot(folder: Path, toml: str | None, **files: str) -> Path:
    """Make a bot's folder."""
    folder.mkdir(exist_ok=True)
    if toml is not None:
        (folder / "bot.toml").write_text(toml, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder
