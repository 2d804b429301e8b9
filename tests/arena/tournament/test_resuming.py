"""Differences of settings: which ones prevent a resume, and what is said of the others."""

import msgspec
import pytest

from arena.base.contracts import SandboxSettings
from arena.base.protocol import Limits
from arena.base.record import GUEST_MARK
from arena.rating.certificate import StopRule
from arena.schedule.randomness import SecretSettings
from arena.tournament.resuming import changes, conflicts
from arena.tournament.settings import Settings
from tests.arena.runs import (
    SECRET,
    in_portions,
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
        (replace(SETTINGS, variants=(TEAMS,)), [f"without {VARIANT}"]),
        (replace(SETTINGS, entrants=tuple(made_up(2))), ["without e3"]),
        (replace(SETTINGS, schedule="gauntlet"), ["schedule gauntlet, not round-robin"]),
        (replace(SETTINGS, challengers=("e1", "e2")), ["challengers e1, e2, not none"]),
        (replace(SETTINGS, withdrawal=False), ["no withdrawal, not withdrawal"]),
        (replace(SETTINGS, result="points"), ["results by points, not placement"]),
        (
            in_portions(SETTINGS, 3, 9),
            ["portions of 3 to 9 boards, not portions of 25 to 1600 boards"],
        ),
        (
            replace(SETTINGS, limits=Limits(9, 8)),
            ["start_ms 9, not 120000", "move_ms 8, not 120000"],
        ),
        (replace(SETTINGS, sandbox=SandboxSettings("isolated")), ["--sandbox isolated, not none"]),
        (
            replace(SETTINGS, stop_rule=StopRule(0.4, 90)),
            ["until certain to 0.4 at 90 %, not no stop rule"],
        ),
        (replace(SETTINGS, rounds=2, seed=2), ["2 rounds, not 3", "seed 2, not seed 0"]),
    ],
)
def test_conflicts_are_named_with_both_values(now: Settings, expected: list[str]) -> None:
    assert list(conflicts(SETTINGS, now)) == expected


def test_another_secret_is_a_conflict_and_so_is_a_seed_in_its_place() -> None:
    secret = secret_settings(SETTINGS)
    other = replace(secret, secret=SecretSettings("f" * 64))
    without_code = secret_settings(SETTINGS, with_fingerprints=False)
    ours = f"a secret with SHA-256 {SECRET.hash[:12]}..."
    assert list(conflicts(secret, secret)) == []
    assert list(conflicts(SETTINGS, secret)) == [f"{ours}, not seed 0"]
    assert list(conflicts(secret, SETTINGS)) == [f"seed 0, not {ours}"]
    assert list(conflicts(secret, other)) == [f"a secret with SHA-256 {'f' * 12}..., not {ours}"]
    (text,) = conflicts(secret, without_code)
    assert text == f"{ours} and deals that do not depend on code, not {ours}"


def test_new_deals_are_announced_where_they_depend_on_the_code() -> None:
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
def test_changes_that_continue_a_run_are_sentences(now: Settings, expected: list[str]) -> None:
    assert list(conflicts(SETTINGS, now)) == []
    assert list(changes(SETTINGS, now)) == expected


def test_a_guest_may_go_and_challengers_may_be_named_in_any_order() -> None:
    guest = replace(SETTINGS.entrants[0], name=f"bundled{GUEST_MARK}")
    before = replace(SETTINGS, entrants=(*SETTINGS.entrants, guest), challengers=("e1", "e2"))
    assert not list(conflicts(before, replace(SETTINGS, challengers=("e2", "e1"))))
