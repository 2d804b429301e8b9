"""Each check fails for a bot made to fail it, and its file leads back to the fault."""

import gc
import re
import time

import msgspec
import pytest

from arena.base.contracts import Bounds, SandboxSettings
from arena.base.protocol import Limits
from arena.base.record import Entrant
from arena.check.bot_check import (
    COMPANY,
    IN_TIME,
    MEMORY,
    PLAYS,
    READY,
    STARTS,
    CheckResult,
    CheckSettings,
    check_bot,
)
from arena.check.fault_report import card
from arena.sandbox.cgroup import our_home
from tests.arena.check.listening import LISTEN
from tests.arena.levels import LEVELS, sandbox_settings_of
from tests.arena.playing import (
    PATIENT,
    children,
    code,
    descriptors,
    first,
    program,
)

VARIANTS = ("high-card/3", "high-card/2")
ALL_PLAYS = tuple([PLAYS.format(variant) for variant in VARIANTS])
NAMES = (STARTS, READY, *ALL_PLAYS, IN_TIME, MEMORY, COMPANY)
LATE = Limits(start_ms=120_000, move_ms=400)
"""For bots that never answer."""


@pytest.fixture(autouse=True)
def _toys(toys: None) -> None:
    """Register the toy games."""


def check(
    entrant: Entrant,
    limits: Limits = PATIENT,
    sandbox: SandboxSettings | None = None,
) -> dict[str, CheckResult]:
    """Return the checks of a bot by name, and hold that each is there once and none leaks."""
    our_home()  # which stays open
    gc.collect()  # else what earlier tests left may be closed meanwhile
    before = descriptors()
    done = list(check_bot(entrant, VARIANTS, CheckSettings(limits, sandbox or SandboxSettings())))
    assert [one.name for one in done] == list(NAMES)
    assert descriptors() == before
    assert not children()
    assert all(one.text.isprintable() for one in done)
    assert all(one.failure is None for one in done if one.outcome != "failed")
    return {one.name: one for one in done}


def failed(done: dict[str, CheckResult]) -> list[str]:
    """Return the names of the checks that failed."""
    return [name for name, one in done.items() if one.outcome == "failed"]


# -- the right check fails ---------------------------------------------------------------------


def test_correct_bot_passes_all_checks() -> None:
    done = check(first())
    assert {name: one.outcome for name, one in done.items()} == dict.fromkeys(NAMES, "passed")
    assert " 4 answers" in done[ALL_PLAYS[0]].text
    assert re.search("^8 answers: .* 120000 ms", done[IN_TIME].text)


@pytest.mark.parametrize(
    ("name", "failing", "kind", "action", "value"),
    [
        ("crashes_at_once", (STARTS,), "start", 0, "code 1"),
        ("greets", (READY,), "start", 0, ""),
        ("speaks_version_2", (READY,), "start", 0, "version 2"),
        ("breaks_the_rules", ALL_PLAYS, "illegal", 3, r"'hide \x1b[31mall'"),
        ("crashes_in_act", ALL_PLAYS, "crash", 3, "code 1"),
        ("crashes_between_turns", ALL_PLAYS, "crash", 6, "code 3"),
        ("counts_true", ALL_PLAYS, "malformed", 3, "`int`"),
        ("answers_another_table", ALL_PLAYS, "malformed", 3, ""),
        ("sends_a_long_line", ALL_PLAYS, "flood", 3, "65536 bytes"),
        ("leaves_in_company", (COMPANY,), "crash", 1, "code 0"),
    ],
)
def test_each_mistake_fails_one_check(
    name: str, failing: tuple[str, ...], kind: str, action: int, value: str
) -> None:
    entrant = program(name)
    done = check(entrant)
    assert tuple(failed(done)) == failing
    first_failed = done[failing[0]]
    assert first_failed.failure
    fault = first_failed.failure.fault
    assert (fault.kind, fault.action) == (kind, action)
    assert value in fault.text
    assert fault.text in first_failed.text


def test_silent_bot_times_out() -> None:
    entrant = program("falls_silent")
    done = check(entrant, LATE)
    assert failed(done) == [IN_TIME]
    assert "400 ms" in done[IN_TIME].text
    assert done[ALL_PLAYS[0]].outcome == "not run"


def test_missing_program_fails_to_start() -> None:
    done = check(Entrant("none", ("/no/such/program",), ".", ""))
    assert failed(done) == [STARTS]
    assert "No such file or directory" in done[STARTS].text
    file = done[STARTS].failure
    assert file
    shown = card("none", file.where, file.fault, file.evidence).splitlines()
    assert file.fault.kind == "start"
    assert shown[0].startswith("none: start ")
    assert shown[-1].split()[:2] == ["to", "do"]


@pytest.mark.parametrize("level", LEVELS)
def test_bot_with_too_much_memory_fails_the_memory_check(level: str) -> None:
    sandbox = sandbox_settings_of(level, Bounds(memory_mib=64))
    much = "for message in hear():\n    if message['type'] == 'turn':\n"
    much += "        much = bytearray(b'x') * (80 << 20)\n        signal.pause()\n"
    done = check(code("hog", LISTEN + much), sandbox=sandbox)
    assert failed(done) == [MEMORY]
    assert "64 MiB" in done[MEMORY].text
    assert done[ALL_PLAYS[0]].outcome == "not run"


def test_crash_during_concurrent_games_counts_in_the_requested_game() -> None:
    breaks = "for message in hear():\n    if message['type'] == 'turn':\n"
    breaks += "        assert message['table'] != 3\n        act(message, message['legal'][0])\n"
    done = check(code("third", LISTEN + breaks))
    assert failed(done) == [COMPANY]
    failure = done[COMPANY].failure
    assert failure
    assert failure.game
    assert failure.game.title == "high-card/3 board 4 rotation 2"


def test_reports_bot_that_plays_none_of_the_games() -> None:
    names = r"['ta\nfl\x1b[2J', *map(str, range(5000))]"
    text, began = LISTEN.replace("protocol=1", f"protocol=1, games={names}"), time.process_time()
    done = check(code("other", f"{text}play()"))
    assert time.process_time() - began < 5
    assert failed(done) == [READY]
    assert re.search(r"ta\\nfl\\x1b\[2J.*high-card", done[READY].text)


def test_stops_after_three_failed_variants() -> None:
    variants = ("high-card/3", "high-card/2", "high-card/4-teams", "high-card/3")
    settings = CheckSettings(PATIENT, SandboxSettings())
    done = list(check_bot(program("crashes_in_act"), variants, settings))
    plays = [one.outcome for one in done if one.name.startswith("plays ")]
    assert plays == ["failed", "failed", "failed", "not run"]


def test_limits_the_duration_of_a_game() -> None:
    done = check(first(), msgspec.structs.replace(PATIENT, bank_ms=240_000))
    assert re.search("120000 ms .*240000", done[IN_TIME].text)
