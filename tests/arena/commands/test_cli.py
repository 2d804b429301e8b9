"""The command line: results on stdout, all else on stderr, and one sentence for a mistake."""

import re
from pathlib import Path

import msgspec
import pytest

from arena import __version__
from arena.cli import main
from arena.plugins import bots
from arena.record import read_record
from arena.tournament.digest import read_digest
from arena.tournament.settings import Settings
from arena.tournament.standings import RunLeaderboard
from arena.tournament.store import Store
from engine import variants
from tests.arena.command import (
    VARIANT,
    Played,
    arena,
    records_in,
    refused,
)
from tests.arena.runs import (
    RUN_OPTIONS,
    bot_options,
    make_bot,
    make_bots,
    run_arena,
    schedule_of,
)

TOO_LONG = "x" * 300


# -- run ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The run of the other tests, played here: a test resumes it, and others know its folder."""
    return Played(tmp_path_factory.mktemp("spring"))


def test_a_run_prints_its_leaderboard_and_nothing_else_on_stdout(spring: Played) -> None:
    assert spring.answer.returncode == 0
    words = [line.strip() for line in spring.answer.stdout.splitlines() if line[:1].isalpha()]
    assert words[0] == "overall"
    assert words[-1].startswith("a line: ")
    rows = [spring.answer.stdout.count(f" bot-{number} ") for number in range(1, 5)]
    assert rows == [1, 1, 1, 1]
    every = arena("leaderboard", spring.folder, "--all").stdout
    titles = [line.strip() for line in every.splitlines() if line[:1].isalpha()]
    assert titles[:3] == [VARIANT, "pot-de-vin/4-teams", "overall"]
    rows = [every.count(f" bot-{number} ") for number in range(1, 5)]
    assert rows == [3, 3, 3, 3], "also the one that had a bye in the variant for three"
    assert "\n7 games" in spring.answer.stdout
    assert "\x1b" not in spring.answer.stdout


def test_the_progress_is_printed_on_stderr_without_a_bar(spring: Played) -> None:
    """A bar is printed on a terminal only."""
    rounding, seed, games, digest, *lines = spring.answer.stderr.splitlines()
    assert re.match(r"pot-de-vin/4-teams\b.* 4 .* 3\b", rounding)
    assert " seed 0" in seed
    assert games == f"{spring.folder}: 7 games"
    assert "`arena verify`" in digest
    assert read_digest("".join(lines))


def test_a_run_leaves_its_database_and_its_leaderboard(spring: Played) -> None:
    names = {"arena.bots", "arena.db", "arena.lock", "leaderboard.json", "leaderboard.csv"}
    assert {path.name for path in spring.folder.iterdir()} == names
    board = msgspec.json.decode(
        (spring.folder / "leaderboard.json").read_bytes(), type=RunLeaderboard
    )
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


def test_the_same_settings_give_the_same_run_byte_for_byte(spring: Played, tmp_path: Path) -> None:
    """Under another name, in another folder and with another number of workers."""
    again = arena(*spring.command, "--results", tmp_path, "--name", "again", "--workers", 1)
    assert again.exit_code == 0
    assert again.stdout == spring.answer.stdout
    assert records_in(tmp_path / "again") == spring.records
    for name in ("leaderboard.csv", "leaderboard.json"):
        assert (tmp_path / "again" / name).read_bytes() == (spring.folder / name).read_bytes()


def test_another_seed_gives_another_run(three: list[str], tmp_path: Path) -> None:
    seed = "99999999999999999999999"
    result = arena("run", *three, "--seed", seed, "--name", "x", "--results", tmp_path)
    assert result.exit_code == 0
    with Store.open(tmp_path / "x") as store:
        settings = store.settings(Settings)
        keys = {record.key for record in store.records()}
    assert settings.seed == int(seed)
    other = msgspec.structs.replace(settings, seed=1)
    assert len(keys) == 3
    assert not keys & {game.key for game in schedule_of(other)}


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


def test_an_unknown_variant_is_refused_and_the_known_ones_are_named() -> None:
    text = refused("run", "--variant", "pot-de-vin/9")
    assert "'pot-de-vin/9'" in text
    assert VARIANT in text


def test_an_unknown_game_is_refused_and_the_known_ones_are_named() -> None:
    text = refused("run", "--game", "chess")
    for name in ("'chess'", "pot-de-vin", "bribery", "brides-and-bribes"):
        assert name in text


def test_an_unknown_bot_is_refused_and_the_known_ones_are_named() -> None:
    text = refused("run", "--bot", "nobody")
    assert "'nobody'" in text
    for name in bots():
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
        "run", *three, "--bot", folder, "--interpreter", "no-such-program",
        "--results", tmp_path / "results",
    )  # fmt: skip
    for word in ["'broken'", str(folder), *words]:
        assert word in text
    assert not (tmp_path / "results").exists()


