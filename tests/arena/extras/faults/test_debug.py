"""`arena debug` plays new and recorded games with a bot that a debugger can stop."""

import os
import re
import sys
from pathlib import Path

import msgspec
import pytest

from arena import __version__
from arena.base.atomic_file import MAX_BYTES
from arena.base.errors import FaultFileError
from arena.base.protocol import Limits
from arena.base.record import Entrant
from arena.check.fault_file import FORMAT, FaultFile, game_until_fault, save_fault
from arena.extras.faults.debug_command import read_fault
from arena.match.driver import watch_games
from arena.match.settings import MatchSettings
from tests.arena.command import arena
from tests.arena.playing import PATIENT, by_name, first, make_game, program
from tests.arena.runs import (
    ARENA,
    DICE_BOT,
    RUN_OPTIONS,
    bot_options,
    make_bot,
    make_bots,
    run_arena,
)
from tests.arena.terminal_talk import typed_in_terminal

OPTIONS = ("--variant", "bribery/2", "--sandbox", "none")
SDK_BOT = """\
from arena.bot import Bot, run


class MyBot(Bot):
    def act(self, view, legal):
        print("my thoughts")
        return legal[0]


run(MyBot)
"""
replace = msgspec.structs.replace


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(SDK_BOT)
    return file


# -- a new game --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [SDK_BOT, SDK_BOT.replace("(Bot)", "").replace("run(MyBot)", "")])
def test_shows_each_decision_and_the_end(bot: Path, code: str) -> None:
    bot.write_text(code)
    played = arena("debug", bot, *OPTIONS, "--seat", "1", "--against", "fixer")
    assert (played.exit_code, played.stderr) == (0, "")
    moves = re.findall(r"\nlegal actions: (.*?),.*\nmy thoughts\nanswer: (.*)\n", played.stdout)
    assert len(moves) > 5
    assert all(legal == answer for legal, answer in moves)
    assert re.search(r"^round 1 begins, led by ", played.stdout, re.MULTILINE)
    assert re.search(r"^[12]\. mine, seat 1: ", played.stdout, re.MULTILINE)
    assert "got --seat 2, expected 0 to 1" in arena("debug", bot, *OPTIONS, "--seat", "2").stderr


def test_rejects_variant_that_the_bot_does_not_play(bot: Path) -> None:
    bot.write_text(SDK_BOT.replace("(Bot):", "(Bot):\n    games = ('bribery',)", 1))
    error = arena("debug", bot, "--variant", "pot-de-vin/3", "--against", "greedy").stderr
    assert "mine does not play pot-de-vin, only bribery" in error
    error = arena("debug", bot, "--variant", "bribery/2", "--against", "fixer,banker").stderr
    assert "got 2 opponents in --against, expected at most 1" in error


def test_bot_without_sdk_runs_as_child_process(tmp_path: Path) -> None:
    code = DICE_BOT.replace("import ", "import sys; print('started', file=sys.stderr)\nimport ", 1)
    played = arena("debug", make_bot(tmp_path, "plain", code), *OPTIONS)
    assert played.exit_code == 0, played.stderr
    assert played.stdout.count("started\n") == 1
    assert re.search(r"^[12]\. plain, seat 0: ", played.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("legal[0]", "legal[99]", "mine raised IndexError: list index out of range"),
        ("legal[0]", '"oops"', "mine answered 'oops', which is not legal"),
        ("class MyBot", "1 / 0\nclass MyBot", "mine raised ZeroDivisionError: division by zero"),
    ],
)
def test_failing_bot_ends_the_game(bot: Path, old: str, new: str, text: str) -> None:
    bot.write_text(SDK_BOT.replace(old, new))
    broken = arena("debug", bot, *OPTIONS)
    assert broken.exit_code == 1
    assert f"Error: {text}" in broken.stderr
    if "Error" in text:
        files = re.findall(r'^  File "(.*?)"', broken.stdout, re.MULTILINE)
        assert files[-1] == str(bot)
        assert not any("/arena/" in file for file in files)


