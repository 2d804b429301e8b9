"""Report the progress of a run, or a summary of all runs in a folder."""

import time
from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec

from arena.base.errors import ArenaError
from arena.tournament.database import Database
from arena.tournament.games import count_games, games_by_variant
from arena.tournament.runs import last_played, run_names, runs_with_deals_of
from arena.tournament.settings import Settings
from arena.tournament.standings import digest_of, is_complete, rank
from arena.tournament.store import Store
from engine.errors import EngineError


class VariantProgress(msgspec.Struct, frozen=True):
    variant: str
    bots: int
    played: int
    left: int
    """Number of remaining games, or an upper bound if the run may end early."""


class RunProgress(msgspec.Struct, frozen=True):
    run: str
    state: str
    """State of the run: `complete`, `under way`, `stopped`, or `exported` (an export of an
    incomplete run)."""
    process: str | None
    games: int
    games_to_play: int
    """Number of games in the schedule, all of which are played unless the run ends early."""
    is_limit: bool
    variants: list[VariantProgress]
    digest: str
    is_final: bool = False
    shares_deals_with: list[str] = []


def progress_of(store: Database) -> RunProgress:
    settings = store.settings()
    owner = store.owner() if isinstance(store, Store) else None
    state = "under way"
    if owner is None:
        state = "stopped" if isinstance(store, Store) else "exported"
        state = "complete" if is_complete(store) else state
    variants = _variants(store, settings, is_over=state == "complete" and settings.is_comparison)
    return RunProgress(
        run=store.name,
        state=state,
        process=owner,
        games=sum([variant.played for variant in variants]),
        games_to_play=count_games(settings),
        is_limit=settings.may_end_early,
        variants=variants,
        digest=digest_of(store, rank(store)).value,
        is_final=settings.is_final,
        shares_deals_with=(
            runs_with_deals_of(settings, store.folder) if isinstance(store, Store) else []
        ),
    )


def _variants(store: Database, settings: Settings, *, is_over: bool) -> list[VariantProgress]:
    played = Counter([result.variant for result in store.results()])
    has_rule = settings.stop_rule is not msgspec.UNSET
    certificates = (rank(store).certificate or {}) if has_rule else {}
    found = []
    for variant, (bots, games) in games_by_variant(settings).items():
        certificate = certificates.get(variant)
        is_done = is_over or (certificate is not None and certificate.is_certain)
        left = 0 if is_done else games - played[variant]
        found.append(VariantProgress(variant, bots, played[variant], left))
    return found


RunState = Literal["complete", "under way", "stopped", "unreadable"]


class RunSummary(msgspec.Struct, frozen=True):
    name: str
    folder: str
    state: RunState
    last_played: str
    """When the run was last played, in ISO 8601 format with the machine's UTC offset."""
    is_comparison: bool = False
    is_final: bool = False
    games: int = 0
    games_to_play: int = 0
    is_limit: bool = False
    variants: tuple[str, ...] = ()
    bots: int = 0
    problem: str = ""


def list_runs(results: Path) -> list[RunSummary]:
    return [_summary(results / name) for name in run_names(results)]


def _summary(folder: Path) -> RunSummary:
    played = time.localtime(last_played(folder))
    unreadable = RunSummary(
        folder.name, str(folder), "unreadable", time.strftime("%Y-%m-%dT%H:%M:%S%z", played)
    )
    try:
        with Store.open(folder) as store:
            settings = store.settings()
            state: RunState = "complete"
            if not is_complete(store):
                state = "under way" if store.owner() else "stopped"
            return msgspec.structs.replace(
                unreadable,
                state=state,
                is_comparison=settings.is_comparison,
                is_final=settings.is_final,
                games=store.count(),
                games_to_play=count_games(settings),
                is_limit=settings.may_end_early,
                variants=settings.variants,
                bots=len(settings.entrants),
            )
    except (ArenaError, EngineError) as error:
        return msgspec.structs.replace(unreadable, problem=str(error))
