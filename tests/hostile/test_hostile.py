"""Whatever a bot does, it loses its own game only, and nothing of it is left."""

import contextlib
import os
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import SandboxSettings
from arena.base.record import Entrant, GameRecord, Observations
from arena.check.fault_report import WIDTH, CardStyle, fault_card
from arena.check.sandbox_probe import read_attacks
from arena.match.referee import final_ranks
from arena.tournament.verification import check_record
from tests.arena.bad_bots import expected_after, watch_with
from tests.arena.levels import LEVELS, sandbox_settings_of
from tests.arena.playing import (
    BOTS,
    NEEDS_PROC,
    PYTHON,
    children,
    descriptors,
    is_running,
    plug_in,
    wait_for,
)
from tests.hostile.cases import CASES, ELSEWHERE, LIMITS, Case
from tests.hostile.test_memory_attacks import HOGS, HONEST
from tests.hostile.test_own_users import ATTACKS

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with plug_in():
        yield


@contextlib.contextmanager
def nothing_is_left(folder: Path) -> Iterator[None]:
    """Hold that no process, descriptor, thread or file is left behind."""
    before = descriptors(), threading.active_count()
    yield
    assert not children()
    assert (descriptors(), threading.active_count()) == before
    assert not list(folder.iterdir())


def play(case: Case, folder: Path, sandbox: SandboxSettings) -> tuple[GameRecord, Observations]:
    """Return the record of a game with the bot in the middle, and what was seen."""
    bad = Entrant("bad", (*PYTHON, "-c", case.code), str(folder), "")
    return watch_with(bad, LIMITS[case.limits], sandbox)


def cases_and_levels() -> Iterator[object]:
    """Yield each case at each level; the second level of a case is slow."""
    for place, case in enumerate(CASES):
        for later, marks in enumerate(([], [pytest.mark.slow])):
            level = LEVELS[(place + later) % len(LEVELS)]
            name = f"{case.number} {case.title}-{level}"
            yield pytest.param(case, level, marks=marks, id=name)


@NEEDS_PROC
@pytest.mark.parametrize(("case", "level"), list(cases_and_levels()))
def test_hostile_bot_loses_only_its_own_game(case: Case, level: str, tmp_path: Path) -> None:
    sandbox = msgspec.structs.replace(sandbox_settings_of(level), readable=(str(BOTS),))
    with nothing_is_left(tmp_path):
        record, seen = play(case, tmp_path, sandbox)
    assert_others_stand(record, case)
    if case.kinds:
        assert_charged(record, seen, case)
    else:
        assert (record.faults, seen.evidence) == ((), ())
    if case.number == 28 and level == "none":
        end_daemon(seen)
    if case.number in (37, 38):
        assert (seen.evidence[0].memory_kib or 0) > 64 * 1024


def assert_others_stand(record: GameRecord, case: Case) -> None:
    """Hold that the others played as they would have against anybody who acts like this bot."""
    expected = expected_after(case.turns)
    assert (record.actions, record.points) == (expected.actions, expected.points)
    faulty = {1} if case.kinds else set()
    assert record.ranks == final_ranks(expected.ranks, [(0,), (1,), (2,)], faulty)
    check_record(record)


def assert_charged(record: GameRecord, seen: Observations, case: Case) -> None:
    """Hold that the fault is recorded as it should, and that its card does not harm a terminal."""
    (fault,) = record.faults
    assert fault.seat == 1
    assert fault.kind in case.kinds
    assert re.match(case.text, fault.text), fault.text
    assert fault.legal[:1] == ("hide 5",)
    (evidence,) = seen.evidence
    assert re.fullmatch(case.came, evidence.came), evidence.came
    assert len(evidence.came) < 4 * 256 + 40
    card = fault_card(record, fault, seen, CardStyle(full=True))
    assert all(line.isprintable() and len(line) <= WIDTH for line in card.split("\n")), card


def end_daemon(seen: Observations) -> None:
    """End the processes that got away: without a sandbox the referee cannot find them."""
    (evidence,) = seen.evidence
    daemon = int(evidence.stderr)
    os.kill(daemon, signal.SIGKILL)
    wait_for(lambda: not is_running(daemon), "the end of the daemon")


def test_every_listed_attack_has_a_test() -> None:
    tried = {case.number for case in CASES} | {row.number for row in read_attacks()}
    tried |= {int(title[:3]) for title in (*HOGS, *HONEST, *ATTACKS)}
    assert tried | ELSEWHERE.keys() == {*range(1, 134)}
    assert not {case.number for case in CASES} & ELSEWHERE.keys()


def test_tests_named_on_the_security_page_exist() -> None:
    paths = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs/security.md").read_text("utf-8"))
    assert paths
    assert [path for path in paths if not (ROOT / path).is_file()] == []
