"""What the README and the pages of docs/ show can be done as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

CHECKOUT = Path(__file__).parent.parent
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
TEACHERS = (CHECKOUT / "docs" / "teachers.md").read_text(encoding="utf-8")
PROTOCOL = (CHECKOUT / "docs" / "protocol.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def arena(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_there_are_exactly_two_set_up_commands() -> None:
    set_up = [block for block in blocks(README, "sh") if "pip install" in block]
    assert [block.splitlines()[0].split()[-1] for block in set_up] == ["pot-de-vin", "-q"]
    assert all(len(block.splitlines()) == 1 for block in set_up)


def test_the_first_bot_plays_as_the_readme_says(tmp_path: Path) -> None:
    (commands,) = [block for block in blocks(README, "sh") if "first-try" in block]
    made, tested, checked, tried, played = [line.split()[1:] for line in commands.splitlines()]
    assert arena(tmp_path, *made).returncode == 0
    (bot,) = blocks(README, "python")
    (tmp_path / "my-bot" / "bot.py").write_text(bot, encoding="utf-8")
    test = [sys.executable, *tested]
    assert subprocess.run(test, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    fit = arena(tmp_path, *checked)
    assert fit.returncode == 0, fit.stdout
    assert arena(tmp_path, *tried).returncode == 0
    played[played.index("--rounds") + 1] = "4"  # two blocks: whoever has a bye plays then
    game = played.index("--game")
    played[game : game + 2] = ["--variant", "pot-de-vin/3"]
    result = arena(tmp_path, *played)
    assert result.returncode == 0, result.stderr
    assert "my-bot" in result.stdout
    assert (tmp_path / "results" / "first-try" / "leaderboard.csv").is_file()


def test_the_ten_line_bot_of_the_protocol_page_plays_without_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "ten"
    folder.mkdir()
    (bot,) = blocks(PROTOCOL, "python")
    (toml,) = blocks(PROTOCOL, "toml")
    (folder / "ten_lines.py").write_text(bot, encoding="utf-8")
    (folder / "bot.toml").write_text(toml, encoding="utf-8")
    played = arena(
        tmp_path, "run", "--rounds", "4", "--variant", "pot-de-vin/3", "--name", "x",
        "--bot", "ten", "--bot", "quick",
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    rows = (tmp_path / "results" / "x" / "leaderboard.csv").read_text().splitlines()
    (row,) = [row for row in rows if ",ten-lines," in row]
    assert row.endswith(",0,False"), "no faults"


def test_a_contest_can_be_run_as_the_teachers_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    install, *others = blocks(TEACHERS, "sh")
    assert "pip install" in install
    commands = [line for block in others for line in block.splitlines()]
    assert len(commands) >= 9
    for command in commands:
        program, *arguments = command.replace("--rounds 120", "--rounds 6").split()
        assert program == "arena"
        result = CliRunner().invoke(main, arguments, prog_name="arena")
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        if arguments[0] == "init":
            shorten(tmp_path / "spring" / "contest.toml")
    assert (tmp_path / "spring" / "submissions" / "ann" / "1" / "bot.toml").is_file()
    board = (tmp_path / "spring" / "results" / "spring" / "leaderboard.csv").read_text()
    assert ",ann," in board


def shorten(contest: Path) -> None:
    """Make a contest play one variant, for some rounds, and let no bot be late."""
    text = contest.read_text(encoding="utf-8")
    for old, new in (
        ('games = ["pot-de-vin"]', 'variants = ["pot-de-vin/3"]'),
        ("rounds = 60", "rounds = 3"),
        ("# move_ms = 2000", "move_ms = 120000"),
        ("# start_ms = 10000", "start_ms = 120000"),
        ('# level = "auto"', 'level = "none"'),
    ):
        assert old in text
        text = text.replace(old, new)
    contest.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")]))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
