"""What a released version has written is read, or refused in one sentence with what to do.

`0.1.0.tar.gz` is a contest of that version with a roster, two submissions, a run with its secret,
the database of its server, and the run as an exported file; so is each other.
"""

import re
from pathlib import Path

import pytest

from arena.base.errors import ServeError
from tests.archives import unpack_tar
from tests.arena.command import arena

HERE = Path(__file__).parent
VERSIONS = ("0.1.0", "0.2.0")
RUN, FILE = "spring/results/spring", "spring.jsonl"
COMMANDS = [
    ("verify", RUN),
    ("verify", FILE),
    ("leaderboard", RUN),
    ("leaderboard", FILE),
    ("leaderboard", RUN, "--all"),
    ("logs", FILE),
    ("grades", RUN),
    ("export", RUN),
    ("replay", RUN, "pot-de-vin/3 board 0 rotation 0"),
    ("publish", RUN, "--to", "site"),
    ("backup", "spring", "--to", "backup.zip"),
    pytest.param(("run", "spring", "--rounds", "9"), marks=pytest.mark.slow),
]
ADVICE = re.compile(
    r"use (the )?version|`arena [^`]+`|update |unknown setting .*; (known are|expected one of)"
)
"""How a refusal says what to do."""


@pytest.fixture(params=VERSIONS)
def released(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Unpack what a released version has written, go there, and return the version."""
    version = str(request.param)
    unpack_tar(HERE / f"{version}.tar.gz", tmp_path)
    monkeypatch.chdir(tmp_path)
    return version


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_read_data_of_released_versions(released: str, words: tuple[str, ...]) -> None:
    before = contents(Path("spring"))
    result = arena(*words)
    if result.exit_code:
        assert ADVICE.search(result.stderr), result.stderr
        assert contents(Path("spring")) == before
    elif words[0] == "verify":
        assert "games match their records" in result.stdout
        assert "settings and records are compared" in result.stderr


def test_server_rejects_database_of_released_version(released: str) -> None:
    pytest.importorskip("starlette", reason="needs the extra `serve`")
    from arena.extras.serve.server_database import ServerDatabase

    with pytest.raises(ServeError, match="use the version"):
        ServerDatabase(Path("spring/server.db"))
