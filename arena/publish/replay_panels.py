"""Add panels from plugins to replay pages.

Plugins store the content of a panel as a JSON file in the run's folder.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.base.atomic_file import os_error_as
from arena.base.errors import ArenaError, StoreError
from arena.base.record import GameRecord
from arena.plugins import ReplayPanel, replay_panels
from arena.publish.layout import STATIC


class StoredPanel(NamedTuple):
    panel: ReplayPanel
    content: bytes
    file: str = ""  # relative to the run's folder


class ShownPanel(NamedTuple):
    html: Markup
    static: tuple[str, ...]


def stored_panels(run: Path) -> Mapping[str, Sequence[StoredPanel]]:
    """Read the content of all replay panels from a run's folder, grouped by game."""
    by_game: dict[str, list[StoredPanel]] = defaultdict(list)
    with os_error_as(StoreError, f"cannot read the panels of {run}"):
        for panel in replay_panels().values():
            for path in sorted(Path(run, panel.name).glob("*.json")):
                stored = StoredPanel(panel, path.read_bytes(), f"{panel.name}/{path.name}")
                by_game[path.stem.partition("-")[0]].append(stored)
    return by_game


def show_panels(
    stored: Iterable[StoredPanel],
    record: GameRecord,
    replay: Any,
    notice: Callable[[str], object],
) -> list[ShownPanel]:
    """Render the panels of a replay as HTML. Report and skip panels that fail."""
    shown = []
    for panel, content, file in stored:
        try:
            html = Markup(resolve_name(panel.render)(content, record, replay))
        except ArenaError as error:
            notice(f"not shown in the replay of {record.title}: {file}: {error}")
            continue
        shown.append(ShownPanel(html, tuple(static_of(panel))))
    return shown


def static_of(panel: ReplayPanel) -> Mapping[str, bytes]:
    folder = files(panel.package).joinpath(STATIC)
    return {
        file.name: file.read_bytes() for file in sorted(folder.iterdir(), key=attrgetter("name"))
    }