def test_folder_without_bot_toml_is_debugged_in_place(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "bot.py").write_text(SDK_BOT.replace('"my thoughts"', "__file__"))
    assert f"\n{folder / 'bot.py'}\n" in arena("debug", folder, *OPTIONS).stdout


def test_pdb_stops_in_the_bot(bot: Path) -> None:
    bot.write_text(SDK_BOT.replace("print(", "breakpoint()\n        print(", 1))
    talk = [("(Pdb) ", "p 'hello ' * 2"), ("'hello hello '", "c"), ("answer: ", ""), ("(Pdb)", "q")]
    message = typed_in_terminal([*ARENA, "debug", str(bot), *OPTIONS], talk)
    assert re.search(r"mine\.py\([67]\)act\(\)", message), "Python 3.13 stops at the call itself"


# -- a recorded game ---------------------------------------------------------------------------


def fault_of(bad: Entrant) -> FaultFile:
    """Return the file of the fault that a bot had at the second of three seats."""
    game = make_game("high-card/3", 1, ("first", bad.name, "other"))
    players = by_name(first(), bad, first("other"))
    ((record, seen),) = watch_games([game], players, MatchSettings(PATIENT))
    (fault,) = record.faults
    until = game_until_fault(record, fault.seat, game.worlds)
    evidence = seen.evidence_of(fault.seat)
    return FaultFile(FORMAT, __version__, bad, PATIENT, fault, evidence, until)


def test_fault_file_replays_the_moment_of_the_fault(toys: None, bot: Path, tmp_path: Path) -> None:
    file = fault_of(program("bad", "breaks_the_rules"))
    path = save_fault(file, tmp_path)
    fixed = arena("debug", bot, path)
    assert fixed.exit_code == 0, fixed.stderr
    assert fixed.stdout.startswith(f"the fault of bad: illegal {file.where}: ")
    then, now = re.findall(r"^answer: (.*)", fixed.stdout, re.MULTILINE)
    assert re.fullmatch(r"hide \d+ \(in the record: hide \d+\)", then)
    assert now == file.fault.legal[0]
    bot.write_text(SDK_BOT.replace("legal[0]", '"oops"'))
    assert "mine answered 'oops'" in arena("debug", bot, path).stderr
    slow = replace(
        file, fault=replace(file.fault, kind="timeout"), limits=replace(PATIENT, move_ms=1)
    )
    bot.write_text(SDK_BOT.replace("print(", "import time; time.sleep(0.01); print("))
    late = arena("debug", bot, save_fault(slow, tmp_path))
    assert (late.exit_code, "more than its limit of 0.001 s" in late.stderr) == (1, True)
    assert "--seed is for a new game" in arena("debug", bot, path, "--seed", 1).stderr


def test_logs_print_commands_that_debug_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    folder = make_bot(tmp_path / "bots", "breaks", SDK_BOT.replace("legal[0]", "legal.missing"))
    enters = bot_options([folder, *make_bots(tmp_path / "bots", 1)])
    options = ["--variant", "bribery/2", "--rounds", "2", *RUN_OPTIONS, "--name", "x"]
    assert run_arena("run", *enters, *options, "--workers", "1", cwd=tmp_path).returncode == 0
    title = "bribery/2 board 1 rotation 0"
    command = f"arena debug {folder} x {title}"
    assert f"\n  reproduce   {command}\n" in arena("logs", "x", "--all").stdout
    logs = [sys.executable, "-m", "arena", "logs", "x"]
    typed_in_terminal(logs, [(f"\n  reproduce   {command}\n", "")], {"COLUMNS": "60"})
    (tmp_path / "x.jsonl").write_text(arena("export", "x").stdout)
    assert f"  reproduce   arena debug BOT x.jsonl {title}\n" in arena("logs", "x.jsonl").stdout
    again = arena(*command.split()[1:])
    assert (again.exit_code, "no attribute 'missing'" in again.stdout) == (1, True)
    (folder / "bot.py").write_text(SDK_BOT)
    in_run = arena(*command.split()[1:])
    assert (in_run.exit_code, in_run.stdout.count("answer: ")) == (0, 1)
    folder.rename(tmp_path / "renamed")
    (tmp_path / "renamed" / "bot.toml").unlink()
    assert "choose its --seat" in arena("debug", "renamed", "x", title).stderr
    other = arena("debug", "renamed", "x", title, "--seat", "0")
    assert (other.exit_code, "\nresult " in other.stdout) == (0, True)


