"""A bot in a container: its image is built from its Containerfile, and it plays."""

import subprocess
from pathlib import Path

import pytest

from arena.commands.templates import IMAGES
from tests.arena.command import arena
from tests.arena.playing import PATIENT
from tests.needs import need

IMAGE = "localhost/bribe-arena-test"


def test_every_language_but_python_has_a_containerfile(tmp_path: Path) -> None:
    for language in IMAGES:
        made = arena("new", tmp_path / language, "--language", language, "--container")
        assert made.exit_code == 0, made.stderr
        lines = (tmp_path / language / "Containerfile").read_text().splitlines()
        assert f"FROM {IMAGES[language]}" in lines
        assert lines[-1].startswith('CMD ["')
    assert "RUN javac Bot.java" in (tmp_path / "java" / "Containerfile").read_text()
    refused = arena("new", tmp_path / "python", "--container")
    assert refused.exit_code == 1
    assert "the arena starts it itself" in refused.stderr


def runtimes() -> list[list[str]]:
    """Return ways to start podman here: the usual one, and one for machines with old groups."""
    limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=500:500"]
    return [["podman", "run"], ["podman", "--runtime", "runc", "run", *limits]]


@pytest.mark.slow
@need("podman", "gcc")
def test_a_bot_in_a_container_plays(tmp_path: Path) -> None:
    boss = tmp_path / "boss"
    arena("new", boss, "--language", "c", "--container")
    static = ["gcc", "-O2", "-static", "-o", boss / "bot", boss / "bot.c"]
    subprocess.run(static, check=True)
    text = (boss / "Containerfile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("RUN")]
    text = "\n".join(lines).replace(f"FROM {IMAGES['c']}", "FROM scratch")  # without a network
    (boss / "Containerfile").write_text(text.replace('"./bot"', '"/bot/bot"'))
    built = subprocess.run(
        ["podman", "build", "--quiet", "--tag", IMAGE, boss], capture_output=True, check=False
    )
    if built.returncode:
        pytest.skip(f"podman cannot build an image here: {built.stderr.decode()[-200:]}")
    try:
        command = working_command()
        contest = tmp_path / "contest.toml"
        contest.write_text(
            'name = "x"\nvariants = ["bribery/2"]\nrounds = 2\nseed = 1\nresults = "results"\n'
            f'[entrants]\nbots = ["random"]\n[limits]\nmove_ms = {PATIENT.move_ms}\n'
            f'start_ms = {PATIENT.start_ms}\n[sandbox]\nlevel = "none"\n'
            f'[[bot]]\nname = "boss"\ncommand = {command}\nfolder = "boss"\n'
        )
        played = arena("run", contest, "--workers", "1")
        assert played.exit_code == 0, played.output
        assert "no faults" in arena("faults", "x", "--results", tmp_path / "results").stdout
    finally:
        subprocess.run(["podman", "rmi", "--force", IMAGE], capture_output=True, check=False)


def working_command() -> list[str]:
    """Return the command of the container, or skip the test if podman cannot start it here."""
    said = b""
    for start in runtimes():
        command = [*start, "--rm", "-i", "--network", "none", IMAGE]
        tried = subprocess.run(
            command, input=b'{"type":"bye"}\n', capture_output=True, timeout=60, check=False
        )
        if tried.returncode == 0:
            return command
        said = tried.stderr
    pytest.skip(f"podman cannot start a container here: {said.decode()[-200:]}")
