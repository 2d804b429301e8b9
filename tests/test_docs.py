"""What a reader of the README and of `docs` types, typed in an empty folder.

The shell blocks of a page are run one after the other. Runs are shorter, and deadlines are longer.
Only the pages and the example of a plugin are read from the checkout; everything else is as
installed, so that CI can test a wheel with this module.
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
from tests.arena.command import done, printed
from tests.arena.runs import RUN_OPTIONS

CHECKOUT = Path(__file__).parent.parent
PAGES = sorted(
    [*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md"), *CHECKOUT.glob("engine/*/rules.md")]
)
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PLUGIN_PAGES = ("plugins.md", "new-game.md")
"""They install a package, which is done in an environment of its own."""
NOT_TYPED = {"serve"}
"""It does not end."""
FIRST_VARIANT = {
    "pot-de-vin": "pot-de-vin/3",
    "bribery": "bribery/2",
    "hush-money": "hush-money/2",
    "connect_four": "connect_four/2",
}
UNDECIDED = 4
"""The exit code of a comparison whose budget was not enough, as a short one's is not."""
SHORT = ("--rounds", "4")
"""Rounds after which every bot has played, also one with a bye at first."""


def name_of(page: Path) -> str:
    """Return the path of a page in the checkout."""
    return str(page.relative_to(CHECKOUT))


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def session(page: Path) -> list[tuple[str, str]]:
    """Return the steps of a page: a file name with its content, or "" with what to type.

    Commands that install the arena are left out, since CI runs them.
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
    """Return a line of a session with fewer games, and with the deadlines of a busy machine."""
    line = re.sub(r"--games \d+", "--games 2", line)
    if line.startswith("arena play"):
        return f"{line} --sandbox none"
    if re.match(r"arena compare \S+ \S+( -|$)", line):  # of two versions
        return f"{line} --budget 2 {shlex.join(RUN_OPTIONS)} || test $? = {UNDECIDED}"
    if not re.match(r"arena (check|run)( |$)", line):
        return line
    game = re.search(r"--game (\S+)", line)
    one_variant = ["--variant", FIRST_VARIANT[game[1] if game else "pot-de-vin"]]
    line = re.sub(r"--(game|rounds) \S+", "", line)
    line = line.replace("--bot quick", "--bot greedy --bot random")
    if line.startswith("arena check"):
        return f"{line} {shlex.join(one_variant)}"
    return f"{line} {shlex.join([*one_variant, *SHORT, *RUN_OPTIONS])}"


def put_on_path(folder: Path) -> None:
    """Put `arena` on a path as pipx does: as a link, beside a `python` without the arena."""
    folder.mkdir()
    (folder / "arena").symlink_to(Path(sys.executable).with_name("arena"))
    (folder / "python").symlink_to(Path(sys.base_prefix, "bin", "python3"))


def make_environment(folder: Path) -> None:
    """Make an environment with the arena, into which plugins can be installed offline."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "here.pth").write_text(f"{sysconfig.get_path('purelib')}\n{CHECKOUT}")
    python = folder / "bin" / "python"
    starts = {
        "arena": "-P -c \"from arena.cli import main; main(prog_name='arena')\"",
        "pip": "-m pip --disable-pip-version-check",
    }
    for name, arguments in starts.items():
        program = folder / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{python}" {arguments} "$@"\n')
        program.chmod(0o755)


@pytest.mark.slow  # CI has it for each page with an installed wheel, and types the README as it is
@pytest.mark.parametrize("page", PAGES_WITH_A_SESSION, ids=name_of)
def test_shell_blocks_of_a_page_run(page: Path, tmp_path: Path) -> None:
    if page.name == "openspiel.md":
        pytest.importorskip("pyspiel", reason="need the extra openspiel")
    here = tmp_path / "here"
    here.mkdir()
    if page.name in PLUGIN_PAGES:
        make_environment(tmp_path)
        copy_plugin_package(here / "plugin_package")
    else:
        put_on_path(tmp_path / "bin")
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
    """Copy the example of a plugin, without the files of earlier builds."""
    source = CHECKOUT / "tests" / "plugin_package"
    for file in source.rglob("*"):
        if file.suffix in (".py", ".toml") and "build" not in file.parts:
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())


def mentions() -> Iterator[tuple[str, str]]:
    """Yield the name of a page and a command that it mentions in a sentence or table.

    The changelog mentions those that are gone.
    """
    for page in [page for page in PAGES if page.name != "CHANGELOG.md"]:
        for code in re.findall(r"`(arena [^`]+)`", page.read_text(encoding="utf-8")):
            yield name_of(page), " ".join(code.replace("\\|", "|").split())


def test_mentioned_commands_and_options_exist() -> None:
    assert isinstance(main, click.Group)
    for page, code in mentions():
        _, name, *words = code.split()
        if name.startswith("-"):
            assert name in ("--help", "--version")
            continue
        assert name in main.commands, f"{page} mentions `{code}`"
        command = main.commands[name]
        if isinstance(command, click.Group) and words:
            command = command.commands[words[0]]
        known = {option for one in command.params for option in one.opts} | {"--help"}
        for word in words:
            if word.startswith("--"):
                assert word.split("=")[0].strip("[]") in known, f"{page} mentions `{code}`"


def test_every_command_is_run_by_a_page() -> None:
    typed = "\n".join(block for page in PAGES for name, block in session(page) if not name)
    run = set(re.findall(r"^arena ([a-z-]+)", typed, flags=re.MULTILINE))
    assert isinstance(main, click.Group)
    assert run == main.commands.keys() - NOT_TYPED


# -- the README ----------------------------------------------------------------------------------


def test_bot_of_the_readme_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (bot,) = blocks(README, "python")
    Path("my-bot.py").write_text(bot, encoding="utf-8")
    bots = ("--bot", "my-bot.py", "--bot", "greedy", "--bot", "random")
    done("run", *SHORT, "--variant", "pot-de-vin/3", "--name", "x", *bots, *RUN_OPTIONS)
    assert printed("logs", "x", "--bot", "my-bot").startswith("my-bot had no faults\n")
