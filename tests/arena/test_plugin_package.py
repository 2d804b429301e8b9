"""A package with a bot and a schedule: it is built, installed, found and played."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.arena.runs import RUN_OPTIONS

PACKAGE = Path(__file__).parents[1] / "plugin_package"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with the arena, and the package installed in it."""
    parent = tmp_path_factory.mktemp("plugin")
    environment, source = parent / "venv", parent / "package"
    source.mkdir()
    for file in PACKAGE.rglob("*"):
        if file.suffix in (".py", ".toml"):
            copy = source / file.relative_to(PACKAGE)
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(file.read_bytes())
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    # What is installed here is there too, so that nothing need be downloaded.
    here = [sysconfig.get_path("purelib"), *map(str, Path(__file__).parents[2:3])]
    (packages / "here.pth").write_text("\n".join(here))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    options = ["--no-build-isolation", "--disable-pip-version-check", "--target", packages]
    subprocess.run([*install, *options, source], check=True)
    return environment / "bin" / "python"


def arena(python: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `arena` in the fresh environment."""
    start = "from arena.cli import main; main(prog_name='arena')"
    return subprocess.run(
        [python, "-P", "-c", start, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_bot_of_the_package_is_listed(python: Path) -> None:
    listed = arena(python, "games")
    assert listed.returncode == 0, listed.stderr
    assert "shy" in listed.stdout.split()


def test_the_bot_of_the_package_plays(python: Path, tmp_path: Path) -> None:
    options = ["--variant", "bribery/2", "--rounds", "2", *RUN_OPTIONS, "--results", tmp_path]
    played = arena(python, "run", *options, "--bot", "shy", "--bot", "random")
    assert played.returncode == 0, played.stderr
    assert " shy " in played.stdout


def test_the_schedule_of_the_package_is_played(python: Path, tmp_path: Path) -> None:
    options = ["--variant", "bribery/2", "--rounds", "6", *RUN_OPTIONS, "--results", tmp_path]
    bots = ["--bot", "shy", "--bot", "random", "--bot", "spoiler"]
    played = arena(python, "run", *options, *bots, "--set", "schedule=neighbours", "--name", "x")
    assert played.returncode == 0, played.stderr
    assert "(out)" not in played.stdout
    assert arena(python, "faults", "x", "--results", tmp_path).stdout == "no faults\n"
    verified = arena(python, "verify", "x", "--results", tmp_path)
    assert verified.returncode == 0, verified.stderr
