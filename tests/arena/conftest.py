"""What the tests of the arena share."""

import math

import pytest

from arena.match import fair_share
from arena.process import bot_process
from tests.arena.command import VARIANT, Played
from tests.arena.playing import WAIT_S, plug_in
from tests.arena.runs import PATIENT_OPTIONS, Crew, bot_options, make_bots


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy games beside the built-in ones."""
    plug_in(monkeypatch)


@pytest.fixture
def long_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may take long to exit, as it does on a busy machine."""
    monkeypatch.setattr(bot_process, "EXIT_GRACE_S", WAIT_S)


@pytest.fixture
def no_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late answer is never excused by a busy machine."""
    monkeypatch.setattr(fair_share, "EXCUSED_SHARE", math.inf)


@pytest.fixture
def crew() -> Crew:
    """One worker that plays in this process."""
    return Crew()


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run of two variants and four bots: seven games."""
    return Played(tmp_path_factory.mktemp("spring"))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What enters three bots and a variant for them."""
    folders = make_bots(tmp_path_factory.mktemp("three"), 3)
    return [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *PATIENT_OPTIONS]
