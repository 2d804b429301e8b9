"""The command line: results on stdout, all else on stderr, and one sentence for a mistake."""

import re
from pathlib import Path

import msgspec
import pytest

from arena.base.record import read_record
from arena.cli import main
from arena.plugins import bots
from arena.rating.leaderboard import Leaderboard
from engine import variants
from tests.arena.command import (
    VARIANT,
    Played,
    arena,
    printed,
    records_in,
    refused,
)
from tests.arena.runs import (
    RUN_OPTIONS,
    make_bot,
    run_arena,
)

# -- run ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The run of the other tests, played here: a test resumes it, and others know its folder."""
    return Played(tmp_path_factory.mktemp("spring"))


def test_a_run_prints_its_leaderboard_and_nothing_else_on_stdout(spring: Played) -> None:
    assert spring.answer.returncode == 0
    words = [line.strip() for line in spring.answer.stdout.splitlines() if line[:1].isalpha()]
    assert words[0] == "overall"
    assert words[-1].startswith("score = ")
    row = re.compile(r"^ +[1-4] +(bot-[1-4]) ", re.MULTILINE)
    assert sorted(row.findall(spring.answer.stdout)) == ["bot-1", "bot-2", "bot-3", "bot-4"]
    every = arena("leaderboard", spring.folder, "--all").stdout
    titles = [line.strip() for line in every.splitlines() if line[:1].isalpha()]
    assert titles[:3] == [VARIANT, "pot-de-vin/4-teams", "overall"]
    rows = [row.findall(every).count(f"bot-{number}") for number in range(1, 5)]
    assert rows == [3, 3, 3, 3], "also the one that had a bye in the variant for three"
    assert "\n7 games" in spring.answer.stdout
    assert "\x1b" not in spring.answer.stdout


def test_the_progress_is_printed_on_stderr_without_a_bar(spring: Played) -> None:
    """A bar is printed on a terminal only."""
    games, last = spring.answer.stderr.splitlines()
    assert games == f"{spring.folder}: 7 games"
    assert f"`arena publish {spring.folder} --to" in last
    every = arena(*spring.command, "--name", "spring", "-v").stderr
    for part in ("pot-de-vin/4-teams plays 4", " seed 0", "`arena verify`"):
        assert part in every
        assert part in printed("runs", spring.folder)


def test_a_run_leaves_its_database_and_its_leaderboard(spring: Played) -> None:
    names = {"arena.bots", "arena.db", "arena.lock", "leaderboard.json", "leaderboard.csv"}
    assert {path.name for path in spring.folder.iterdir()} == names
    board = msgspec.json.decode((spring.folder / "leaderboard.json").read_bytes(), type=Leaderboard)
    assert board.games == len(spring.records) == 7
    assert list(board.variants) == [VARIANT, "pot-de-vin/4-teams"]
    lines = (spring.folder / "leaderboard.csv").read_text().splitlines()
    assert len(lines) == 1 + len(board.overall) + sum(map(len, board.variants.values()))


def test_the_same_command_again_plays_nothing_and_prints_the_same(spring: Played) -> None:
    result = arena(*spring.command, "--name", "spring", "--workers", 1)
    assert result.exit_code == 0
    assert result.stdout == spring.answer.stdout
    assert "7 games, 7 of them" in result.stderr
    assert records_in(spring.folder) == spring.records