def test_too_few_bots_are_told_what_to_add(three: list[str], tmp_path: Path) -> None:
    text = refused("run", *three[:2], *three[6:], "--results", tmp_path)
    for fact in (VARIANT, "3 seats", "(bot-1)", "2 with --bot"):
        assert fact in text
    assert list(tmp_path.iterdir()) == []


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
    assert "(seed 5, not 0)" in text
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
        ["--move-ms", "0"],
        ["--start-ms", "-1"],
        ["--seed", "1.5"],
        ["--no-such-option"],
        ["argument"],
    ],
)
def test_wrong_usage_is_exit_code_2(options: list[str]) -> None:
    result = arena("run", *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: arena run" in result.stderr
    assert result.stderr.count("Error: ") == 1


def test_no_such_command_is_wrong_usage() -> None:
    result = arena("dance")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'dance'" in result.stderr


@pytest.mark.parametrize("milliseconds", [pytest.param(3 * 10**9, marks=pytest.mark.slow), 10**22])
def test_limits_are_kept_or_refused_however_long_they_are(
    three: list[str], tmp_path: Path, milliseconds: int
) -> None:
    """A month, and longer than the universe is old."""
    limits = ["--move-ms", milliseconds, "--start-ms", milliseconds]
    result = arena("run", *three, *limits, "--name", "a", "--results", tmp_path)
    assert result.exit_code in (0, 2), repr(result.exception) + result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["leaderboard", TOO_LONG],
        ["export", TOO_LONG],
        ["verify", TOO_LONG],
        ["run", "--bot", TOO_LONG],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_name_that_is_too_long_for_a_file_is_refused(
    arguments: list[str], tmp_path: Path
) -> None:
    assert refused(*arguments, "--results", tmp_path)


def test_a_name_that_is_too_long_for_a_run_is_refused(three: list[str], tmp_path: Path) -> None:
    assert refused("run", *three, "--name", TOO_LONG, "--results", tmp_path)


# -- schedules and guests ----------------------------------------------------------------------


@pytest.mark.slow
def test_a_gauntlet_enters_its_challengers_and_seats_one_at_every_board(
    three: list[str], tmp_path: Path
) -> None:
    mine = make_bot(tmp_path, "mine")
    options = ["--schedule", "gauntlet", "--challenger", mine, "--name", "x"]
    played = arena("run", *three, *options, "--results", tmp_path / "results")
    assert played.exit_code == 0, played.stderr
    records = [read_record(record) for record in records_in(tmp_path / "results" / "x")]
    assert len(records) == 3
    assert all("mine" in record.entrants for record in records)
    text = refused("run", *three, "--name", "x", "--results", tmp_path / "results")
    assert "gauntlet" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--schedule", "swiss"], ["'swiss'", "round-robin", "gauntlet"]),
        (["--schedule", "gauntlet"], ["--challenger"]),
        (["--challenger", "random"], ["'round-robin'", "--schedule gauntlet"]),
    ],
)
def test_a_schedule_that_does_not_fit_is_refused(
    three: list[str], tmp_path: Path, options: list[str], words: list[str]
) -> None:
    text = refused("run", *three, *options, "--results", tmp_path)
    for word in words:
        assert word in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_guests_fill_up_and_are_marked_everywhere(three: list[str], tmp_path: Path) -> None:
    command = ["run", *three[:4], *three[6:], "--fill", "--name", "x", "--results", tmp_path]
    played = arena(*command)
    assert played.exit_code == 0, played.stderr
    assert re.search(rf"^{VARIANT}\b.* random \(guest\)$", played.stderr, re.MULTILINE)
    assert " random (guest) " in played.stdout
    for record in records_in(tmp_path / "x"):
        assert "random (guest)" in read_record(record).entrants
    for name in ("leaderboard.json", "leaderboard.csv"):
        assert "random (guest)" in (tmp_path / "x" / name).read_text()
    assert arena("verify", tmp_path / "x").exit_code == 0
    assert "3 games, 3 of them" in arena(*command).stderr


def test_bots_that_play_none_of_the_games_are_left_out_and_named(tmp_path: Path) -> None:
    folders = make_bots(tmp_path / "bots", 3)
    results = tmp_path / "results"
    options = ["--variant", VARIANT, "--rounds", "3", *RUN_OPTIONS, "--name", "x"]
    played = arena("run", *bot_options(folders), "--bot", "banker", *options, "--results", results)
    assert played.exit_code == 0, played.stderr
    assert ": banker\n" in played.stderr
    assert "banker" not in played.stdout


# -- what there is -----------------------------------------------------------------------------


def table(text: str) -> list[list[str]]:
    """Return the words of each line after the heading."""
    return [line.split() for line in text.splitlines()[1:]]


def test_games_lists_every_variant() -> None:
    result = arena("games")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = table(result.stdout)
    assert [line[0] for line in lines] == list(variants())
    assert ["pot-de-vin/3", "3", "-"] in lines
    assert ["pot-de-vin/4-teams", "4", "0+2", "1+3"] in lines


def test_bots_lists_every_registered_bot() -> None:
    result = arena("bots")
    assert (result.exit_code, result.stderr) == (0, "")
    names = [line[0] for line in table(result.stdout)]
    assert [name for name in names if name in bots()] == list(bots())
    assert ["random", "yes"] in [line[:2] for line in table(result.stdout)]


def test_the_version_is_told() -> None:
    result = arena("--version")
    assert (result.exit_code, result.stdout) == (0, f"arena, version {__version__}\n")


@pytest.mark.parametrize("command", ["", *main.commands])
def test_short_help_is_help(command: str) -> None:
    words = command.split()
    assert arena(*words, "-h").stdout == arena(*words, "--help").stdout
