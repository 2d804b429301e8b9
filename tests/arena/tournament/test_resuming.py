"""Differences of settings: which ones prevent a resume, and what is said of the others."""

import msgspec
import pytest

from arena.base.protocol import Limits
from arena.base.record import GUEST_MARK
from arena.rating.certificate import StopRule
from arena.schedule.randomness import SecretSettings
from arena.tournament.resuming import changes, conflicts
from arena.tournament.settings import Settings
from tests.arena.runs import (
    SECRET,
    in_blocks,
    made_up,
    made_up_settings,
    recoded,
    secret_settings,
)

VARIANT = "pot-de-vin/3"
TEAMS = "pot-de-vin/4-teams"
SETTINGS = made_up_settings(3, VARIANT)
replace = msgspec.structs.replace


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (
            replace(SETTINGS, variants=(TEAMS,)),
            [f"the run has the variants {VARIANT}, which are missing now"],
        ),
        (
            replace(SETTINGS, entrants=tuple(made_up(2))),
            ["the run has the bots e3, which are missing now"],
        ),
        (
            replace(SETTINGS, challengers=("e1", "e2")),
            ["the run's challengers are unset, but now e1, e2"],
        ),
        (
            replace(SETTINGS, withdrawal=False),
            ["withdrawal is true in the run, but false now"],
        ),
        (
            in_blocks(SETTINGS, 3, 9),
            ["the run has blocks of 25 to 1600 boards, but now blocks of 3 to 9 boards"],
        ),
        (
            replace(SETTINGS, limits=Limits(9, 8)),
            [
                "limits.start_ms is 120000 in the run, but 9 now",
                "limits.move_ms is 120000 in the run, but 8 now",
            ],
        ),
        (
            replace(SETTINGS, stop_rule=StopRule(0.4, 90)),
            [
                "until is unset in the run, but certain now",
                "epsilon is unset in the run, but 0.4 now",
                "confidence is unset in the run, but 90 now",
            ],
        ),
        (
            replace(SETTINGS, rounds=2, seed=2),
            [
                "rounds is 3 in the run, but 2 now",
                "seed is 0 in the run, but 2 now",
            ],
        ),
    ],
)
def test_conflicts_name_both_values(now: Settings, expected: list[str]) -> None:
    assert list(conflicts(SETTINGS, now)) == expected


def test_other_secret_is_a_conflict() -> None:
    secret = secret_settings(SETTINGS)
    other = replace(secret, secret=SecretSettings("f" * 64))
    without_code = secret_settings(SETTINGS, with_fingerprints=False)
    assert list(conflicts(secret, secret)) == []
    for before, now in ((SETTINGS, secret), (secret, SETTINGS), (secret, other)):
        (conflict,) = conflicts(before, now)
        assert "the run's deals come from" in conflict
    (conflict,) = conflicts(secret, without_code)
    assert conflict.endswith(f"{SECRET.hash[:12]}... and do not depend on code")


def test_announces_new_deals() -> None:
    for settings, told in (
        (secret_settings(SETTINGS), True),
        (secret_settings(SETTINGS, with_fingerprints=False), False),
    ):
        (text,) = changes(settings, recoded(settings, "e2"))
        assert text.endswith(", with new deals") == told


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (SETTINGS, []),
        (replace(SETTINGS, entrants=SETTINGS.entrants[::-1]), []),
        (replace(SETTINGS, rounds=9), ["9 rounds, formerly 3"]),
        (replace(SETTINGS, order="score"), ["tables are ordered by score"]),
        (
            replace(SETTINGS, variants=(TEAMS, VARIANT), entrants=tuple(made_up(5))),
            ["new bots: e4, e5", f"variants: {TEAMS}, {VARIANT}"],
        ),
        (
            recoded(SETTINGS, "e2"),
            ["bots whose code has changed: e2; their boards are played again"],
        ),
    ],
)
def test_describes_changes(now: Settings, expected: list[str]) -> None:
    assert list(conflicts(SETTINGS, now)) == []
    assert list(changes(SETTINGS, now)) == expected


def test_guests_may_leave() -> None:
    guest = replace(SETTINGS.entrants[0], name=f"bundled{GUEST_MARK}")
    before = replace(SETTINGS, entrants=(*SETTINGS.entrants, guest), challengers=("e1", "e2"))
    assert not list(conflicts(before, replace(SETTINGS, challengers=("e2", "e1"))))
