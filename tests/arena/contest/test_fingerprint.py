"""Tests that fingerprints change with a bot's code, and with nothing else."""

import os
import sys
from pathlib import Path

import pytest

from arena.base.record import Entrant
from arena.contest.entrants import find_entrants
from arena.contest.fingerprint import fingerprint
from arena.plugins import RegisteredBot
from tests.arena.contest.bot_folders import find, write_bot
from tests.arena.contest.submitted import PLAIN
from tests.arena.playing import Bots, plug_in

TOML = 'name = "mine"\ncommand = ["python", "x.py"]\n'


def test_fingerprint_changes_with_every_byte_of_code(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "mine", TOML, x="1\n")
    seen = [find(folder).fingerprint]

    def assert_changed() -> None:
        seen.append(find(folder).fingerprint)
        assert len(set(seen)) == len(seen)

    (folder / "x.py").write_text("2\n")
    assert_changed()
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").write_bytes(b"")
    assert_changed()
    (folder / "data" / "weights.bin").write_bytes(b"\0")
    assert_changed()
    (folder / "data" / "weights.bin").rename(folder / "weights.bin")
    assert_changed()
    (folder / "bot.toml").write_text(TOML.replace('"x.py"', '"x.py", "-v"'))
    assert_changed()


def test_fingerprint_ignores_other_files(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "mine", TOML, x="1\n")
    before = find(folder)
    for name in ("__pycache__", ".git", "empty"):
        (folder / name).mkdir()
    (folder / "__pycache__" / "x.cpython-311.pyc").write_bytes(b"x")
    (folder / ".git" / "HEAD").write_text("x")
    for name in (".DS_Store", "games.log"):
        (folder / name).write_text("x")
    os.utime(folder / "x.py", (1, 1))
    assert find(folder) == before


def test_fingerprint_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    here = write_bot(tmp_path / "here", TOML, x="1\n", y="2\n")
    there = write_bot(tmp_path / "there", TOML, y="2\n", x="1\n")
    assert find(here).fingerprint == find(there).fingerprint
    (tmp_path / "here" / "bot.py").write_text(PLAIN)
    (tmp_path / "there" / "bot.py").write_text(PLAIN)
    one, two = find(here / "bot.py"), find(there / "bot.py")
    assert one.fingerprint == two.fingerprint


def test_fingerprint_delimits_fields(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("hello")
    (tmp_path / "hello").write_text("")
    a, hello = tmp_path / "a", tmp_path / "hello"
    python = sys.executable
    programs: list[tuple[tuple[str, ...], list[Path]]] = [
        (("python", "x.py"), [a]),
        ((python, "x.py"), [a]),
        ((python, "x.py", "a", "5"), []),
        ((python, "x.py", "a"), []),
        ((python, "x.pya"), []),
        ((python, "x.py", "a", "5", "hello"), []),
        ((python, "x.py"), [a, hello]),
        ((python, "x.py", f"{tmp_path}/a"), []),
        ((python, "x.py", "./a"), []),
        ((python, "x.py", ".", "a"), []),
    ]
    prints = [fingerprint(command, files, tmp_path) for command, files in programs]
    assert len(set(prints)) == len(prints)


def test_fingerprint_of_registered_bot_covers_its_code(tmp_path: Path) -> None:
    for name in ("mine", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(PLAIN)
    (tmp_path / "shared.py").write_text("1\n")
    whole = RegisteredBot("whole", ("bot",), str(tmp_path), "")
    mine = RegisteredBot("mine", ("bot",), str(tmp_path), "", code=("shared.py", "mine"))

    def found() -> list[Entrant]:
        with plug_in(Bots(whole, mine)):
            return find_entrants(["whole", "mine"])

    before = found()
    assert [entrant.files for entrant in before] == [(), ("shared.py", "mine")]

    def changed() -> list[bool]:
        pairs = zip(before, found(), strict=True)
        return [old.fingerprint != new.fingerprint for old, new in pairs]

    (tmp_path / "theirs" / "bot.py").write_text("2\n")
    assert changed() == [True, False]
    (tmp_path / "mine" / "bot.py").write_text("2\n")
    assert changed() == [True, True]
    (tmp_path / "mine" / "bot.py").write_text(PLAIN)
    assert changed() == [True, False]
    (tmp_path / "shared.py").write_text("2\n")
    assert changed() == [True, True]


def test_fingerprint_of_file_covers_imported_modules(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text("import tactics\n" + PLAIN)
    (tmp_path / "tactics.py").write_text("from book.openings import FIRST\n")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "openings.py").write_text("FIRST = 1\n")
    before = find(tmp_path / "a.py").fingerprint
    (tmp_path / "book" / "openings.py").write_text("FIRST = 2\n")
    assert find(tmp_path / "a.py").fingerprint != before


def test_fingerprint_does_not_depend_on_the_path_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(PLAIN)
    found = find(tmp_path / "a.py")
    monkeypatch.setattr(sys, "executable", "/elsewhere/python3")
    elsewhere = (sys.executable, *found.command[1:])
    assert elsewhere != found.command
    again = fingerprint(elsewhere, [tmp_path / "a.py"], tmp_path)
    assert again == found.fingerprint
