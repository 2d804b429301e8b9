"""What a bot prints is seen: by try and check as it comes, and in a run by `arena logs`."""

import json
import re
from pathlib import Path

import pytest

from arena.terminal.bot_output import log_line
from tests.arena.command import arena, refused
from tests.arena.runs import DICE_BOT, PATIENT_OPTIONS, bot_options, make_bot, make_bots, run_arena

PRINTS = DICE_BOT.replace(
    '    elif kind == "turn":\n',
    '    elif kind == "turn":\n        print("turn", message["turn"], "\\x1b[31m", '
    "file=sys.stderr, flush=True)\n",
)
SANDBOX = ("--sandbox", "none")
LINE = re.compile(r"  move (\d+), seat (\d)  ? \| turn (\d+) \\x1b\[31m")


@pytest.fixture
def printing(tmp_path: Path) -> Path:
    return make_bot(tmp_path, "prints", PRINTS)


def test_try_shows_what_a_bot_prints_before_its_move(printing: Path) -> None:
    arguments = ("try", printing, "--variant", "bribery/2", "--games", "2", *SANDBOX)
    lines = arena(*arguments, "--watch", "1").stdout.splitlines()
    prints = [number for number, line in enumerate(lines) if line.startswith("  | turn ")]
    assert [lines[at] for at in prints] == [
        f"  | turn {turn} \\x1b[31m" for turn in range(1, len(prints) + 1)
    ]
    assert all("(prints): " in lines[at + 1] for at in prints)


@pytest.mark.parametrize("command", ["try", "check"])
def test_all_shows_what_a_bot_prints_after_the_rest(printing: Path, command: str) -> None:
    arguments = (command, printing, "--variant", "bribery/2", *SANDBOX)
    shown = arena(*arguments, "--all")
    assert shown.exit_code == 0, shown.stdout
    found = [line for line in shown.stderr.splitlines() if LINE.match(line)]
    assert len(found) > 10
    assert "prints prints in bribery/2 board 1 rotation 0:" in shown.stderr
    quiet = arena(*arguments)
    assert "turn 1" not in quiet.stdout + quiet.stderr


@pytest.mark.slow
def test_shows_log_of_a_run_by_game(tmp_path: Path) -> None:
    bots = [make_bot(tmp_path / "bots", "prints", PRINTS), *make_bots(tmp_path / "bots", 2)]
    results = tmp_path / "results"
    played = run_arena(
        "run", *bot_options(bots), "--variant", "pot-de-vin/3", "--rounds", "6", "--seed", "0",
        "--results", str(results), "--name", "spring", "--workers", "2", *PATIENT_OPTIONS,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    shown = arena("logs", "spring", "--bot", "prints", "--all", "--results", results)
    assert shown.exit_code == 0
    worst = arena("logs", "spring", "--bot", "prints", "--results", results).stdout
    defeat = arena("replay", "spring", "--bot", "prints", "--worst", "--json", "--results", results)
    titles = [line for line in worst.splitlines() if line.startswith("pot-de-vin")]
    assert titles == [f"{json.loads(defeat.stdout)[0]['title']}:"]
    assert "--bot prints --all" in worst
    assert shown.stdout.startswith("prints had no faults\n")
    titles = [line for line in shown.stdout.splitlines() if line.endswith(":")]
    assert titles == [
        f"pot-de-vin/3 board {board} rotation {rotation}:"
        for board in (1, 2)
        for rotation in range(3)
    ]
    blocks = re.split(r"pot-de-vin/3 board \d rotation \d:\n", shown.stdout)[1:]
    for block in blocks:
        found = [LINE.fullmatch(line) for line in block.splitlines()]
        moves, seats, turns = zip(*[match.groups() for match in found if match], strict=True)
        assert len(moves) == len(found)
        assert [*map(int, turns)] == [*range(1, len(turns) + 1)]
        assert sorted(map(int, moves)) == [*map(int, moves)]
        assert len(set(seats)) == 1
    game = "pot-de-vin/3 board 2 rotation 1"
    one = arena("logs", "spring", game, "--bot", "prints", "--results", results)
    assert one.stdout == f"{titles[4]}\n{blocks[4]}"
    other = arena("logs", "spring", "--bot", "bot-1", "--results", results)
    assert other.stdout == "bot-1 had no faults\nbot-1 wrote nothing to stderr\n"
    unknown = refused("logs", "spring", "--bot", "printz", "--results", results)
    assert "unknown bot of the run 'printz': did you mean 'prints'?" in unknown
    listed = json.loads(arena("logs", "--bot", "prints", "--json", "--results", results).stdout)[
        "lines"
    ]
    in_lines = [log_line(one["text"], one["seat"], one["move"]) for one in listed]
    assert in_lines == [line for line in shown.stdout.splitlines()[1:] if not line.endswith(":")]
    assert list(dict.fromkeys([f"{one['game']}:" for one in listed])) == titles
    exported = arena("export", "spring", "--results", results).stdout
    assert "turn 1 " not in exported, "records do not contain what bots print"