def test_a_bundled_bot_plays_by_its_name_and_a_run_without_a_name_has_the_date(
    three: list[str], tmp_path: Path
) -> None:
    """Beside a file and two folders; paths are those of the working folder."""
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def act(self, view, legal):\n        return legal[0]\n"
    )
    answer = run_arena(
        "run", *three[:4], "--bot", "random", "--bot", "mine.py", "--variant", "pot-de-vin/4",
        "--rounds", "1", *RUN_OPTIONS, cwd=tmp_path,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    for name in ("random", "mine", "bot-1", "bot-2"):
        assert f" {name} " in answer.stdout
    (folder,) = (tmp_path / "results").iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{6}", folder.name)
    assert not any(read_record(record).faults for record in records_in(folder))


# -- run, refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (("--variant", "pot-de-vin/9"), [VARIANT]),
        (("--game", "chess"), ["pot-de-vin", "bribery", "brides-and-bribes"]),
        (("--bot", "nobody"), list(bots())),
    ],
)
def test_what_is_unknown_is_refused_and_the_known_ones_are_named(
    words: tuple[str, str], known: list[str]
) -> None:
    text = refused("run", *words)
    for name in (f"'{words[1]}'", *known):
        assert name in text


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program", ["cannot start `no-such-program", "No such file"]),
        ("python", ["exited with code 3"]),
    ],
)
def test_a_bot_that_does_not_start_is_refused(
    three: list[str], tmp_path: Path, command: str, words: list[str]
) -> None:
    folder = make_bot(tmp_path, "broken", "raise SystemExit(3)")
    (folder / "bot.toml").write_text(f'name = "broken"\ncommand = ["{command}", "bot.py"]\n')
    text = refused(
        "run", *three, "--bot", folder, "--set", "entrants.interpreters=no-such-program",
        "--results", tmp_path / "results",
    )  # fmt: skip
    for word in ["'broken'", str(folder), *words]:
        assert word in text
    assert not (tmp_path / "results").exists()


def test_results_that_cannot_be_written_are_refused(three: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = refused("run", *three, "--name", "a", "--results", tmp_path / "file")
    assert str(tmp_path / "file") in text
    assert "--results" in text


def test_a_folder_that_is_no_run_is_not_taken(three: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine" / "folder").mkdir(parents=True)
    text = refused("run", *three, "--name", "mine", "--results", tmp_path)
    assert str(tmp_path / "mine") in text
    assert "--name" in text


def test_a_run_with_other_settings_is_not_touched(spring: Played) -> None:
    text = refused(*spring.command, "--name", "spring", "--seed", 5)
    assert "(seed 5, not seed 0)" in text
    assert records_in(spring.folder) == spring.records


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "/a", "a/"])
def test_a_name_that_is_no_folder_is_refused(three: list[str], tmp_path: Path, name: str) -> None:
    text = refused("run", *three, "--name", name, "--results", tmp_path / "results")
    assert repr(name) in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ["--rounds", "0"],
        ["--rounds", "many"],
        ["--workers", "0"],
        ["--set", "limits.start_ms=-1"],
        ["--seed", "1.5"],
    ],
)
def test_a_wrong_value_is_refused_with_its_setting(options: list[str]) -> None:
    key = options[1].partition("=")[0] if "=" in options[1] else options[0].strip("-")
    assert re.match(rf"(machine\.)?{key}: expected ", refused("run", *options))


def test_wrong_usage_is_exit_code_2() -> None:
    result = arena("run", "--no-such-option")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: arena run" in result.stderr
    assert result.stderr.count("Error: ") == 1


@pytest.mark.parametrize("milliseconds", [pytest.param(3 * 10**9, marks=pytest.mark.slow), 10**22])
def test_limits_are_kept_or_refused_however_long_they_are(
    three: list[str], tmp_path: Path, milliseconds: int
) -> None:
    """A month, and longer than the universe is old."""
    limits = [
        *("--set", f"limits.move_ms={milliseconds}"),
        *("--set", f"limits.start_ms={milliseconds}"),
    ]
    result = arena("run", *three, *limits, "--name", "a", "--results", tmp_path)
    assert result.exit_code in (0, 1), repr(result.exception) + result.stderr


def test_a_bot_whose_name_is_too_long_for_a_file_is_refused(tmp_path: Path) -> None:
    assert refused("run", "--bot", "x" * 300, "--results", tmp_path)


# -- schedules and guests ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "schedule=swiss"], ["'swiss'", "round-robin", "gauntlet"]),
        (["--set", "schedule=gauntlet"], ["entrants.challengers"]),
        (["--set", "entrants.challengers=random"], ["'round-robin'", "schedule=gauntlet"]),
    ],
)
def test_a_schedule_that_does_not_fit_is_refused(
    three: list[str], tmp_path: Path, options: list[str], words: list[str]
) -> None:
    text = refused("run", *three, *options, "--results", tmp_path)
    for word in words:
        assert word in text
    assert list(tmp_path.iterdir()) == []


# -- what there is -----------------------------------------------------------------------------


def table(text: str) -> list[list[str]]:
    """Return the words of each line after the heading."""
    return [line.split() for line in text.splitlines()[1:] if line]


def test_games_lists_every_variant() -> None:
    result = arena("games")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = table(result.stdout)
    assert [line[0] for line in lines[: len(variants())]] == list(variants())
    assert ["pot-de-vin/3", "3", "-"] in lines
    assert ["pot-de-vin/4-teams", "4", "0+2", "1+3"] in lines

    names = [line[0] for line in lines]
    assert [name for name in names if name in bots()] == list(bots())
    assert ["random", "yes"] in [line[:2] for line in lines]


@pytest.mark.parametrize("command", ["", *main.commands])
def test_short_help_is_help(command: str) -> None:
    words = command.split()
    assert arena(*words, "-h").stdout == arena(*words, "--help").stdout
