"""The sandbox of a run: part of its settings, kept on resume, refused if it hides too little."""

from pathlib import Path

import msgspec
import pytest

from arena.base.contracts import SandboxSettings
from arena.base.errors import SettingsError
from arena.check.sandbox_probe import BOUNDED, MEASURED, hold
from arena.tournament.settings import check_bot_folders
from tests.arena.levels import sandbox_settings_of
from tests.arena.runs import bot_options, make_bot, make_bots, run_arena, settings_of


@pytest.fixture(scope="module")
def isolated_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], str]:
    """The results, the command and the output of a run at the level `isolated`."""
    sandbox_settings_of("isolated")
    parent = tmp_path_factory.mktemp("isolated")
    command = ["run", *bot_options(make_bots(parent / "bots", 3)), "--variant", "pot-de-vin/3"]
    command += ["--rounds", "3", "--name", "spring", "--results", str(parent / "results")]
    done = run_arena(*command)
    assert done.returncode == 0, done.stderr
    assert (
        "sandbox isolated: bots can't see"
        in run_arena("leaderboard", str(parent / "results" / "spring"), "--all").stdout
    )
    return parent / "results", command, done.stdout


def test_run_stores_its_sandbox(
    isolated_run: tuple[Path, list[str], str],
) -> None:
    results, _, _ = isolated_run
    board = msgspec.json.decode((results / "spring" / "leaderboard.json").read_bytes())
    assert any(how in board["walls"]["promise"] for how in (BOUNDED, MEASURED))
    stamped = msgspec.convert(board["walls"], SandboxSettings)
    assert stamped == hold(SandboxSettings("isolated"))


@pytest.mark.parametrize("inside", ["bot-1/results", "bot-1", "results"])
def test_rejects_bot_that_could_read_results(inside: str, tmp_path: Path) -> None:
    settings = settings_of(make_bots(tmp_path, 3), "pot-de-vin/3")
    settings = msgspec.structs.replace(settings, sandbox=SandboxSettings("isolated"))
    if inside == "results":
        check_bot_folders(settings, tmp_path / inside, tmp_path / "site")
        return
    with pytest.raises(SettingsError, match=r"the results .* in the folder of bot-1.*--results"):
        check_bot_folders(settings, tmp_path / inside)
    with pytest.raises(SettingsError, match=r"the site .* in the folder of bot-1.*`publish`"):
        check_bot_folders(settings, tmp_path / "results", tmp_path / inside)


@pytest.mark.parametrize("place", ["results", "site", "secret"])
def test_rejects_readable_path_with_secrets(place: str, tmp_path: Path) -> None:
    settings = settings_of(make_bots(tmp_path / "bots", 3), "pot-de-vin/3")
    sandbox = SandboxSettings("isolated", readable=(str(tmp_path / "shared"),))
    settings = msgspec.structs.replace(settings, sandbox=sandbox)
    places = {name: tmp_path / "own" / name for name in ("results", "site", "secret")}
    check_bot_folders(settings, **places)
    places[place] = tmp_path / "shared" / "deep" / place
    with pytest.raises(SettingsError, match=f"the {place} .*, which all bots may read"):
        check_bot_folders(settings, **places)


def test_rejects_bot_that_could_read_another_bot(tmp_path: Path) -> None:
    outer = make_bot(tmp_path, "outer")
    inner = make_bot(outer, "inner")
    settings = settings_of([outer, inner], "pot-de-vin/3")
    check_bot_folders(settings, tmp_path / "results")  # without a sandbox it makes no difference
    settings = msgspec.structs.replace(settings, sandbox=SandboxSettings("isolated"))
    with pytest.raises(SettingsError, match="inner is in the folder of outer"):
        check_bot_folders(settings, tmp_path / "results")
