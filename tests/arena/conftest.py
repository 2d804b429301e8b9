"""What the tests of the arena share."""

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.arena.command import VARIANT, Answer, Played
from tests.arena.playing import plug_in
from tests.arena.runs import RUN_OPTIONS, Crew, bot_options, make_bots
from tests.sharing import shared_folder

ANSWER = "answer.json"


@pytest.fixture
def toys() -> Iterator[None]:
    """Register the toy games beside the built-in ones."""
    with plug_in():
        yield


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the machine be in a zone with daylight saving time."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def crew() -> Crew:
    """One worker that plays in this process."""
    return Crew()


@pytest.fixture(scope="session")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run of two variants and four bots, to be read only: seven games."""
    parent = shared_folder(tmp_path_factory, "spring", play_spring)
    answer = msgspec.json.decode((parent / ANSWER).read_bytes(), type=Answer)
    return Played(parent, answer)


def play_spring(parent: Path) -> None:
    """Play the run in a folder, and keep there what the command answered."""
    (parent / ANSWER).write_bytes(msgspec.json.encode(Played(parent).answer))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What enters three bots and a variant for them."""
    folders = make_bots(tmp_path_factory.mktemp("three"), 3)
    return [*bot_options(folders), "--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS]
