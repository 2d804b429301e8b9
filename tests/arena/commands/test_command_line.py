"""The reference of the command line matches `--help`. This command writes it again:

python -m tests.arena.commands.test_command_line > docs/command-line.md
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.plugins import commands

PAGE = Path(__file__).parents[3] / "docs" / "command-line.md"
HEAD = """# The command line

The output of `arena --help` and of the `--help` of each command. Results go to stdout, everything
else to stderr. The exit code is 0 on success, 1 on an error with one sentence that explains it, and
2 for wrong usage.
"""


def words_of(group: click.Group) -> Iterator[list[str]]:
    """Yield the words of each command of a group, and of those of groups in it."""
    for name in sorted(group.commands):
        yield [name]
        inner = group.commands[name]
        if isinstance(inner, click.Group):
            yield from [[name, *words] for words in words_of(inner)]


def reference() -> str:
    """Return the page, with the help of all commands as it is printed on 80 columns."""
    assert isinstance(main, click.Group)
    parts = [HEAD]
    for words in [[], *words_of(main)]:
        result = CliRunner().invoke(main, [*words, "--help"], prog_name="arena", terminal_width=80)
        assert result.exit_code == 0
        parts.append(f"## arena {' '.join(words)}".rstrip() + f"\n\n```text\n{result.stdout}```\n")
    return "\n".join(parts)


def test_the_reference_is_what_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference()


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


if __name__ == "__main__":
    print(reference(), end="")
