"""Runs of the same settings whose variants were played apart become one run."""

from pathlib import Path

import msgspec
import pytest

from arena.base.errors import SettingsError
from arena.extras.classroom.merging import merge, united_settings
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import Store
from tests.arena.command import arena
from tests.arena.runs import Crew, FaultyCrew, ignore, in_portions, made_up_settings, played, silent
from tests.arena.tournament.forgeries import forged, has_no_fault, one, played_otherwise

VARIANTS = ("pot-de-vin/3", "bribery/2", "bribery/3")
WHOLE = made_up_settings(4, *VARIANTS, rounds=6, seed=5)


def part(*variants: str) -> Settings:
    return msgspec.structs.replace(WHOLE, variants=variants)


def play(folder: Path, settings: Settings, crew: Crew) -> Path:
    with open_or_create(folder, settings, silent) as store:
        play_missing(store, settings, crew, ignore)
        finish(store)
    return folder


def test_runs_of_different_variants_become_the_run_of_all(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", WHOLE, Crew())
    play(tmp_path / "one", part(*VARIANTS[:1]), Crew())
    play(tmp_path / "two", part(*VARIANTS[1:]), Crew())
    done = arena("admin", "merge", "one", "two", "--name", "both", "--results", tmp_path)
    assert done.exit_code == 0, done.output
    assert "took 6 games of pot-de-vin/3 from one" in " ".join(done.stderr.split())
    with Store.open(whole) as expected, Store.open(tmp_path / "both") as store:
        assert played(store) == played(expected)
        assert store.read("leaderboard.json") == expected.read("leaderboard.json")
    assert arena("verify", "both", "--results", tmp_path).exit_code == 0


def test_a_run_that_was_changed_is_not_merged(tmp_path: Path) -> None:
    play(tmp_path / "one", part(*VARIANTS[:1]), Crew())
    play(tmp_path / "two", part(*VARIANTS[1:]), Crew())
    forged(one(has_no_fault, played_otherwise))(tmp_path / "two")
    done = arena("admin", "merge", "one", "two", "--name", "both", "--results", tmp_path)
    assert done.exit_code == 1
    assert "the run two is not as it was played" in " ".join(done.stderr.split())
    assert not (tmp_path / "both").exists()


def test_games_whose_withdrawals_differ_are_played_again(tmp_path: Path) -> None:
    """A bot that breaks in one variant is withdrawn from all of a run."""
    long = in_portions(msgspec.structs.replace(WHOLE, rounds=12), 2, 2)

    def crew() -> FaultyCrew:
        return FaultyCrew(lambda name, game: name == "e1" and game.variant == VARIANTS[0])

    whole = play(tmp_path / "whole", long, crew())
    parts = [
        play(tmp_path / str(each), msgspec.structs.replace(long, variants=(one,)), crew())
        for each, one in enumerate(VARIANTS)
    ]
    runs = [Store.open(one) for one in parts]
    merge(tmp_path / "all", runs, silent).close()
    for run in runs:
        run.close()
    with Store.open(whole) as expected, open_or_create(tmp_path / "all", long, silent) as store:
        assert store.count_aside() > 0
        play_missing(store, long, crew(), ignore)
        finish(store)
        assert played(store) == played(expected)
        assert store.read("leaderboard.json") == expected.read("leaderboard.json")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"variants": VARIANTS[:1]}, "two of the runs"),
        ({"rounds": 7}, "different settings"),
        ({"seed": 6}, "different settings"),
        ({"entrants": WHOLE.entrants[:3]}, "different settings"),
    ],
)
def test_runs_of_other_settings_are_refused(change: dict[str, object], told: str) -> None:
    other = msgspec.structs.replace(part(*VARIANTS[1:]), **change)
    with pytest.raises(SettingsError, match=told):
        united_settings([part(*VARIANTS[:1]), other])
