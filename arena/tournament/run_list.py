"""Summaries of the runs in a folder of results."""

import time
from pathlib import Path
from typing import Literal

import msgspec

from arena.errors import ArenaError
from arena.tournament.games import count_games
from arena.tournament.runs import last_played, run_names
from arena.tournament.settings import Settings
from arena.tournament.standings import is_complete
from arena.tournament.store import Store
from engine.errors import EngineError

RunState = Literal["complete", "under way", "stopped", "unreadable"]


class RunSummary(msgspec.Struct, frozen=True):
    """A run in a list of runs."""

    name: str
    folder: str
    state: RunState
    last_played: str
    """When `arena run` was last started on it: ISO 8601 with the offset of this machine."""
    is_comparison: bool = False
    games: int = 0
    """Games that are stored and count."""
    games_to_play: int = 0
    """All games of the schedule; the most there may be, if `is_limit`."""
    is_limit: bool = False
    """Whether the run may end with fewer games, by its stop rule."""
    variants: tuple[str, ...] = ()
    bots: int = 0
    problem: str = ""
    """Why it cannot be read."""


def list_runs(results: Path) -> list[RunSummary]:
    """Return a summary of each run in a folder, those played last first."""
    return [_summary(results / name) for name in run_names(results)]


def _summary(folder: Path) -> RunSummary:
    played = time.localtime(last_played(folder))
    unreadable = RunSummary(
        folder.name, str(folder), "unreadable", time.strftime("%Y-%m-%dT%H:%M:%S%z", played)
    )
    try:
        with Store.open(folder) as store:
            settings = store.settings(Settings)
            state: RunState = "complete"
            if not is_complete(store):
                state = "under way" if store.owner() else "stopped"
            return msgspec.structs.replace(
                unreadable,
                state=state,
                is_comparison=settings.is_comparison,
                games=store.count(),
                games_to_play=count_games(settings),
                is_limit=settings.may_end_early,
                variants=settings.variants,
                bots=len(settings.entrants),
            )
    except (ArenaError, EngineError) as error:
        return msgspec.structs.replace(unreadable, problem=str(error))
