"""What the tests of the arena share."""

import pytest

from arena import process, tournament
from arena.stalls import Stalls
from tests.arena.playing import WAIT_S, plug_in
from tests.arena.runs import Crew


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy games are there, beside those of the box."""
    plug_in(monkeypatch)


@pytest.fixture
def long_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot may take long to exit, as it does on a busy machine."""
    monkeypatch.setattr(process, "EXIT_GRACE_S", WAIT_S)


@pytest.fixture
def no_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late answer is never excused by a busy machine."""
    monkeypatch.setattr(Stalls, "excuses", lambda *_: False)


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Crew:
    """A crew that gets two boards at a time."""
    monkeypatch.setattr(tournament, "FIRST_BOARDS", 2)
    monkeypatch.setattr(tournament, "MOST_BOARDS", 2)
    return Crew()
