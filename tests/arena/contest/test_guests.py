"""Tests that guests fill empty seats."""

from arena.base.contracts import SandboxSettings
from arena.contest.lineup import find_guests
from arena.tournament.settings import Settings, check_settings
from engine import get_variant
from tests.arena.playing import PATIENT
from tests.arena.runs import made_up

VARIANTS = ("pot-de-vin/3", "pot-de-vin/5", "bribery/2", "bribery/3")


def test_guests_are_the_first_quick_bots_for_the_game() -> None:
    assert find_guests(made_up(5), ("pot-de-vin/5",), PATIENT, SandboxSettings()) == []
    guests = find_guests(made_up(2), VARIANTS, PATIENT, SandboxSettings())
    assert [guest.name for guest in guests] == ["random (guest)", "timid (guest)", "briber (guest)"]
    assert all(guest.guest for guest in guests)
    settings = Settings(1, 0, VARIANTS, (*made_up(2), *guests), PATIENT)
    check_settings(settings)
    seated = {one: settings.players(get_variant(one))[2:] for one in VARIANTS}
    assert seated == {
        "pot-de-vin/3": ["random (guest)"],
        "pot-de-vin/5": ["random (guest)", "timid (guest)", "briber (guest)"],
        "bribery/2": [],
        "bribery/3": ["random (guest)"],
    }
