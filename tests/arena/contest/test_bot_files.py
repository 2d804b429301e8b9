"""Tests of how students pack bots: which files belong to the bot, and notes about the others."""

import os
import stat
import zipfile
from pathlib import Path

import pytest

from arena.base.errors import BotError
from arena.contest.bot_files import COPIED, FoundBot, incoming_bot

TOML = 'name = "x"\ncommand = ["python", "bot.py"]\n'
PROGRAM = "class MyBot: ...\n"


def take(tmp_path: Path, **files: str | bytes) -> FoundBot:
    """Return the bot in a zip of these files. In names, `__` stands for `/`, and the last `_` for
    `.`.
    """
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as packed:
        for name, content in files.items():
            folder, _, last = name.rpartition("__")
            packed.writestr("/".join(filter(None, [folder, last.replace("_", ".")])), content)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return incoming_bot(tmp_path / "bot.zip", "ann", ("sh",), scratch)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_reads_bot_toml_of_any_editor(encoding: str, tmp_path: Path) -> None:
    found = take(tmp_path, bot_py=PROGRAM, bot_toml=TOML.encode(encoding))
    assert found.entrant.command[1:] == ("bot.py",)


def test_rejects_bot_toml_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="is not UTF-8 text: save it with the encoding UTF-8"):
        take(tmp_path, bot_py=PROGRAM, bot_toml=f"# ü\n{TOML}".encode("latin-1"))


def test_takes_the_whole_folder_without_bot_toml(tmp_path: Path) -> None:
    found = take(tmp_path, bot_py=PROGRAM, weights_txt="1", bot_toml_txt=TOML)
    assert (tmp_path / "scratch" / COPIED / "weights.txt").exists()
    assert found.notes == ("ignored bot.toml.txt: rename it to bot.toml if it describes the bot",)
    other = tmp_path / "other"
    other.mkdir()
    changed = take(other, bot_py=PROGRAM, weights_txt="2", bot_toml_txt=TOML)
    assert changed.entrant.fingerprint != found.entrant.fingerprint


def test_finds_bot_one_folder_down_beside_other_files(tmp_path: Path) -> None:
    found = take(tmp_path, mybot__bot_py=PROGRAM, report_pdf="%PDF", notes__a_txt="")
    assert Path(found.entrant.folder).name == "mybot"
    assert found.notes == (
        "skipped notes: the bot is in mybot",
        "skipped report.pdf: the bot is in mybot",
    )


def test_rejects_several_bots(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"several bots .*: expected one, found one, two"):
        take(tmp_path, one__bot_py=PROGRAM, two__bot_py=PROGRAM)


def test_makes_the_named_program_executable(tmp_path: Path) -> None:
    toml = TOML.replace('"python", "bot.py"', '"./run.sh"')
    take(tmp_path, run_sh="#!/bin/sh\n", bot_toml=toml, other_sh="#!/bin/sh\n")
    folder = tmp_path / "scratch" / COPIED
    assert os.access(folder / "run.sh", os.X_OK)
    assert not (folder / "other.sh").stat().st_mode & stat.S_IXUSR


def test_warns_about_modules_that_shadow_the_standard_library(tmp_path: Path) -> None:
    found = take(tmp_path, bot_py=PROGRAM, random_py="", tables_py="")
    assert found.notes == ("random.py shadows Python's module random: rename it",)
