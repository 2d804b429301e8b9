"""The workflows of `--github` follow GitHub's schema, and their steps run in a clean folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.arena.command import arena

yaml = pytest.importorskip("ruamel.yaml", reason="need check-jsonschema, which brings it")


def steps(workflow: Path) -> dict[str, dict[str, Any]]:
    """Return the steps of the only job that have a script, by name."""
    read = yaml.YAML(typ="safe").load(workflow)
    (job,) = read["jobs"].values()
    return {step["name"]: step for step in job["steps"] if "run" in step}


def play(step: dict[str, Any], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a step as GitHub does: by `bash -e` in the checked out repository."""
    tools = folder.parent / "bin"
    tools.mkdir(exist_ok=True)
    for name in ("arena", "python"):
        if not (tools / name).exists():
            (tools / name).symlink_to(Path(sys.executable).with_name(name))
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"} | more
    return subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def made_contest(folder: Path) -> Path:
    """Return the workflow of a new contest."""
    made = arena("init", folder, "--github")
    assert made.exit_code == 0, made.stderr
    return folder / ".github/workflows/contest.yml"


def made_bot(folder: Path, *options: str) -> Path:
    """Return the workflow of a new bot."""
    made = arena("new", folder, "--github", *options)
    assert made.exit_code == 0, made.stderr
    return folder / ".github/workflows/check.yml"


def test_the_workflows_follow_the_schema(tmp_path: Path) -> None:
    workflows = [made_contest(tmp_path / "spring"), made_bot(tmp_path / "my-bot")]
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    checked = subprocess.run(
        [*check, "vendor.github-workflows", *workflows], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
def test_a_contest_is_played_resumed_and_published(tmp_path: Path) -> None:
    folder = tmp_path / "spring"
    by_name = steps(made_contest(folder))
    secret = (folder / "secret.txt").read_text()
    (folder / "secret.txt").unlink()  # Git ignores it
    contest = folder / "contest.toml"
    text = contest.read_text().replace('games = ["pot-de-vin"]', 'variants = ["bribery/2"]')
    text = text.replace("rounds = 60 ", "rounds = 2 ").replace('"random", "greedy"', '"random"')
    contest.write_text(text)
    placed = play(by_name["Put the secret into its place"], folder, ARENA_SECRET=secret.strip())
    assert placed.returncode == 0, placed.stderr
    assert (folder / "secret.txt").read_text() == secret
    assert (folder / "secret.txt").stat().st_mode & 0o077 == 0
    for _ in range(2):
        played = play(by_name["Play"], folder)
        assert played.returncode == 0, played.stderr
        assert (folder / "site/index.html").is_file()
    assert "played before" in played.stderr


@pytest.mark.slow
def test_a_bot_is_tested_and_checked_with_its_card_as_the_summary(tmp_path: Path) -> None:
    folder = tmp_path / "my-bot"
    by_name = steps(made_bot(folder, "--game", "bribery"))
    by_name["Check the bot"]["run"] = by_name["Check the bot"]["run"].replace(
        "--game bribery", "--variant bribery/2"
    )
    summary = tmp_path / "summary.md"
    for name in ("Build the bot", "Test the bot", "Check the bot"):
        done = play(by_name[name], folder, GITHUB_STEP_SUMMARY=str(summary))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "    my-bot is fit for a run" in summary.read_text().splitlines()
    bot = folder / "bot.py"
    bot.write_text(bot.read_text().replace("self.rng.choice(legal)", '"no action"'))
    failed = play(by_name["Check the bot"], folder, GITHUB_STEP_SUMMARY=str(summary))
    assert failed.returncode == 1
    assert "answered 'no action', which is not legal" in summary.read_text()


def test_a_compiled_bot_is_built_first(tmp_path: Path) -> None:
    by_name = steps(made_bot(tmp_path / "my-bot", "--language", "rust"))
    assert by_name["Build the bot"]["run"].strip() == "rustc -O -o bot bot.rs"


def test_the_option_for_a_new_game_says_the_command(tmp_path: Path) -> None:
    refused = arena("new", tmp_path / "my-game", "--game-plugin")
    assert refused.exit_code == 2
    assert f"arena game new {tmp_path / 'my-game'}" in refused.stderr