def test_replayed_bot_gets_the_same_worlds(bot: Path, tmp_path: Path) -> None:
    text = ("import zlib\n" + SDK_BOT).replace("def act", "worlds = True\n\n    def act", 1)
    text = text.replace('"my thoughts"', '"world", zlib.crc32(self.world.dump())')
    bot.write_text(text.replace("legal[0]", 'legal[0] if view["round"] == 1 else "oops"'))
    arena("check", bot, *OPTIONS, "--faults", tmp_path)
    (path,) = tmp_path.glob("fault-*.json")
    sent = re.findall(r"world -?\d+", read_fault(path).evidence.stderr)
    assert len(sent) > 1
    assert re.findall(r"world -?\d+", arena("debug", bot, path).stdout)[-len(sent) :] == sent


def test_never_overwrites_other_fault_files(toys: None, tmp_path: Path) -> None:
    file = fault_of(program("bad", "breaks_the_rules"))
    folder = tmp_path / "new" / "faults"
    first, other = [save_fault(one, folder) for one in (file, replace(file, limits=Limits()))]
    seen_later = replace(file, evidence=replace(file.evidence, wall_ms=7))
    assert save_fault(seen_later, folder) == first
    read = msgspec.json.encode(read_fault(first))
    assert msgspec.json.decode(read) == msgspec.json.decode(msgspec.json.encode(seen_later))
    assert {path.name for path in folder.iterdir()} == {first.name, other.name}
    assert all(re.fullmatch(r"fault-bad-[0-9a-f]{12}\.json", path.name) for path in (first, other))


def test_rejects_invalid_fault_files(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for content, text in (
        (b"", "is not a fault file of format 3"),
        (b"[" * 100_000, "is not a fault file of format 3"),
        (b'{"format": 1}', "Invalid enum value 1"),
        (b'{"format": 3, "\\u001b[2J": 1}', "unknown field"),
    ):
        path.write_bytes(content)
        with pytest.raises(FaultFileError) as caught:
            read_fault(path)
        assert text in str(caught.value)
        assert str(caught.value).isprintable()
    os.truncate(path, MAX_BYTES + 1)
    with pytest.raises(FaultFileError, match=f" {MAX_BYTES:,} bytes"):
        read_fault(path)


UNPLAYABLE: list[tuple[dict[str, object], str]] = [
    ({"variant": "tafl/2"}, "tafl/2"),
    ({"rules_version": 99}, "got version 99 of the rules and seat 1, expected version"),
    ({"deal": msgspec.Raw(b"[" * 5000 + b"]" * 5000)}, "Error: "),
    ({"seat": 3}, "expected version 1 and a seat below 3"),
    ({"actions": ("hide 99",)}, "hide 99"),
]


def test_rejects_games_that_cannot_be_replayed(toys: None, bot: Path, tmp_path: Path) -> None:
    file = fault_of(program("bad", "breaks_the_rules"))
    for changes, text in UNPLAYABLE:
        assert file.game
        other = replace(file, game=replace(file.game, **changes))
        path = tmp_path / "other.json"
        path.write_bytes(msgspec.json.encode(other))
        assert text in arena("debug", bot, path).stderr
