"""A bot that leaves a run takes its own games with it, and no others."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.base.errors import SettingsError
from arena.base.record import GameRecord
from arena.extras.serve.departure import leave_run
from arena.tournament.run import finish, open_or_create, play_missing
from arena.tournament.settings import Settings
from arena.tournament.standings import digest_of, is_complete, rank
from arena.tournament.store import Store
from arena.tournament.verification import verify_run
from engine import get_variant
from tests.arena.runs import SECRET, Crew, ignore, made_up_settings, secret_settings, silent

VARIANTS = ("pot-de-vin/3", "pot-de-vin/4-teams")


def play(folder: Path, settings: Settings) -> Store:
    """Play a run to its end, and return it."""
    store = open_or_create(folder, settings, silent, SECRET if settings.secret else None)
    play_missing(store, settings, Crew(), ignore)
    finish(store)
    return store


def games_of(store: Store) -> dict[str, GameRecord]:
    return {one.key: one for one in store.records()}


@pytest.mark.parametrize("is_secret", [False, True], ids=["seed", "secret"])
def test_only_the_games_with_the_bot_are_gone(tmp_path: Path, is_secret: bool) -> None:
    settings = made_up_settings(6, *VARIANTS, rounds=8)
    if is_secret:
        settings = secret_settings(settings)
    with play(tmp_path / "run", settings) as store:
        before, digest = games_of(store), digest_of(store, rank(store))
        said = leave_run(store, ["e2"])
        expected = {key: one for key, one in before.items() if "e2" not in one.entrants}
        assert games_of(store) == expected
        assert said == f"the run run: {len(expected)} games count, formerly {len(before)}"
        board = rank(store)
        assert "e2" not in {row.bot for row in board.overall}
        assert all("e2" not in {row.bot for row in rows} for rows in board.variants.values())
        assert digest_of(store, board) != digest
        verified = verify_run(store, SECRET if is_secret else None)
        assert (verified.in_games, verified.in_run) == ([], [])
        play_missing(store, store.settings(), crew := Crew(), ignore)
        assert not crew.batches, "no game of the others is played again"
        leave_run(store, [])
        assert games_of(store) == before
        assert digest_of(store, rank(store)) == digest
        assert is_complete(store)


def test_more_than_one_can_leave(tmp_path: Path) -> None:
    settings = made_up_settings(5, VARIANTS[0], rounds=30)
    with play(tmp_path / "run", settings) as store:
        leave_run(store, ["e1", "e4"])
        assert store.settings().dropped_bots == {"e1", "e4"}
        assert {name for one in store.records() for name in one.entrants} == {"e2", "e3", "e5"}


def test_guests_take_the_seats_of_bots_that_left(tmp_path: Path) -> None:
    settings = made_up_settings(6, VARIANTS[0], rounds=30)
    guests = [replace(bot, name=f"{bot.name} (guest)") for bot in settings.entrants[2:]]
    filled = replace(settings, entrants=(*settings.entrants[:2], *guests))
    variant = get_variant(VARIANTS[0])
    assert len(filled.players(variant)) == variant.seats
    with play(tmp_path / "run", filled) as store:
        leave_run(store, ["e1"])
        left = store.settings()
    assert len(left.staying(variant)) == variant.seats


def test_who_cannot_leave_is_told_why(tmp_path: Path) -> None:
    settings = made_up_settings(4, *VARIANTS)
    with play(tmp_path / "run", settings) as store:
        before = games_of(store)
        with pytest.raises(SettingsError, match="4 seats, but only 3 bots would stay"):
            leave_run(store, ["e1"])
        assert games_of(store) == before
        leave_run(store, ["e1"], fill=True)
        assert store.settings().dropped_bots == {"e1"}
