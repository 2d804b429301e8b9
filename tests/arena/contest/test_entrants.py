"""Tests that bots are found by name, file or folder."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.base.errors import BotError
from arena.base.protocol import Limits
from arena.base.record import Entrant
from arena.bot import Bot
from arena.contest.entrants import find_entrants, introduce
from arena.contest.settings import QUICK, checked_bot_name
from arena.match.settings import MatchSettings
from arena.plugins import RegisteredBot, bots, hookimpl
from arena.publish.pages import description_of
from tests.arena.contest.bot_folders import find, write_bot
from tests.arena.contest.submitted import PLAIN
from tests.arena.playing import (
    BOTS,
    NEEDS_PROC,
    PATIENT,
    Bots,
    by_name,
    children,
    code,
    descriptors,
    first,
    make_game,
    play_games,
    plug_in,
    program,
)

# -- names and paths ---------------------------------------------------------------------------


def test_fingerprint_ignores_compiled_modules(tmp_path: Path) -> None:
    class Plugin:
        @hookimpl
        def register_bots(self) -> list[RegisteredBot]:
            command = (sys.executable, "-m", "mine")
            return [RegisteredBot("mine", command, str(tmp_path), "a bot")]

    (tmp_path / "mine.py").write_text(PLAIN)
    with plug_in(Plugin()):
        plain = find("mine").fingerprint
        for suffix in (".cpython-311-x86_64-linux-gnu.so", ".cp311-win_amd64.pyd"):
            (tmp_path / f"mine{suffix}").write_bytes(b"compiled from mine.py")
        assert find("mine").fingerprint == plain
        (tmp_path / "other.so").write_bytes(b"without a source")
        assert find("mine").fingerprint != plain


def test_file_is_a_bot_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(PLAIN)
    entrant = find(tmp_path / "my_bot.py")
    assert entrant.name == "my_bot"
    assert entrant.folder == str(tmp_path)
    assert entrant.command == (sys.executable, "-P", "-m", "arena.bot", "my_bot.py")


def test_paths_are_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    toml = 'name = "mine"\ncommand = ["python", "x.py"]\nwaits = true\n'
    write_bot(tmp_path / "mine", toml, x=PLAIN)
    (tmp_path / "other.py").write_text(PLAIN)
    assert find("mine").folder == str(tmp_path / "mine")
    assert find("./mine/").folder == str(tmp_path / "mine")
    assert find("other.py").folder == str(tmp_path)
    assert (find("mine").waits, find("other.py").waits) == (True, False)


def test_description_comes_from_bot_toml(tmp_path: Path) -> None:
    toml = 'name = "mine"\ncommand = ["python", "x.py"]\ndescription = "{}"\n'
    place = write_bot(tmp_path / "mine", toml.format("bribes\\n  everybody"), x=PLAIN)
    assert description_of(find(str(place))) == "bribes everybody"
    write_bot(place, toml.format("x" * 201), x=PLAIN)
    with pytest.raises(BotError, match="200"):
        find(str(place))
    assert description_of(find("greedy")) == bots()["greedy"].summary


@pytest.mark.parametrize("kind", ["file", "folder with a program"])
@pytest.mark.usefixtures("toys")
def test_found_bots_play(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.py"
    if kind == "file":
        path.write_text(PLAIN)
    else:
        path = write_bot(tmp_path / "mine", 'name = "mine"\ncommand = ["./start"]\n')
        text = (BOTS / "ten_lines" / "ten_lines.py").read_text()
        (path / "start").write_text(f"#!{sys.executable}\n{text}")
        (path / "start").chmod(0o755)
    entrant = find(path)
    assert entrant.name == "mine"
    games = [make_game("high-card/2", 1, ("mine", "first"))]
    (record,) = play_games(games, by_name(entrant, first()), MatchSettings(PATIENT))
    assert record.faults == ()


def test_quick_selects_all_quick_registered_bots() -> None:
    made = [
        RegisteredBot(name, ("python",), str(BOTS / "ten_lines"), "", quick)
        for name, quick in (("one", True), ("slow", False), ("two", True))
    ]
    bundled = [bot.name for bot in bots().values() if bot.quick]
    with plug_in(Bots(*made)):
        assert names(QUICK) == [*bundled, "one", "two"]
        assert names("slow", QUICK, "two") == ["slow", *bundled, "one", "two"]


def names(*wanted: str) -> list[str]:
    return [entrant.name for entrant in find_entrants(wanted)]


def test_enters_a_bot_once() -> None:
    path = str(BOTS / "ten_lines")
    names = ["random", path, "random", f"{path}{os.sep}"]
    assert [entrant.name for entrant in find_entrants(names)] == ["random", "ten-lines"]


def test_rejects_two_bots_with_the_same_name(tmp_path: Path) -> None:
    toml = 'name = "twin"\ncommand = ["python", "x.py"]\n'
    folders = [str(write_bot(tmp_path / name, toml, x=PLAIN)) for name in ("a", "b")]
    with pytest.raises(BotError, match="'twin'"):
        find_entrants(folders)
    (tmp_path / "random.py").write_text(PLAIN)
    with pytest.raises(BotError, match="'random'"):
        find_entrants(["random", str(tmp_path / "random.py")])


# -- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("toml", "parts"),
    [
        (None, ["bot.toml", ".py"]),
        ('command = ["python"]\n', ["bot.toml", "`name`"]),
        ('name = "mine"\ncommand = []\n', ["bot.toml", "`command`"]),
        ('name = "mine"\ncommand = "python x.py"\n', ["bot.toml", "$.command"]),
        ('name = "mine"\ncommand = ["python"]\nlang = "py"\n', ["bot.toml", "`lang`"]),
    ],
)
def test_rejects_folder_with_invalid_bot_toml(
    tmp_path: Path, toml: str | None, parts: Iterable[str]
) -> None:
    folder = write_bot(tmp_path / "mine", toml)
    with pytest.raises(BotError) as caught:
        find_entrants([str(folder)])
    for part in parts:
        assert part in str(caught.value)


def test_checks_characters_of_bot_names(tmp_path: Path) -> None:
    for name in ("a", "A-1", "0", "_x.y+z", "x" * 40, "é", "李雷", "हिन्दी"):
        assert checked_bot_name(name) == name
    for name in (".x", "-x", "+x", "a b", "a/b", "e\u0301", "x" * 41, "a\n", "<b>", "a\u202eb"):
        with pytest.raises(BotError, match="1 to 40 letters"):
            checked_bot_name(name)
    for name in ("a b", "<b>"):
        folder = write_bot(tmp_path / "mine", f"name = {name!r}\ncommand = ['python']\n")
        with pytest.raises(BotError, match="1 to 40 letters"):
            find_entrants([str(folder)])


def test_file_in_another_language_needs_bot_toml(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text("")
    with pytest.raises(BotError, match=r"bot\.toml.*`name`.*`command`"):
        find_entrants([str(tmp_path / "bot.js")])


# -- introduced --------------------------------------------------------------------------------


def test_introduces_entrants_with_author_and_games(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    about = '    author = "  Anna\\n Example " + "x" * 100\n    games = ["pot-de-vin"]\n'
    text = PLAIN.replace("MyBot:\n", "MyBot:\n" + about)
    path.write_text(text)
    mine, other = introduce([find(path), first()], PATIENT)
    assert mine.author == "Anna Example " + "x" * 67
    assert mine.games == ("pot-de-vin",)
    assert mine.plays("pot-de-vin")
    assert not mine.plays("bribery")
    assert (mine.fingerprint, mine.command) == (find(path).fingerprint, find(path).command)
    assert other == first()
    assert other.plays("bribery")
    assert Bot.author == ""


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (program("bad", "crashes_at_once"), "code 1.*no licence found"),
        (program("bad", "greets"), "'Welcome to my bot!'"),
        (program("bad", "speaks_version_2"), "version 2 .*1"),
        (Entrant("bad", ("true",), "no/such/folder", ""), "`true`: No such file"),
        (code("bad", "class MyBot: ..."), "code 0"),
    ],
    ids=["crashes", "a banner", "another version", "no folder", "does nothing"],
)
def test_error_of_failing_bot_contains_reason_and_command(bad: Entrant, reason: str) -> None:
    with pytest.raises(BotError, match=f"(?s)^bot 'bad' .*{reason}") as caught:
        introduce([first(), bad], PATIENT)
    assert f"`{' '.join(bad.command)}` in {bad.folder}, " in str(caught.value)


def test_rejects_bot_that_is_never_ready() -> None:
    with pytest.raises(BotError, match=r"'is_never_ready'.* 50 ms"):
        introduce([program("is_never_ready")], Limits(start_ms=50))


@NEEDS_PROC
def test_introducing_bots_leaves_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = descriptors()
    introduce([first("a"), first("b")], PATIENT)
    with pytest.raises(BotError):
        introduce([first("a"), program("bad", "crashes_at_once")], PATIENT)
    assert not children()
    assert descriptors() == before
