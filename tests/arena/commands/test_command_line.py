"""Commands are listed and helped without importing what they need."""

import re
import subprocess
import sys
from typing import Any

import pytest

from arena.cli import main
from arena.plugins import commands
from tests.arena.command import printed


@pytest.mark.parametrize("name", commands())
def test_the_list_of_commands_says_what_the_help_of_each_says_first(name: str) -> None:
    command: Any = main
    for word in name.split():
        command = command.commands[word]
    assert commands()[name].summary == " ".join(command.help.split("\n\n")[0].split())


def test_arena_alone_shows_the_first_steps_which_come_first_in_the_help() -> None:
    steps = re.findall(r"^  arena (\S+) ", printed(), re.MULTILINE)
    listed = re.findall(r"^  (\S+)  ", printed("--help").partition("First steps:")[2], re.MULTILINE)
    assert steps == listed[:5] == ["play", "new", "check", "try", "run"]


def test_the_help_of_run_is_a_screen() -> None:
    assert len(printed("run", "--help").splitlines()) <= 36


def test_tables_in_a_pipe_have_no_blanks_at_the_ends_of_lines() -> None:
    assert not re.search(r" $", printed("games"), re.MULTILINE)


def test_the_list_of_commands_imports_none_of_them() -> None:
    program = "import sys; from arena.cli import main; main(['--help'], standalone_mode=False)"
    shown = f"{program}; print([one for one in sys.modules if one.startswith(LATER)])".replace(
        "LATER", "('arena.commands.', 'jinja2', 'numpy')"
    )
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "['arena.commands.plugin']"


def test_a_run_imports_what_plays_it_while_its_workers_start() -> None:
    program = "import sys, arena.commands.run; from arena.plugins import get_executor; "
    shown = f"{program}get_executor('local'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", shown], capture_output=True, check=True)
    later = {"arena.commands.playing", "arena.match.driver", "importlib.metadata", "zipfile"}
    assert not later & set(done.stdout.decode().split())
