"""The reference of the command line matches `--help`. This command writes it again:

python -m tests.arena.commands.test_command_line > docs/command-line.md
"""

from pathlib import Path

import click
from click.testing import CliRunner

from arena.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "command-line.md"
HEAD = """# The command line

The output of `arena --help` and of the `--help` of each command. Results go to stdout, everything
else to stderr. The exit code is 0 on success, 1 on an error with one sentence that explains it, and
2 for wrong usage.
"""


def reference() -> str:
    """Return the page, with the help of all commands as it is printed on 80 columns."""
    assert isinstance(main, click.Group)
    parts = [HEAD]
    for words in [[], *([name] for name in sorted(main.commands))]:
        result = CliRunner().invoke(main, [*words, "--help"], prog_name="arena", terminal_width=80)
        assert result.exit_code == 0
        parts.append(f"## arena {' '.join(words)}".rstrip() + f"\n\n```text\n{result.stdout}```\n")
    return "\n".join(parts)


def test_the_reference_is_what_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference()


if __name__ == "__main__":
    print(reference(), end="")
