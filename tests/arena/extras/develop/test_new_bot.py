"""A new bot plays at once, in every language, and its own test passes."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.contest.roster import safe_id
from arena.extras.develop.bot_template import CONVERSATION, LANGUAGES
from arena.tournament.games import count_games
from arena.tournament.run import open_or_create, play_missing
from engine import variants
from tests.arena.command import arena, refused
from tests.arena.runs import ignore, in_processes, run_arena, settings_of, silent
from tests.needs import need

NEEDS = {
    "javascript": ("node",),
    "c": ("make", "cc"),
    "rust": ("rustc",),
    "go": ("go",),
    "java": ("javac", "java"),
    "cpp": ("g++",),
}
"""What a language needs beyond Python and a shell."""
QUIET_JAVA = {"JAVA_TOOL_OPTIONS": "-XX:-UsePerfData"}
"""Else `javac` makes a folder in the temporary folder, which stays."""
GAMES = {"python": ("pot-de-vin", "bribery"), "c": ("bribery",)}
"""The games in which the bots of a language are tried beside that with the longest lines."""
LONGEST = "brides-and-bribes"


def needs(language: str) -> pytest.MarkDecorator:
    """Return the mark that skips a test where a language lacks what it needs."""
    return need(*NEEDS.get(language, ()))


def new_bots() -> Iterator[object]:
    """Yield each language with its games. By default one in Python plays, and one in C."""
    for language in LANGUAGES:
        for place, game in enumerate(dict.fromkeys([*GAMES.get(language, ()), LONGEST])):
            slow = [pytest.mark.slow] if place or language not in GAMES else []
            yield pytest.param(language, game, marks=[needs(language), *slow])


def new(folder: Path, language: str, game: str) -> Path:
    """Make a bot as a person does."""
    made = arena("new", folder, "--language", language, "--game", game)
    assert made.exit_code == 0, made.stderr
    assert str(folder / CONVERSATION) in made.stdout
    for line in made.stdout.splitlines():
        if line.startswith("build it first: "):
            build = ["sh", "-c", line.removeprefix("build it first: ").strip("`")]
            subprocess.run(build, env={**os.environ, **QUIET_JAVA}, check=True)
    return folder


@pytest.mark.parametrize(("language", "game"), [*new_bots()])
def test_new_bot_plays_without_fault(tmp_path: Path, language: str, game: str) -> None:
    folder = new(tmp_path / "my-own", language, game)
    test = [sys.executable, "-P", folder / "test_bot.py"]
    tested = subprocess.run(test, capture_output=True, text=True, timeout=60, check=False)
    assert tested.returncode == 0, tested.stderr
    assert tested.stdout.count("ok: ") == 3
    variant = min(
        (one for one in variants().values() if one.game == game), key=lambda one: one.seats
    )
    folders = [folder]
    for number in range(1, variant.seats):
        folders.append(tmp_path / f"copy-{number}")
        shutil.copytree(folder, folders[-1])
        described = (folder / "bot.toml").read_text().replace("my-own", f"copy-{number}")
        (folders[-1] / "bot.toml").write_text(described)
    run = settings_of(folders, variant.id, rounds=variant.seats)
    assert run.entrants[0].name == "my-own"
    with open_or_create(tmp_path / "spring", run, silent) as store:
        play_missing(store, run, in_processes(1), ignore)
        records = list(store.records())
    assert len(records) == count_games(run)
    assert [fault for record in records for fault in record.faults] == []


HANGS = """
        print("thinking")
        while True:
            pass
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('return "no action"', ["got 'no action', expected one of \\['"]),
        ("raise SystemExit(3)", ["\ncrash: exited with code 3, expected 0\n"]),
        pytest.param(
            HANGS,
            [
                "^FAILED: bot answers every turn with a legal action\n",
                "timeout: no complete answer within 8000 ms\nasked: {",
                "thinking",
                r'File ".*/my-own/bot.py", line \d+ in act',
            ],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["wrong", "crashes", "hangs"],
)
def test_failing_bot_test_says_why(tmp_path: Path, code: str, expected: list[str]) -> None:
    folder = new(tmp_path / "my-own", "python", "pot-de-vin")
    bot = folder / "bot.py"
    bot.write_text(bot.read_text().replace("return self.rng.choice(legal)", code))
    test = [sys.executable, "-P", folder / "test_bot.py"]
    failed = subprocess.run(test, capture_output=True, text=True, timeout=60, check=False)
    assert (failed.returncode, failed.stdout) == (1, "ok: bot sends ready\n")
    assert [part for part in expected if not re.search(part, failed.stderr)] == []
    assert "Traceback" not in failed.stderr


def test_bot_test_finds_the_arena_from_another_python(tmp_path: Path) -> None:
    here = tmp_path / "here"
    folder = new(here / "my-own", "python", "pot-de-vin")
    python = Path(sys.base_prefix, "bin", "python3")
    test = [python, "-P", "-S", folder / "test_bot.py"]
    bare = {"PATH": "/usr/bin:/bin"}

    def call() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            test, cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=60, check=False
        )

    alone = call()
    assert alone.returncode == 1
    assert "start this test with the arena's Python" in alone.stderr
    (here / ".venv" / "bin").mkdir(parents=True)
    for program in ("python", "arena"):  # scripts, so that the true environment is found
        link = here / ".venv" / "bin" / program
        link.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        link.chmod(0o755)
    found = call()
    assert found.returncode == 0, found.stderr
    assert found.stdout.count("ok: ") == 3


def test_names_in_any_script_get_a_safe_id(tmp_path: Path) -> None:
    name, own = "Zoë Müller", "Zoe-Muller"
    made = run_arena("new", name, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    described = tomllib.loads((tmp_path / name / "bot.toml").read_text("utf-8"))
    assert described["name"] == own
    assert f"the bot's name is {own}" in made.stdout
    assert run_arena("init", "handed-in", cwd=tmp_path).returncode == 0
    submitted = run_arena("submit", name, "--to", "handed-in", "--no-check", cwd=tmp_path)
    assert submitted.returncode == 0, submitted.stderr
    assert f"{name} ({safe_id(name)}): accepted as version 1" in submitted.stdout


def test_rejects_invalid_templates_and_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    for arguments, named in (
        (["mine"], "mine already exists"),
        (["greedy"], "greedy is the name of an installed bot"),
        (["no\u202ename"], "printable"),
        (["other", "--game", "tafl"], "unknown game 'tafl'"),
        (["mine/file/bot"], "cannot write"),
    ):
        assert named in refused("new", *arguments)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]
