"""What the tests of the arena share."""

import pytest

from arena import tournament
from tests.arena.runs import Crew


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Crew:
    """A crew that gets two boards at a time."""
    monkeypatch.setattr(tournament, "FIRST_BOARDS", 2)
    monkeypatch.setattr(tournament, "MOST_BOARDS", 2)
    return Crew()
