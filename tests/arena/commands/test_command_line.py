"""Commands are listed and helped without importing what they need."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arena.cli import main
from arena.plugins import commands
from tests.arena.command import printed, refused


@pytest.mark.parametrize("name", commands())
def test_the_list_of_commands_says_what_the_help_of_each_says_first(name: str) -> None:
    assert isinstance(main, click.Group)
    assert commands()[name].summary == " ".join(
        (main.commands[name].help or "").split("\n\n")[0].split()
    )


def test_arena_alone_shows_the_first_steps_which_come_first_in_the_help() -> None:
    steps = re.findall(r"^  arena (\S+) ", printed(), re.MULTILINE)
    listed = re.findall(r"^  (\S+)  ", printed("--help").partition("First steps:")[2], re.MULTILINE)
    assert steps == listed[:5] == ["play", "new", "check", "try", "run"]


def test_the_help_of_run_begins_with_the_options_that_are_used_most() -> None:
    headings = re.findall(r"^([A-Z][\w ]+):$", printed("run", "--help"), re.MULTILINE)
    assert headings[0] == "Most used"
    assert {"Run", "Entrants", "Limits", "Sandbox", "Machine"} <= {*headings}


def test_tables_in_a_pipe_have_no_blanks_at_the_ends_of_lines() -> None:
    assert not re.search(r" $", printed("games"), re.MULTILINE)


def test_a_bot_is_not_called_like_an_installed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "greedy is the name of an installed bot" in refused("new", "greedy")
    assert not any(tmp_path.iterdir())


def test_the_list_of_commands_imports_none_of_them() -> None:
    program = "import sys; from arena.cli import main; main(['--help'], standalone_mode=False)"
    shown = f"{program}; print([one for one in sys.modules if one.startswith('arena.commands.')])"
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "['arena.commands.plugin']"


def test_a_run_imports_what_plays_it_while_its_workers_start() -> None:
    program = "import sys, arena.commands.run; from arena.plugins import get_executor; "
    shown = f"{program}get_executor('local'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    later = {"arena.commands.playing", "arena.match.driver", "importlib.metadata", "zipfile"}
    assert not later & set(done.stdout.decode().split())
