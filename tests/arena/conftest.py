"""What the tests of the arena share."""

from collections.abc import Iterator

import pytest

from tests.arena.command import VARIANT, Played
from tests.arena.playing import plug_in
from tests.arena.runs import RUN_OPTIONS, Crew, bot_options, make_bots


@pytest.fixture
def toys() -> Iterator[None]:
    """Register the toy games beside the built-in ones."""
    with plug_in():
        yield


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
    return [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS]
