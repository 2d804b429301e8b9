"""What the README and the pages in `docs` show can be done as it stands there.

The shell blocks of a page are run one after the other in a folder of their own, as somebody does
who types what the page says. Only what takes long is shorter, and clocks are more patient.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli import main
from tests.arena.runs import PATIENT_OPTIONS

CHECKOUT = Path(__file__).parent.parent
PAGES = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")])
RULES = CHECKOUT / "docs" / "rules"
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PROTOCOL = (CHECKOUT / "docs" / "protocol.md").read_text(encoding="utf-8")
PLUGIN_PAGES = ("plugins.md", "plugin-bots.md", "new-game.md")
"""They install a package, which is done in an environment of its own."""
NOT_TYPED = {"bench", "replay-fault"}
"""One takes minutes, one begins with what a faulty bot leaves, which the pages have not."""
FIRST_VARIANT = {"pot-de-vin": "pot-de-vin/3", "bribery": "bribery/2", "hush-money": "hush-money/2"}
SHORT = ("--rounds", "4")
"""In four rounds of every variant whoever has a bye in the first block plays in the second."""


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def session(page: Path) -> list[tuple[str, str]]:
    """Return what a page lets its reader do: what to type, or under which name to save what.

    The set-up is not among it: CI runs that as it stands.
    """
    steps = re.findall(
        r"^(?:<!-- save as ([\w./-]+) -->\n```\w+|```sh)\n(.*?)^```$",
        page.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    return [(name, text) for name, text in steps if "venv/bin/pip install" not in text]


PAGES_WITH_A_SESSION = [page for page in PAGES if session(page)]


# -- commands ------------------------------------------------------------------------------------


def shorter(line: str) -> str:
    """Return a line of a session that takes less time, with the patience of a busy machine."""
    line = re.sub(r"--games \d+", "--games 2", line)
    if line.startswith("arena play"):
        return f"{line} --sandbox none"
    if not re.match(r"arena (check|run)\b", line):
        return line
    game = re.search(r"--game (\S+)", line)
    one_variant = ["--variant", FIRST_VARIANT[game[1] if game else "pot-de-vin"]]
    line = re.sub(r"--(game|rounds) \S+", "", line)
    line = line.replace("--bot quick", "--bot greedy --bot random")
    if line.startswith("arena check"):
        return f"{line} {shlex.join(one_variant)}"
    return f"{line} {shlex.join([*one_variant, *SHORT, *PATIENT_OPTIONS])}"


def put_on_path(folder: Path, python: Path) -> None:
    """Make `arena`, `python` and `pip` in a folder of programs."""
    folder.mkdir()
    starts = {
        "arena": "-P -c \"from arena.cli import main; main(prog_name='arena')\"",
        "python": "",
        "pip": "-m pip --disable-pip-version-check",
    }
    for name, arguments in starts.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{python}" {arguments} "$@"\n')
        program.chmod(0o755)


@pytest.fixture(scope="module")
def python_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment, in which the arena is installed and nothing is fetched."""
    environment = tmp_path_factory.mktemp("plugin") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "here.pth").write_text(f"{sysconfig.get_path('purelib')}\n{CHECKOUT}")
    return environment / "bin" / "python"


@pytest.mark.parametrize("page", PAGES_WITH_A_SESSION, ids=lambda page: page.stem)
def test_what_a_page_says_can_be_typed(page: Path, tmp_path: Path, python_of_its_own: Path) -> None:
    is_about_plugins = page.name in PLUGIN_PAGES
    put_on_path(tmp_path / "bin", python_of_its_own if is_about_plugins else Path(sys.executable))
    here = tmp_path / "here"
    here.mkdir()
    if is_about_plugins:
        copy_plugin_package(here / "plugin_package")
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it so: no isolation
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    for name, block in session(page):
        if name:
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_text(block, encoding="utf-8")
            continue
        script = "\n".join(map(shorter, block.replace("\\\n", " ").splitlines()))
        done = subprocess.run(
            ["bash", "-eu", "-c", script],
            cwd=here,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr


def copy_plugin_package(target: Path) -> None:
    """Copy the example without what building it has left there."""
    source = CHECKOUT / "tests" / "plugin_package"
    for file in source.rglob("*"):
        if file.suffix in (".py", ".toml") and "build" not in file.parts:
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())


