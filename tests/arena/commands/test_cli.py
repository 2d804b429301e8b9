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
from tests.arena.command import VARIANT, Played, arena, printed, records_in, refused
from tests.arena.runs import RUN_OPTIONS, make_bot, run_arena

# -- run ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The run of the other tests, played here: a test resumes it, and others know its folder."""
    return Played(tmp_path_factory.mktemp("spring"))


def test_run_prints_only_the_leaderboard_to_stdout(spring: Played) -> None:
    assert spring.answer.returncode == 0
    words = [line.strip() for line in spring.answer.stdout.splitlines() if line[:1].isalpha()]
    assert words[0] == "overall"
    assert words[-1].startswith("score = ")
    row = re.compile(r"^ +[1-4] +(bot-[1-4]) ", re.MULTILINE)
    assert sorted(row.findall(spring.answer.stdout)) == ["bot-1", "bot-2", "bot-3", "bot-4"]
    every = arena("leaderboard", spring.folder, "--all").stdout
    titles = [line.strip() for line in every.splitlines() if line[:1].isalpha()]
    first = titles.index(VARIANT)
    assert titles[first : first + 3] == [VARIANT, "pot-de-vin/4-teams", "overall"]
    rows = [row.findall(every).count(f"bot-{number}") for number in range(1, 5)]
    assert rows == [3, 3, 3, 3], "also the one that had a bye in the variant for three"
    assert "\n7 games" in spring.answer.stdout
    assert "\x1b" not in spring.answer.stdout


def test_run_stores_database_and_leaderboard(spring: Played) -> None:
    names = {"arena.bots", "arena.db", "arena.lock", "leaderboard.json", "leaderboard.csv"}
    assert {path.name for path in spring.folder.iterdir()} == names
    board = msgspec.json.decode((spring.folder / "leaderboard.json").read_bytes(), type=Leaderboard)
    assert board.games == len(spring.records) == 7
    assert list(board.variants) == [VARIANT, "pot-de-vin/4-teams"]
    lines = (spring.folder / "leaderboard.csv").read_text().splitlines()
    assert len(lines) == 1 + len(board.overall) + sum(map(len, board.variants.values()))


def test_unnamed_run_is_named_after_the_date(three: list[str], tmp_path: Path) -> None:
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


def test_repeated_command_plays_nothing(spring: Played) -> None:
    """A bar is printed on a terminal only."""
    games, last = spring.answer.stderr.splitlines()
    assert games == f"{spring.folder}: 7 games"
    assert f"`arena publish {spring.folder} --to" in last
    again = arena(*spring.command, "--name", "spring", "--workers", 1)
    assert (again.exit_code, again.stdout) == (0, spring.answer.stdout)
    assert "7 games, 7 of them" in again.stderr
    every = arena(*spring.command, "--name", "spring", "-v").stderr
    for part in ("pot-de-vin/4-teams plays 4", " seed 0", "`arena verify`"):
        assert part in every
        assert part in printed("leaderboard", spring.folder, "--all")
    assert records_in(spring.folder) == spring.records


# -- run, refused ------------------------------------------------------------------------------


REFUSED: list[tuple[str, list[str]]] = [
    ("--variant pot-de-vin/9", ["'pot-de-vin/9'", VARIANT]),
    ("--game tafl", ["'tafl'", "pot-de-vin", "bribery", "brides-and-bribes"]),
    ("--bot nobody", ["'nobody'", *bots()]),
    (f"--bot {'x' * 300}", ["unknown bot"]),
    ("--rounds 0", ["rounds: "]),
    ("--workers many", ["workers: Expected "]),
    ("--seed 1.5", ["seed: Expected "]),
    ("--set limits.start_ms=-1", ["limits.start_ms: Expected "]),
    ("--set schedule=elo", ["'elo'", "round-robin", "gauntlet"]),
    ("--set schedule=gauntlet", ["entrants.challengers"]),
    ("--set entrants.challengers=random", ["'round-robin'", "schedule=gauntlet"]),
    ("--name taken", ["taken", "--name"]),
    ("--name a --results taken/file", ["taken/file", "--results"]),
    *[(f"--name {name}", [repr(name)]) for name in (".", "..", "a/b", "../a", "/a", "a/")],
]
"""Options, and what was got, is known, or is to be done."""


def test_rejects_impossible_runs_without_creating_files(
    three: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken" / "folder").mkdir(parents=True)
    (tmp_path / "taken" / "file").touch()
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for options, words in REFUSED:
        text = refused("run", *three, "--results", ".", *options.split())
        assert [word for word in words if word not in text] == [], options
        assert sorted(tmp_path.rglob("*")) == before, options


def test_rejects_bot_that_does_not_start(three: list[str], tmp_path: Path) -> None:
    folder = make_bot(tmp_path, "broken", "raise SystemExit(3)")
    text = refused("run", *three, "--bot", folder, "--results", tmp_path / "results")
    for word in ("'broken'", str(folder), "exited with code 3"):
        assert word in text
    assert not (tmp_path / "results").exists()


def test_never_changes_a_run_with_other_settings(spring: Played) -> None:
    text = refused(*spring.command, "--name", "spring", "--seed", 5)
    assert "seed is 0 in the run, but 5 now" in text
    assert records_in(spring.folder) == spring.records


def test_usage_errors_exit_with_code_2() -> None:
    result = arena("run", "--no-such-option")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: arena run" in result.stderr
    assert result.stderr.count("Error: ") == 1


def test_accepts_huge_limits(three: list[str], tmp_path: Path) -> None:
    limits = [f"limits.{name}_ms={10**22}" for name in ("move", "start")]
    options = ("--set", limits[0], "--set", limits[1], "--name", "a", "--results", tmp_path)
    assert arena("run", *three, *options).exit_code in (0, 1), "kept or refused"


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


def test_short_help_option_works() -> None:
    for words in ([], *[[command] for command in main.commands]):
        assert arena(*words, "-h").stdout == arena(*words, "--help").stdout
