"""Settings of a run: the entrants of each variant, and settings that are refused."""

import msgspec
import pytest

from arena.base.errors import SettingsError
from arena.base.record import GUEST_MARK
from arena.schedule.plan import BlockSizes
from arena.tournament.games import count_games
from arena.tournament.settings import Settings, check_settings
from engine import get_variant
from tests.arena.runs import in_blocks, made_up, made_up_settings, schedule_of

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


def test_seats_only_bots_that_play_the_game() -> None:
    entrants = (*made_up(4), *[replace(one, name="other") for one in made_up(1, ("bribery",))])
    run = replace(SETTINGS, entrants=entrants, rounds=6)
    check_settings(run)
    assert {name for game in schedule_of(run) for name in game.entrants} == {"e1", "e2", "e3", "e4"}
    assert count_games(run) == 6


def test_reports_how_many_bots_are_missing() -> None:
    with pytest.raises(SettingsError, match=f"{VARIANT}.*3 seats.*e1, e2.*1 with --bot.*random"):
        check_settings(made_up_settings(2, VARIANT, TEAMS))


def test_counts_only_bots_that_play_the_game() -> None:
    entrants = (*made_up(3)[:1], *made_up(3, ("bribery",))[1:])
    with pytest.raises(SettingsError, match=r"1 of .* pot-de-vin \(e1\).* 2 "):
        check_settings(replace(SETTINGS, entrants=entrants))
    others = tuple(made_up(3, ("bribery",)))
    with pytest.raises(SettingsError, match=r"0 of .* pot-de-vin .* 3 "):
        check_settings(replace(SETTINGS, entrants=others))


def test_rejects_challengers_in_other_schedules() -> None:
    with pytest.raises(SettingsError, match=r"'round-robin'.*--set schedule=gauntlet"):
        check_settings(replace(SETTINGS, challengers=("e1",)))
    check_settings(replace(SETTINGS, challengers=("e1",), schedule="gauntlet"))


def test_guests_fill_only_empty_seats() -> None:
    guests = [replace(one, name=f"{one.name}{GUEST_MARK}") for one in made_up(3)]
    run = replace(SETTINGS, entrants=(*guests, *made_up(2)))
    assert run.players(get_variant(VARIANT)) == ["e1", "e2", guests[0].name]
    assert run.players(get_variant(TEAMS)) == ["e1", "e2", guests[0].name, guests[1].name]


def test_field_is_sorted() -> None:
    run = replace(SETTINGS, entrants=SETTINGS.entrants[::-1], challengers=("e3", "e2", "other"))
    field = run.field(VARIANT)
    assert field.variant is get_variant(VARIANT)
    assert (field.entrants, field.challengers) == (("e1", "e2", "e3"), ("e2", "e3"))


# -- sizes of blocks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "bots", "expected"),
    [
        (BlockSizes(), 5, [25, 25, 25, 25, 25, 31, 39, 48]),
        (BlockSizes(), 30, [30, 25, 25, 25, 26, 32, 40]),
        (BlockSizes(1, 2), 5, [2, 1, 1, 1]),
    ],
)
def test_blocks_grow_by_a_quarter(sizes: BlockSizes, bots: int, expected: list[int]) -> None:
    boards, found = 0, []
    for _ in expected:
        found.append(sizes.after(boards, bots))
        boards += found[-1]
    assert found == expected


def test_stores_only_unusual_block_sizes() -> None:
    assert SETTINGS.sizes == BlockSizes()
    assert b"block" not in msgspec.json.encode(SETTINGS)
    small = in_blocks(SETTINGS, 3, 9)
    assert msgspec.json.decode(msgspec.json.encode(small), type=Settings) == small