def mentions() -> Iterator[tuple[str, str]]:
    """Yield each command that a page mentions in a sentence or a table, with the page's name."""
    for page in PAGES:
        for code in re.findall(r"`(arena [^`]+)`", page.read_text(encoding="utf-8")):
            yield page.name, " ".join(code.replace("\\|", "|").split())


@pytest.mark.parametrize(("page", "code"), sorted(set(mentions())))
def test_commands_that_are_mentioned_exist_with_their_options(page: str, code: str) -> None:
    _, name, *words = code.split()
    assert isinstance(main, click.Group)
    if name.startswith("-"):
        assert name in ("--help", "--version")
        return
    assert name in main.commands, f"{page} mentions `{code}`"
    known = {option for one in main.commands[name].params for option in one.opts} | {"--help"}
    for word in words:
        if word.startswith("--"):
            assert word.split("=")[0].strip("[]") in known, f"{page} mentions `{code}`"


def test_every_command_is_run_by_a_page() -> None:
    typed = "\n".join(block for page in PAGES for name, block in session(page) if not name)
    run = set(re.findall(r"^arena ([a-z-]+)", typed, flags=re.MULTILINE))
    assert isinstance(main, click.Group)
    assert run == main.commands.keys() - NOT_TYPED


# -- the README ----------------------------------------------------------------------------------


def test_there_are_exactly_two_set_up_commands() -> None:
    set_up = [block for block in blocks(README, "sh") if "pip install" in block]
    assert [block.splitlines()[0].split()[-1] for block in set_up] == ["pot-de-vin", "-q"]
    assert all(len(block.splitlines()) == 1 for block in set_up)


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


def plays_without_a_fault(folder: Path, bot: str, name: str) -> bool:
    """Let a bot play a few games with the bundled ones, and return whether nothing was wrong."""
    played = arena(
        folder, "run", *SHORT, "--variant", "pot-de-vin/3", "--name", "x",
        "--bot", bot, "--bot", "quick", *PATIENT_OPTIONS,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    rows = (folder / "results" / "x" / "leaderboard.csv").read_text().splitlines()
    (row,) = [row for row in rows if row.startswith("overall,") and f",{name}," in row] or [
        row for row in rows if f",{name}," in row
    ]
    return row.endswith(",0,False")


def test_the_bot_of_the_readme_plays_without_a_fault(tmp_path: Path) -> None:
    (bot,) = blocks(README, "python")
    (tmp_path / "my-bot.py").write_text(bot, encoding="utf-8")
    assert plays_without_a_fault(tmp_path, "my-bot.py", "my-bot")


def test_the_ten_line_bot_of_the_protocol_page_plays_without_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "ten"
    folder.mkdir()
    (bot,) = blocks(PROTOCOL, "python")
    (toml,) = blocks(PROTOCOL, "toml")
    (folder / "ten_lines.py").write_text(bot, encoding="utf-8")
    (folder / "bot.toml").write_text(toml, encoding="utf-8")
    assert plays_without_a_fault(tmp_path, "ten", "ten-lines")


# -- excerpts and links --------------------------------------------------------------------------


def excerpts() -> Iterator[tuple[str, str]]:
    """Yield each block that a page says is of a file, with that file."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        yield from re.findall(
            r"^<!-- ([\w./-]+) -->\n```\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL
        )


@pytest.mark.parametrize(("file", "excerpt"), list(excerpts()))
def test_an_excerpt_is_what_the_file_says(file: str, excerpt: str) -> None:
    assert excerpt in (CHECKOUT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
