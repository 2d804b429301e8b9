"""Commands are listed and helped without importing what they need."""

import subprocess
import sys

import click
import pytest

from arena.cli import main
from arena.plugins import commands


@pytest.mark.parametrize("name", commands())
def test_the_list_of_commands_says_what_the_help_of_each_says_first(name: str) -> None:
    assert isinstance(main, click.Group)
    assert commands()[name].summary == " ".join(
        (main.commands[name].help or "").split("\n\n")[0].split()
    )


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
