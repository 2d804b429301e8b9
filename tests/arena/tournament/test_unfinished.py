"""A run that is not complete says how many of its games are played."""

from pathlib import Path

from arena.tournament.run import play_missing
from arena.tournament.standings import unfinished_text
from arena.tournament.store import Store
from tests.arena.publish.sites import NAMES, Talkers, hostile_settings
from tests.arena.runs import ignore


def test_reports_missing_games_of_unfinished_runs(tmp_path: Path) -> None:
    settings = hostile_settings(rounds=1, names=NAMES[:3])
    with Store.create(tmp_path / "x", settings) as store:
        assert unfinished_text(store).startswith("the run is not complete: 0 of ")
        play_missing(store, settings, Talkers(), ignore)
        assert unfinished_text(store) == ""
