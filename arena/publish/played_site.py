"""Build the website of a single game that a person played."""

from datetime import UTC, datetime
from pathlib import Path

from arena.base.record import NO_OBSERVATIONS, GameRecord
from arena.publish.data_files import SiteState, state_script
from arena.publish.layout import INDEX, STATE
from arena.publish.render import Renderer, static_files
from arena.publish.replays import files_of, rules_files
from arena.publish.site_folder import Site
from engine import get_variant

PLAYED = "played.json"
BASE_PAGE = "played_base.html"


def publish_game(record: GameRecord, file: Path, folder: Path) -> None:
    """Write the website of a played game: its replay, its result, and a copy of its `file`.

    Raises `EngineError` if the record is invalid, or `StoreError` if the folder can't be written.
    """
    renderer = Renderer(PLAYED, (), BASE_PAGE)
    with Site(folder) as site:
        for path, static in static_files():
            site.write(path, static)
        site.write(PLAYED, file.read_bytes())
        site.write(STATE, state_script(_state(file)))
        for path, content in files_of(record, NO_OBSERVATIONS, renderer):
            site.write(path, content)
        for path, content in rules_files(get_variant(record.variant).game, renderer):
            site.write(path, content)
        site.write(
            INDEX, renderer.page("played.html", INDEX, record=record, result=_result(record))
        )


def _state(file: Path) -> SiteState:
    played = f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
    return SiteState(played=1, scheduled=1, may_end_before=False, over=True, updated=played)


def _result(record: GameRecord) -> list[str]:
    order = sorted(range(len(record.entrants)), key=record.ranks.__getitem__)
    return [
        f"{record.entrants[seat]} (seat {seat}): {record.points[seat]} points, "
        f"place {record.ranks[seat]}"
        for seat in order
    ]
