"""Runs with a secret: their schedule and deals, and how they are resumed."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.errors import SettingsError, StoreError
from arena.base.record import Game
from arena.contest.secret_file import SECRET_FILE, write_secret
from arena.schedule.randomness import Secret
from arena.tournament.games import world_seeds
from arena.tournament.run import open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE
from tests.arena.runs import (
    SECRET,
    Crew,
    ignore,
    made_up_settings,
    played,
    recoded,
    schedule_of,
    secret_settings,
    silent,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SEEDED = made_up_settings(7, VARIANT, TEAMS, rounds=12)
SETTINGS = secret_settings(SEEDED)
OTHER = Secret("0" * 64)
replace = msgspec.structs.replace


# -- schedule and deals ------------------------------------------------------------------------


def by_board(run: Settings) -> dict[tuple[str, int], list[Game]]:
    """Return the games of each board of a run."""
    found: dict[tuple[str, int], list[Game]] = {}
    for game in schedule_of(run):
        found.setdefault((game.variant, game.board), []).append(game)
    return found


def test_resuming_needs_the_secret_of_the_run() -> None:
    with pytest.raises(SettingsError, match=SECRET.hash):
        SETTINGS.chance()
    with pytest.raises(SettingsError, match=f"{OTHER.hash}.*{SECRET.hash}"):
        SETTINGS.chance(OTHER)
    with pytest.raises(SettingsError):
        replace(SEEDED, seed=None).chance()


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 7))
def test_changed_bot_gets_new_deals(number: int) -> None:
    name = f"e{number}"
    before, after = by_board(SETTINGS), by_board(recoded(SETTINGS, name))
    assert before.keys() == after.keys()
    for board, games in before.items():
        assert [one.entrants for one in games] == [one.entrants for one in after[board]]
        if name in games[0].entrants:
            assert {bytes(one.deal) for one in games} != {bytes(one.deal) for one in after[board]}
            assert not {s for one in games for s in one.seeds} & {
                s for one in after[board] for s in one.seeds
            }
        else:
            assert games == after[board]


# -- keeping the secret ------------------------------------------------------------------------


def test_run_stores_its_secret(tmp_path: Path, crew: Crew) -> None:
    folder = tmp_path / "spring"
    with open_or_create(folder, SETTINGS, silent, SECRET) as store:
        play_missing(store, SETTINGS, crew, ignore)
        before = played(store)
    assert (folder / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert SECRET.text.encode() not in (folder / DATABASE).read_bytes()
    with open_or_create(folder, SETTINGS, silent) as store:  # as `arena run` finds it
        play_missing(store, SETTINGS, crew, ignore)
        assert (played(store), crew.given()) == (before, [])


def test_seeds_of_worlds_follow_from_the_secret(tmp_path: Path, crew: Crew) -> None:
    folder, run = tmp_path / "spring", replace(SETTINGS, rounds=1)
    scheduled = {game.key: game.worlds for game in schedule_of(run)}
    with open_or_create(folder, run, silent, SECRET) as store:
        play_missing(store, run, crew, ignore)
        found = [world_seeds(store, record) for record in store.records()]
        assert {key: seed for seeds in found for key, seed in seeds.items()} == scheduled
        (folder / SECRET_FILE).unlink()
        assert not world_seeds(store, next(iter(store.records())))


def test_rejects_run_without_secret(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    open_or_create(folder, SETTINGS, silent, SECRET).close()
    (folder / SECRET_FILE).unlink()
    with pytest.raises(StoreError, match=f"{SECRET_FILE}.*{SECRET.hash}"):
        open_or_create(folder, SETTINGS, silent)
    write_secret(folder / SECRET_FILE, OTHER)
    with pytest.raises(StoreError, match=OTHER.hash):
        open_or_create(folder, SETTINGS, silent)
    (folder / SECRET_FILE).unlink()
    open_or_create(folder, SETTINGS, silent, SECRET).close()  # that of the contest is the same
    open_or_create(folder, SETTINGS, silent).close()


def test_replaces_only_secret_of_a_killed_start(tmp_path: Path) -> None:
    """The lock shows that the folder is that of a run."""
    folder = tmp_path / "spring"
    folder.mkdir()
    write_secret(folder / SECRET_FILE, OTHER)
    with pytest.raises(StoreError, match=str(folder)):
        open_or_create(folder, SETTINGS, silent, SECRET)
    (folder / "arena.lock").touch()
    with open_or_create(folder, SETTINGS, silent, SECRET) as store:
        kept = store.secret(SETTINGS.secret)
    assert kept
    assert kept.text == SECRET.text
