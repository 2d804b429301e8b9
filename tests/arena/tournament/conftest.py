"""What the tests of tournaments share: a run to be forged, with a seed or with a secret."""

from pathlib import Path

import pytest

from arena.tournament.settings import Settings
from tests.arena.command import arena
from tests.arena.runs import SECRET
from tests.arena.tournament.forgeries import SETTINGS, WITH_SECRET, play


def make_run(parent: Path, settings: Settings) -> Path:
    """Return a run with faults, a withdrawn bot, evidence and notes, and its export beside it."""
    folder = play(parent / "run", settings)
    (parent / "export.jsonl").write_bytes(arena("export", folder).stdout_bytes)
    return folder


@pytest.fixture(scope="module")
def seed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose deals follow from a seed."""
    return make_run(tmp_path_factory.mktemp("seed"), SETTINGS)


@pytest.fixture(scope="module")
def secret_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose deals follow from a secret, with a copy of the secret beside it."""
    folder = make_run(tmp_path_factory.mktemp("secret"), WITH_SECRET)
    (folder.parent / "secret.txt").write_text(SECRET.text)
    return folder


@pytest.fixture(params=["seed_run", "secret_run"])
def run(request: pytest.FixtureRequest) -> Path:
    """Each of the two runs."""
    folder: Path = request.getfixturevalue(request.param)
    return folder
