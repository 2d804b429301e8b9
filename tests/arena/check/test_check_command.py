"""`arena check`: what a student reads, and what programs read."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.arena.check.listening import LISTEN
from tests.arena.runs import PATIENT_OPTIONS, make_bot

OPTIONS = ("--variant", "bribery/2", *PATIENT_OPTIONS)
LOSES_ITS_WAY = LISTEN + (
    "for message in hear():\n    if message['type'] == 'turn':\n"
    "        sys.stderr.write('now \\x1b[31mlost\\n')\n"
    "        act(message, 'go \\x1b[2J' if message['turn'] == 3 else message['legal'][0])\n"
)


def arena(*arguments: str, columns: int = 100, charset: str = "utf-8") -> Result:
    """Run `arena` in this process."""
    return CliRunner(charset, {"COLUMNS": str(columns)}).invoke(main, arguments)


def test_student_finds_and_fixes_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    found = arena("check", "lost", *OPTIONS)
    assert found.exit_code == 1
    assert [*tmp_path.iterdir()] == [folder]  # it writes what it was asked for only
    assert found.stdout.endswith("--faults faults\n")
    found = arena("check", "lost", *OPTIONS, "--faults", ".")
    assert found.exit_code == 1
    lines = found.stdout.splitlines()
    assert all(line.isprintable() for line in lines)
    assert any(line.startswith("✗ plays bribery/2") for line in lines)
    assert lines[-1].startswith("lost ")
    assert lines[-1].endswith(": plays bribery/2")
    assert r"  stderr      now \x1b[31mlost" in lines
    (file,) = [path.name for path in tmp_path.iterdir() if path != folder]
    assert f"  reproduce   arena debug lost {file}" in lines

    again = arena("debug", "lost", file)
    assert again.exit_code == 1
    assert "lost" in again.stdout

    (folder / "bot.py").write_text(LISTEN + "play()\n")
    assert arena("debug", "lost", file).exit_code == 0
    assert arena("check", "lost", *OPTIONS).exit_code == 0


def test_output_fits_80_columns_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    command = ["check", "lost", *OPTIONS]
    found = arena(*command, columns=80)
    assert found.exit_code == 1
    *lines, _ = found.stdout.splitlines()  # the last line is a command to copy
    assert all(len(line) <= 80 and line.isprintable() for line in lines)
    plain = arena(*command, columns=60, charset="ascii")
    assert all(len(line) <= 60 for line in plain.stdout.splitlines()[:-1])
    marks = [line[0] for line in plain.stdout.splitlines() if line[1:2] == " " and line[0] != " "]
    assert "".join(marks) == "++x++-"


def test_similar_failures_share_one_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(
        tmp_path, "leaves", LISTEN + "for message in hear():\n    if 'legal' in message: exit(3)\n"
    )
    two = ["--variant", "bribery/2", "--variant", "bribery/3", "--sandbox", "none"]
    found = arena("check", "leaves", *two, "--faults", ".")
    assert len(re.findall("^  what  .* code 3", found.stdout, re.MULTILINE)) == 1
    again = r"  .* arena debug leaves fault-leaves-[0-9a-f]+\.json"
    assert [line for line in found.stdout.splitlines() if re.fullmatch(again, line)]
    full = arena("check", "leaves", *two, "--all")
    assert len(re.findall("^  what  .* code 3", full.stdout, re.MULTILINE)) == 2


def test_prints_checks_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "lost", LOSES_ITS_WAY)
    found = arena("check", "lost", *OPTIONS, "--json", "--faults", "found")
    assert found.exit_code == 1
    report = json.loads(found.stdout)
    assert (report["bot"], report["passed"]) == ("lost", False)
    (failing,) = [one for one in report["checks"] if one["outcome"] == "failed"]
    assert failing["fault"]["kind"] == "illegal"
    assert [str(path) for path in Path("found").iterdir()] == [failing["file"]]
